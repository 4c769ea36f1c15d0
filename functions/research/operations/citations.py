"""Reading an answer's citations: each claim with the passages that were verified, cut from the evidence itself."""

from collections.abc import Iterable, Sequence

from research.operations.callers import Visit
from research.operations.outcomes import Outcome
from research.operations.ports import Store
from research.operations.reading import Policy, context_refs, existing, owned, run_refs, surroundings, text_refs
from research.rules import availability
from research.words import ids, records
from research.words.contract import (
    AnswerCitations,
    CitationsArguments,
    CitationsResult,
    CitedClaim,
    EvidenceRef,
    Passage,
    SourceView,
)
from research.words.records import EvidenceText, Span, StoredAnswer

_Pinned = tuple[EvidenceRef, EvidenceText]


class CitationReader:
    """citations_get."""

    def __init__(self, store: Store, policy: Policy) -> None:
        self._store = store
        self._policy = policy

    def get(self, visit: Visit, arguments: CitationsArguments) -> Outcome:
        """The citations of one run's answer, under the same rules as the answer itself."""
        refs = run_refs(arguments.conversation_id, arguments.run_id)
        found = self._store.fetch(*visit.refs(), records.conversation(arguments.conversation_id), *refs)
        member = visit.admit(found)
        conversation = owned(found, visit, arguments.conversation_id)
        run = existing(found, refs)
        answer_ref = records.answer(conversation.id, run.id)
        found = found | self._store.fetch(*context_refs(conversation), answer_ref, *text_refs(conversation))
        around = surroundings(found, visit, member, conversation, self._policy)
        state = availability.state(around)
        texts = [text for ref in text_refs(conversation) if (text := found[ref]) is not None]
        if len(texts) < len(conversation.context.evidence) and state in ("available", "archived"):
            state = "source_unavailable"  # a withdrawal is erasing its text this moment
        stored = found[answer_ref] if state in ("available", "archived") else None
        pinned = list(zip(conversation.context.evidence, texts, strict=False))
        return Outcome(
            CitationsResult(
                run_id=run.id,
                message_id=ids.answer_id(run.id) if stored else None,
                availability=state,
                citations=_citations(stored, pinned) if stored else None,
            )
        )


def _citations(stored: StoredAnswer, pinned: Sequence[_Pinned]) -> AnswerCitations:
    answer, cited = stored.answer, stored.citations
    passages = [_passage(span, pinned) for span in cited.spans]

    def claim(statement: str, places: Iterable[int]) -> CitedClaim:
        return CitedClaim(statement=statement, passages=tuple(passages[place] for place in places))

    return AnswerCitations(
        sources=tuple(_source(ref, text) for ref, text in pinned),
        answer=claim(answer.answer.statement, cited.answer),
        findings=tuple(
            claim(finding.statement, places) for finding, places in zip(answer.findings, cited.findings, strict=True)
        ),
        query_suggestions=tuple(
            claim(suggestion.query, places)
            for suggestion, places in zip(answer.query_suggestions, cited.query_suggestions, strict=True)
        ),
    )


def _passage(span: Span, pinned: Sequence[_Pinned]) -> Passage:
    ref, source = pinned[span.source]
    return Passage(
        evidence_id=ref.evidence_id,
        revision=ref.revision,
        start=span.start,
        end=span.end,
        text=source.text[span.start : span.end],
        title=source.title,
        url=source.url,
    )


def _source(ref: EvidenceRef, source: EvidenceText) -> SourceView:
    return SourceView(
        evidence_id=ref.evidence_id,
        revision=ref.revision,
        **source.model_dump(include={"title", "url", "author", "published_at", "language"}),
    )

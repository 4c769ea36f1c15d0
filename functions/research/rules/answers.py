"""From a reply to an answer (rules 1 to 6): everything that is published was verified, and the rest is disclosed."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from research.rules import labels, prose, wire
from research.rules.claims import Ledger, Review, Text, text_fault
from research.rules.quotations import Source
from research.rules.sentences import sentences
from research.rules.wire import InvalidOutput
from research.rules.wording import Item, Why, Wording
from research.words.contract import (
    MAX_EXCLUDED_TERM,
    MAX_EXCLUDED_TERMS,
    MAX_FINDINGS,
    MAX_LIMITATION,
    MAX_LIMITATIONS,
    MAX_RATIONALE,
    MAX_STATEMENT,
    MAX_SUGGESTIONS,
    MAX_UNCERTAINTY,
    Answer,
    Claim,
    EvidenceRef,
    QuerySuggestion,
    RequestKind,
)
from research.words.records import Citations, EvidenceText, Span

__all__ = ["MAX_ANSWER_BYTES", "InvalidOutput", "Verified", "verify"]

MAX_ANSWER_BYTES = 65536
"""What a finished answer may take as JSON in UTF-8."""

T = TypeVar("T", Claim, QuerySuggestion)


@dataclass(frozen=True, slots=True)
class Verified:
    """An answer that may be published, and the passages that carry each claim of it."""

    answer: Answer
    citations: Citations


@dataclass(frozen=True, slots=True)
class _Held(Generic[T]):
    """A claim that holds, on these passages."""

    claim: T
    spans: tuple[Span, ...]
    surplus_terms: int = 0


def verify(
    text: str,
    *,
    kind: RequestKind,
    context: Sequence[EvidenceRef],
    sources: Sequence[EvidenceText],
    question: str,
    language: str,
) -> Verified:
    """The verified answer that a model's reply `text` amounts to.

    `sources` are the texts of `context`, in its order; `language` is the conversation's, however a client spelt it.
    Raises InvalidOutput, and nothing else, for a reply that cannot become an answer.
    """
    reply = wire.parse(text)
    review = Review(reply, [Source(source) for source in sources], question, language)
    return _Verification(reply, review, tuple(context), sentences(language)).verified(kind)


class _Verification:
    """The steps of one verification, and the ledger of what they withhold."""

    def __init__(self, reply: wire.Reply, review: Review, context: tuple[EvidenceRef, ...], words: Wording) -> None:
        self._reply = reply
        self._review = review
        self._context = context
        self._words = words
        self._ledger = Ledger()

    def verified(self, kind: RequestKind) -> Verified:
        reply, ledger = self._reply, self._ledger
        main = self._main_answer()
        findings = self._kept("findings", map(self._finding, reply.findings), MAX_FINDINGS)
        suggestions = self._kept("suggestions", map(self._suggestion, reply.query_suggestions), MAX_SUGGESTIONS)
        if kind == "query_suggestions" and not suggestions:
            raise InvalidOutput("no_suggestion_holds")
        ledger.withhold("excluded_terms", "count", sum(held.surplus_terms for held in suggestions))
        ledger.withhold("citations", "quotation", self._review.unheld())
        sentiment = (
            labels.label_all(reply.sentiment, self._context, self._review.sources, ledger, self._words)
            if kind == "sentiment"
            else ()
        )
        answer = Answer(
            answer=main.claim,
            findings=tuple(held.claim for held in findings),
            sentiment=sentiment,
            query_suggestions=tuple(held.claim for held in suggestions),
            limitations=self._limitations(),
        )
        if _size(answer) > MAX_ANSWER_BYTES:
            raise InvalidOutput("too_large")
        return Verified(answer, _citations(main, findings, suggestions))

    def _main_answer(self) -> _Held[Claim]:
        main = self._reply.answer
        if not main.sufficient and not self._review.cited(main.quotations):
            statement = self._words.no_answer
            return _Held(Claim(statement=statement, basis="inferred", evidence=self._context, uncertainty=""), ())
        held = self._finding(main)
        if not isinstance(held, _Held):
            raise InvalidOutput("main_answer_withheld")
        return held

    def _finding(self, item: wire.Claim) -> _Held[Claim] | Why:
        statement, uncertainty = map(prose.without_aliases, (item.statement, item.uncertainty))
        spans = self._review.cited(item.quotations)
        texts = [Text(statement, 1, MAX_STATEMENT), Text(uncertainty, 0, MAX_UNCERTAINTY)]
        fault = self._review.claim_fault(texts, statement, spans)
        if fault:
            return fault
        evidence = self._evidence(spans)
        return _Held(Claim(statement=statement, basis=item.basis, evidence=evidence, uncertainty=uncertainty), spans)

    def _suggestion(self, item: wire.Suggestion) -> _Held[QuerySuggestion] | Why:
        query, rationale = map(prose.without_aliases, (item.query, item.rationale))
        terms = tuple(dict.fromkeys(map(prose.without_aliases, item.excluded_terms)))
        kept = terms[:MAX_EXCLUDED_TERMS]
        spans = self._review.cited(item.quotations)
        texts = [Text(query, 1, MAX_STATEMENT), Text(rationale, 1, MAX_RATIONALE)]
        texts += [Text(term, 1, MAX_EXCLUDED_TERM) for term in kept]
        fault = self._review.claim_fault(texts, rationale, spans)
        if fault:
            return fault
        suggestion = QuerySuggestion(
            query=query, excluded_terms=kept, evidence=self._evidence(spans), rationale=rationale
        )
        return _Held(suggestion, spans, len(terms) - len(kept))

    def _kept(self, item: Item, outcomes: "Iterable[_Held[T] | Why]", most: int) -> list[_Held[T]]:
        """The first `most` that hold."""
        kept: list[_Held[T]] = []
        for outcome in outcomes:
            if not isinstance(outcome, _Held):
                self._ledger.withhold(item, outcome)
            elif len(kept) == most:
                self._ledger.withhold(item, "count")
            else:
                kept.append(outcome)
        return kept

    def _limitations(self) -> tuple[str, ...]:
        """The model's, or that it gave none, and then what was withheld, the limitations among it."""
        kept: list[str] = []
        for limitation in map(prose.without_aliases, self._reply.limitations):
            fault = text_fault([Text(limitation, 1, MAX_LIMITATION)], self._review.sources)
            if fault or len(kept) == MAX_LIMITATIONS - 1:
                self._ledger.withhold("limitations", fault or "count")
            else:
                kept.append(limitation)
        if not self._reply.limitations:
            kept.append(self._words.no_limitation)
        return (*kept, *self._ledger.sentence(self._words))

    def _evidence(self, spans: Sequence[Span]) -> tuple[EvidenceRef, ...]:
        return tuple(self._context[index] for index in sorted({span.source for span in spans}))


def _citations(
    main: _Held[Claim], findings: Sequence[_Held[Claim]], suggestions: Sequence[_Held[QuerySuggestion]]
) -> Citations:
    """Each passage once, in the order in which the published claims cite them."""
    carried = [main.spans, *(held.spans for held in findings), *(held.spans for held in suggestions)]
    places = {span: place for place, span in enumerate(dict.fromkeys(span for spans in carried for span in spans))}
    answer, *others = [tuple(places[span] for span in spans) for spans in carried]
    return Citations(
        spans=tuple(places),
        answer=answer,
        findings=tuple(others[: len(findings)]),
        query_suggestions=tuple(others[len(findings) :]),
    )


def _size(answer: Answer) -> int:
    return len(json.dumps(answer.model_dump(mode="json"), ensure_ascii=False).encode())

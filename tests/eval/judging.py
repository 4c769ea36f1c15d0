"""What became of a case, held against what must become of it."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import get_args

from eval.case import Case, Fate, Quoted, Said, Suggested
from research.rules.answers import InvalidOutput, Verified, verify
from research.rules.sentences import sentences
from research.rules.wording import Why
from research.words.contract import Answer, EvidenceRef

Item = tuple[str, ...]
"""What a reader sees of one item: its sort, its texts, and then its passages, each with the name of its source."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """Of one case: its citations that were published and those that are true, items by error, and what else is wrong.

    `prompt_alone` are the items that were published although the instructions forbid them.
    """

    case: Case
    published_citations: int
    true_citations: int
    wrongly_withheld: tuple[Item, ...]
    wrongly_published: tuple[Item, ...]
    prompt_alone: tuple[str, ...]
    faults: tuple[str, ...]

    @property
    def is_right(self) -> bool:
        """Whether everything is as the case says."""
        return not (self.wrongly_withheld or self.wrongly_published or self.faults)


def judge(case: Case) -> Judgement:
    """Verify the case's reply, and compare."""
    try:
        verified = _verified(case)
    except InvalidOutput as refusal:
        expected = [] if case.refused else _expected(case)
        faults = () if refusal.reason == case.refused else (f"refused as {refusal.reason}",)
        return Judgement(case, 0, 0, tuple(expected), (), (), faults)
    shown, expected = _shown(case, verified), [] if case.refused else _expected(case)
    surplus = Counter(shown) - Counter(expected)
    published = [passage for item in shown for passage in _passages(item)]
    true = {(text, passage) for item in _expected(case) for text, passage in _cited(item)}
    return Judgement(
        case,
        len(published),
        sum((text, passage) in true for item in shown for text, passage in _cited(item)),
        tuple((Counter(expected) - Counter(shown)).elements()),
        tuple(surplus.elements()),
        tuple(text for text, fate in _fates(case) if fate == "prompt alone"),
        _faults(case, verified.answer),
    )


def _verified(case: Case) -> Verified:
    context = tuple(
        EvidenceRef(evidence_id=f"11111111-1111-4111-8111-{number:012}", revision=number)
        for number in range(1, len(case.evidence) + 1)
    )
    return verify(
        case.reply(),
        kind=case.kind,
        context=context,
        sources=case.evidence,
        question=case.question,
        language=case.language,
    )


def _expected(case: Case) -> list[Item]:
    """What a reader must see. The service's sentences about what was withheld and not given are judged apart."""
    main = case.main
    items = [("answer", case.instead, "") if case.instead else _item("answer", main)]
    items += [_item("finding", said) for said in case.findings if said.fate in ("published", "prompt alone")]
    items += [_suggestion_item(one) for one in case.suggestions if one.fate in ("published", "prompt alone")]
    items += [_label_item(case, f"ev_{number}", label) for number, label in enumerate(case.sentiment, 1)]
    items += [
        ("limitation", limited.text, "")
        for limited in case.limitations
        if limited.fate in ("published", "prompt alone")
    ]
    return items


def _item(sort: str, said: Said) -> Item:
    return (sort, said.shown or said.statement, said.uncertainty, *_named(said.quoted))


def _suggestion_item(one: Suggested) -> Item:
    terms = ", ".join(one.excluded_terms[: one.terms_kept])
    return ("suggestion", f"{one.query} -({terms})", one.rationale, *_named(one.quoted))


def _label_item(case: Case, source: str, label: str) -> Item:
    """The label that must stand, with what the model says of it, or the service where it is none of the model's."""
    stands = (one.uncertainty for one in case.labels if (one.source, one.label) == (source, label))
    return ("label", f"{source}: {label}", next(stands, sentences(case.language).no_label))


def _named(quoted: Iterable[Quoted]) -> tuple[str, ...]:
    return tuple(f"{one.source}: {one.passage}" for one in quoted if one.passage is not None)


def _shown(case: Case, verified: Verified) -> list[Item]:
    """What a reader sees, each passage cut from the evidence at its span."""
    answer, citations = verified.answer, verified.citations
    passages = [
        f"ev_{span.source + 1}: {case.evidence[span.source].text[span.start : span.end]}" for span in citations.spans
    ]

    def at(places: Sequence[int]) -> tuple[str, ...]:
        return tuple(passages[place] for place in places)

    claims = [("answer", answer.answer, citations.answer)]
    claims += [("finding", *pair) for pair in zip(answer.findings, citations.findings, strict=True)]
    items: list[Item] = [(sort, claim.statement, claim.uncertainty, *at(places)) for sort, claim, places in claims]
    items += [
        ("suggestion", f"{one.query} -({', '.join(one.excluded_terms)})", one.rationale, *at(places))
        for one, places in zip(answer.query_suggestions, citations.query_suggestions, strict=True)
    ]
    items += [("label", f"ev_{number}: {one.label}", one.uncertainty) for number, one in enumerate(answer.sentiment, 1)]
    return items + [("limitation", text, "") for text in _split(case, answer)[0]]


def _split(case: Case, answer: Answer) -> tuple[list[str], list[str]]:
    """The model's limitations, and those that the service says itself."""
    words = sentences(case.language)
    own = (words.no_limitation, words.disclosure.partition("{")[0])
    said = [text for text in answer.limitations if text.startswith(own)]
    return [text for text in answer.limitations if text not in said], said


def _faults(case: Case, answer: Answer) -> tuple[str, ...]:
    words = sentences(case.language)
    said = " ".join(_split(case, answer)[1])
    reasons = frozenset(why for why, phrase in words.reasons.items() if phrase in said)
    faults = [f"published, and not refused as {case.refused}"] if case.refused else []
    if reasons != _withheld(case) and not case.refused:
        faults.append(f"discloses {sorted(reasons)}, not {sorted(_withheld(case))}")
    if (words.no_limitation in said) is bool(case.limitations):
        faults.append("says wrongly whether the model gave limitations")
    return tuple(faults)


def _withheld(case: Case) -> frozenset[Why]:
    """Every reason that must be disclosed."""
    fates = {fate for _, fate in _fates(case)}
    unheld = any(one.passage is None for claim in case.claims() for one in claim.quoted)
    withheld = {why for why in get_args(Why) if why in fates}
    return case.also | withheld | ({"quotation"} if unheld else set())


def _fates(case: Case) -> list[tuple[str, Fate]]:
    """Every item of the reply and what must become of it."""
    fates = [(one.statement if isinstance(one, Said) else one.query, one.fate) for one in case.claims()]
    return [
        *fates,
        *((one.label, one.fate) for one in case.labels),
        *((one.text, one.fate) for one in case.limitations),
    ]


def _passages(item: Item) -> Item:
    return item[3:]


def _cited(item: Item) -> Iterable[tuple[str, str]]:
    return ((item[1], passage) for passage in _passages(item))

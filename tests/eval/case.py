"""One case: evidence, what the model says of it, and what must be published or withheld and why."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from research.rules.wire import Reason
from research.rules.wording import Why
from research.words.contract import RequestKind, SentimentLabel
from research.words.records import EvidenceText

Topic = Literal[
    "verbatim, spelt otherwise",
    "not verbatim",
    "numbers that are proved",
    "numbers that are not",
    "links and images",
    "names of the wire in prose",
    "sentiment labels",
    "query suggestions",
    "the sources do not say",
    "too many or too long",
    "form of the reply",
    "languages",
    "instructions obeyed",
    "guarded by the prompt alone",
]
Fate = Why | Literal["published", "prompt alone"]
"""What must become of an item: published, withheld for this reason, or published for want of any rule against it."""


@dataclass(frozen=True, slots=True)
class Quoted:
    """A quotation as the model gives it, and the passage that it must be shown as: None if it must not hold."""

    text: str
    passage: str | None
    source: str = "ev_1"


@dataclass(frozen=True, slots=True)
class Said:
    """A claim of the model. `shown` is its statement as published, where that differs."""

    statement: str
    quoted: tuple[Quoted, ...]
    fate: Fate = "published"
    uncertainty: str = ""
    shown: str | None = None


@dataclass(frozen=True, slots=True)
class Suggested:
    """A search that the model proposes; the first `terms_kept` of its excluded terms must be published."""

    query: str
    quoted: tuple[Quoted, ...]
    fate: Fate = "published"
    rationale: str = "The quoted text suggests it."
    excluded_terms: tuple[str, ...] = ()
    terms_kept: int = 20


@dataclass(frozen=True, slots=True)
class Labelled:
    """A label of the model."""

    source: str
    label: str
    fate: Fate = "published"
    uncertainty: str = ""


@dataclass(frozen=True, slots=True)
class Limited:
    """A limitation of the model."""

    text: str
    fate: Fate = "published"


@dataclass(frozen=True, slots=True)
class Case:
    """A case. Without an `answer` of its own the main one holds, citing the whole first evidence.

    `sentiment` is the label that each evidence must end with, `also` the reasons to be disclosed beside those of the
    items. `instead` is the sentence that the service must say in place of the main answer. `raw` is the reply where it
    is not made of the parts; `refused` is why there must be no answer at all. `guard` is what of the instructions
    forbids the items that the prompt alone guards.
    """

    topic: Topic
    name: str
    evidence: tuple[EvidenceText, ...]
    findings: tuple[Said, ...] = ()
    answer: Said | None = None
    suggestions: tuple[Suggested, ...] = ()
    labels: tuple[Labelled, ...] = ()
    limitations: tuple[Limited, ...] = (Limited("Only the selected texts were read."),)
    sentiment: tuple[SentimentLabel, ...] = ()
    kind: RequestKind = "question"
    language: str = "en"
    question: str = "What do they say about it?"
    sufficient: bool = True
    instead: str | None = None
    also: frozenset[Why] = frozenset()
    raw: str | None = None
    refused: Reason | None = None
    guard: str = ""

    @property
    def main(self) -> Said:
        """The main answer as the model gives it."""
        whole = self.evidence[0].text
        return self.answer or Said("They describe it in their own words.", (Quoted(whole, whole),))

    def claims(self) -> tuple[Said | Suggested, ...]:
        """Everything that cites, in the order of the reply."""
        return (self.main, *self.findings, *self.suggestions)

    def reply(self) -> str:
        """The provider's output, in the wire's form."""
        if self.raw is not None:
            return self.raw
        quoted = list(dict.fromkeys(one for claim in self.claims() for one in claim.quoted))
        names = {one: f"qt_{number}" for number, one in enumerate(quoted, 1)}
        document = {
            "quotations": [{"id": names[one], "source": one.source, "text": one.text} for one in quoted],
            "answer": {"sufficient": self.sufficient, **_claim(self.main, names)},
            "findings": [_claim(said, names) for said in self.findings],
            "sentiment": [
                {"source": one.source, "label": one.label, "uncertainty": one.uncertainty} for one in self.labels
            ],
            "query_suggestions": [_suggestion(suggested, names) for suggested in self.suggestions],
            "limitations": [limited.text for limited in self.limitations],
        }
        return json.dumps(document, ensure_ascii=False)


def texts(*contents: str, **origin: Any) -> tuple[EvidenceText, ...]:
    """Evidence with these texts, all of this origin."""
    return tuple(EvidenceText(text=content, **origin) for content in contents)


def of(text: str, statement: str, fate: Fate = "published", **origin: Any) -> dict[str, Any]:
    """The evidence and the finding of a case about one statement that cites the whole of one text."""
    return {"evidence": texts(text, **origin), "findings": (Said(statement, (Quoted(text, text),), fate),)}


def quoting(text: str, quoted: str, passage: str | None) -> dict[str, Any]:
    """The evidence and the finding of a case about one quotation of one text."""
    fate: Fate = "quotation" if passage is None else "published"
    return {
        "evidence": texts(text),
        "findings": (Said("One of them puts it in these words.", (Quoted(quoted, passage),), fate),),
    }


def rows(topic: Topic, cases: Iterable[tuple[str, dict[str, Any]]]) -> tuple[Case, ...]:
    """Cases of one topic, from a name and the rest of each."""
    return tuple(Case(topic, name, **rest) for name, rest in cases)


def _claim(said: Said, names: dict[Quoted, str]) -> dict[str, Any]:
    return {
        "statement": said.statement,
        "basis": "observed",
        "quotations": _ids(said.quoted, names),
        "uncertainty": said.uncertainty,
    }


def _suggestion(suggested: Suggested, names: dict[Quoted, str]) -> dict[str, Any]:
    return {
        "query": suggested.query,
        "excluded_terms": list(suggested.excluded_terms),
        "quotations": _ids(suggested.quoted, names),
        "rationale": suggested.rationale,
    }


def _ids(quoted: Sequence[Quoted], names: dict[Quoted, str]) -> list[str]:
    return [names[one] for one in quoted]

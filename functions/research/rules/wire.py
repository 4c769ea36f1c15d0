"""The wire with the model (rule 1): a reply of exactly this shape, or no reply at all."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from research.words.contract import Basis, Result, SentimentLabel

Reason = Literal[
    "not_json",
    "shape",
    "control_character",
    "quotation_conflict",
    "main_answer_withheld",
    "no_suggestion_holds",
    "too_large",
]


@dataclass(slots=True)
class InvalidOutput(Exception):
    """A reply that cannot become an answer. `reason` is one of a fixed set and says nothing of its content."""

    reason: Reason


class Quotation(Result, strict=True, str_strip_whitespace=True):
    """A passage that the model says is in the source with this alias."""

    id: str
    source: str
    text: str


class Claim(Result, strict=True):
    """A finding; the main answer is one too."""

    statement: str
    basis: Basis
    quotations: tuple[str, ...]
    uncertainty: str


class MainAnswer(Claim, strict=True):
    """The answer to the question, and whether the sources suffice for it."""

    sufficient: bool


class Label(Result, strict=True):
    """The sentiment of one source."""

    source: str
    label: SentimentLabel
    uncertainty: str


class Suggestion(Result, strict=True):
    """A search that the model proposes."""

    query: str
    excluded_terms: tuple[str, ...]
    quotations: tuple[str, ...]
    rationale: str


class Reply(Result, strict=True):
    """All that the model says."""

    quotations: tuple[Quotation, ...]
    answer: MainAnswer
    findings: tuple[Claim, ...]
    sentiment: tuple[Label, ...]
    query_suggestions: tuple[Suggestion, ...]
    limitations: tuple[str, ...]

    def by_id(self) -> dict[str, Quotation]:
        """The quotations by id; a reply from `parse` gives each id once."""
        return {quotation.id: quotation for quotation in self.quotations}


def parse(text: str) -> Reply:
    """The reply that this text is, after lossless repairs: a fence or a BOM round it, identical items given twice.

    Raises InvalidOutput: `not_json`, `shape`, `control_character` or `quotation_conflict` (one id for two quotations).
    """
    document = _unwrapped(text)
    decoded = _decoded(document)
    try:
        reply = Reply.model_validate_json(document)
    except ValueError:
        raise InvalidOutput("shape") from None
    if any(_is_control(char) for string in _strings(decoded) for char in string):
        raise InvalidOutput("control_character")
    reply = reply.model_copy(update={name: tuple(dict.fromkeys(getattr(reply, name))) for name in _LISTS})
    if len(reply.by_id()) < len(reply.quotations):
        raise InvalidOutput("quotation_conflict")
    return reply


_LISTS = ("quotations", "findings", "sentiment", "query_suggestions", "limitations")


def _unwrapped(text: str) -> str:
    """The text inside a BOM and a code fence. A JSON object starts with a brace, so nothing of it can be lost here."""
    text = text.lstrip("\ufeff").strip(" \t\r\n")
    if text.startswith("```") and text.endswith("```"):
        text = text.strip("`").lstrip("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
    return text.strip(" \t\r\n\ufeff")


def _decoded(document: str) -> Any:
    """What the JSON says. Python's own reader also takes NaN, repeated keys and any depth: none of them passes here."""
    try:
        return json.loads(document, object_pairs_hook=_distinct, parse_constant=_refused)
    except (ValueError, RecursionError):
        raise InvalidOutput("not_json") from None


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise ValueError("a key occurs twice")
    return members


def _refused(_constant: str) -> None:
    raise ValueError("not a JSON number")


def _strings(value: Any) -> Iterator[str]:
    """Every string in a value whose shape was checked, so that its depth is bounded."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _strings(part)


def _is_control(char: str) -> bool:
    return (char < " " and char not in "\t\n\r") or "\x7f" <= char <= "\x9f"

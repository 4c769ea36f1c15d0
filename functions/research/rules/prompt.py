"""What is asked of the model: the instructions, the fenced evidence, the form of the reply, and how much fits.

Sizes are code points. What a conversation's evidence takes is known from stored lengths alone, so that a question can
be refused as too large before any text is read.
"""

import hashlib
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from research.rules.instructions import RULES, TASKS
from research.words.contract import Answer, RequestKind
from research.words.records import EvidenceText

INPUT_BUDGET = 200_000
"""Everything that is sent, the form of the reply included."""

RESERVE = 12_000
"""Kept free for what is in every input: instructions, the form of the reply, the language and the fences round both."""

FRAME = 2_800
"""More than the fence and the origin of any one piece of evidence take."""

TURN = 200
"""More than the fences round one earlier question and its answer take."""

_ORIGIN = {"title": 300, "author": 200, "published_at": 40, "language": 35, "url": 2000}
_BASIS = {"type": "string", "enum": ["observed", "inferred", "generated"]}
_LABEL = {"type": "string", "enum": ["positive", "negative", "neutral", "mixed", "unknown"]}
_TEXT = {"type": "string"}
_TEXTS = {"type": "array", "items": _TEXT}


@dataclass(frozen=True, slots=True)
class Exchange:
    """One earlier question with the answer it was given."""

    question: str
    answer: Answer


@dataclass(frozen=True, slots=True)
class Prompt:
    """What is sent to the model. `aliases` are the names its reply may use, in the order of the context."""

    system: str
    contents: str
    aliases: tuple[str, ...]


def alias(index: int) -> str:
    """The name of the context's `index`-th evidence (from 0) between us and the model."""
    return f"ev_{index + 1}"


def wire_schema(count: int) -> dict[str, Any]:
    """The JSON Schema of a reply that may cite `count` sources.

    It bears no maxItems and no lengths: the provider refuses schemas rich in bounds, with an error that names none.
    """
    aliases = [alias(index) for index in range(count)]
    return _reply({"type": "string", "enum": aliases}, {"additionalProperties": False})


def plain_schema() -> dict[str, Any]:
    """The same form for a model that refuses `wire_schema`: an alias is any text, other fields are not excluded."""
    return _reply(_TEXT, {})


def evidence_size(text_length: int) -> int:
    """What one piece of evidence takes of the budget at most."""
    return text_length + FRAME


def fits(input_size: int, question_length: int) -> bool:
    """Whether evidence of `input_size` (the sum of `evidence_size`) and a question can be sent."""
    return history_room(input_size, question_length) >= 0


def history_room(input_size: int, question_length: int) -> int:
    """What is left of the budget for earlier exchanges; negative if not even the question fits."""
    return INPUT_BUDGET - RESERVE - input_size - question_length


def keep_history(exchanges: Sequence[Exchange], room: int) -> tuple[Exchange, ...]:
    """The newest exchanges (the last ones) that fit into `room` whole, oldest first."""
    kept: list[Exchange] = []
    for exchange in reversed(exchanges):
        room -= len(exchange.question) + len(_said(exchange.answer)) + TURN
        if room < 0:
            break
        kept.insert(0, exchange)
    return tuple(kept)


def write(
    *,
    kind: RequestKind,
    question: str,
    language: str,
    sources: Sequence[EvidenceText],
    history: Sequence[Exchange],
    seal: str,
) -> Prompt:
    """The prompt of one run. `seal` (its id) decides the code on the fences; `history` is what `keep_history` kept.

    Nothing that anyone wrote stands outside a fence, and none of it can hold the code that closes one.
    """
    aliases = tuple(alias(index) for index in range(len(sources)))
    blocks = [(name, _evidence(source)) for name, source in zip(aliases, sources, strict=True)]
    for number, exchange in enumerate(history, 1):
        blocks.append((f"earlier_question_{number}", exchange.question))
        blocks.append((f"earlier_answer_{number}", _said(exchange.answer)))
    blocks += [("language", _line(language, _ORIGIN["language"])), ("question", question)]
    nonce = next(code for code in _codes(seal) if not any(code in text.casefold() for _, text in blocks))
    contents = "\n\n".join(f"[{nonce} begin {name}]\n{text}\n[{nonce} end {name}]" for name, text in blocks)
    return Prompt(RULES.format(nonce=nonce, kind=kind, task=TASKS[kind]), contents, aliases)


def _codes(seal: str) -> Iterator[str]:
    """Candidates for the code on the fences: the writer of a text that holds one cannot hold the next as well."""
    return (hashlib.sha256(f"{seal}:{attempt}".encode()).hexdigest()[:16] for attempt in itertools.count())


def _evidence(source: EvidenceText) -> str:
    origin = [(name, _line(getattr(source, name) or "", limit)) for name, limit in _ORIGIN.items()]
    lines = [f"{name}: {value}" for name, value in origin if value]
    return "\n".join([*lines, "", source.text])


def _line(value: str, limit: int) -> str:
    """One line, so that an origin cannot pass for the text below it, and never longer than what was counted for it."""
    return " ".join(value.split())[:limit]


def _said(answer: Answer) -> str:
    statements = [answer.answer.statement, *(finding.statement for finding in answer.findings)]
    return "\n".join([*statements, *(suggestion.query for suggestion in answer.query_suggestions)])


def _reply(source: dict[str, Any], closed: dict[str, Any]) -> dict[str, Any]:
    def record(fields: dict[str, Any]) -> dict[str, Any]:
        names = list(fields)
        return {"type": "object", "properties": fields, "required": names, "propertyOrdering": names, **closed}

    def several(item: dict[str, Any]) -> dict[str, Any]:
        return {"type": "array", "items": item}

    claim: dict[str, Any] = {"statement": _TEXT, "basis": _BASIS, "quotations": _TEXTS, "uncertainty": _TEXT}
    suggestion = {"query": _TEXT, "excluded_terms": _TEXTS, "quotations": _TEXTS, "rationale": _TEXT}
    fields = {
        "quotations": several(record({"id": _TEXT, "source": source, "text": _TEXT})),
        "answer": record({"sufficient": {"type": "boolean"}, **claim}),
        "findings": several(record(claim)),
        "sentiment": several(record({"source": source, "label": _LABEL, "uncertainty": _TEXT})),
        "query_suggestions": several(record(suggestion)),
        "limitations": _TEXTS,
    }
    return record(fields)

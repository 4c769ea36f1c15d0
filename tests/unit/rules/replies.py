"""A reply to verify, made of parts that a test replaces, and the three sources that it cites."""

import json
from typing import Any

import pytest

from research.rules.answers import InvalidOutput, Verified, verify
from research.words.contract import EvidenceRef, RequestKind
from research.words.records import EvidenceText

CONTEXT = tuple(
    EvidenceRef(evidence_id=f"11111111-1111-4111-8111-00000000000{number}", revision=number) for number in (1, 2, 3)
)
SOURCES = (
    EvidenceText(text="The battery lasts 12 hours and I love it. See https://good.example/Review.", language="en"),
    EvidenceText(text="Der Akku hält nur einen halben Tag — „enttäuschend“.", title="Test 2026", language="de"),
    EvidenceText(text="電池は2日持ちます。とても良いと思います。", published_at="2026-11-03T09:30:00Z"),
)


def claim(statement: str = "The battery is loved.", *quotations: str, **fields: Any) -> dict[str, Any]:
    """A finding of the reply; it cites qt_1 unless told otherwise."""
    return {
        "statement": statement,
        "basis": "observed",
        "quotations": list(quotations or ["qt_1"]),
        "uncertainty": "",
        **fields,
    }


def suggestion(query: str = "battery", **fields: Any) -> dict[str, Any]:
    """A query suggestion of the reply; it cites qt_2."""
    return {"query": query, "excluded_terms": [], "quotations": ["qt_2"], "rationale": "Half a day.", **fields}


def reply(**fields: Any) -> dict[str, Any]:
    """A reply whose main answer holds, with three quotations that hold."""
    return {
        "quotations": [
            {"id": "qt_1", "source": "ev_1", "text": "The battery lasts 12 hours"},
            {"id": "qt_2", "source": "ev_2", "text": 'nur einen halben tag - "enttäuschend"'},
            {"id": "qt_3", "source": "ev_3", "text": "とても良いと思います。"},
            {"id": "qt_bad", "source": "ev_1", "text": "The battery lasts 12 days"},
        ],
        "answer": {"sufficient": True, **claim("The battery lasts 12 hours.")},
        "findings": [],
        "sentiment": [],
        "query_suggestions": [],
        "limitations": ["Three texts are no sample."],
        **fields,
    }


def verified(
    document: Any, kind: RequestKind = "question", *, question: str = "How is the battery?", language: str = "en"
) -> Verified:
    """The verification of a reply, given as a document or as text."""
    text = document if isinstance(document, str) else json.dumps(document)
    return verify(text, kind=kind, context=CONTEXT, sources=SOURCES, question=question, language=language)


def reason(document: Any, kind: RequestKind = "question") -> str:
    """Why a reply is refused."""
    with pytest.raises(InvalidOutput) as caught:
        verified(document, kind)
    return caught.value.reason


def withheld(items: str, reasons: str) -> str:
    """The English disclosure."""
    return f"Part of the model's reply was withheld: {items}. Reasons: {reasons}."


def findings_of(*findings: dict[str, Any]) -> tuple[list[str], tuple[str, ...]]:
    """The statements that are published of these findings, and the limitations."""
    answer = verified(reply(findings=list(findings))).answer
    return [finding.statement for finding in answer.findings], answer.limitations[1:]

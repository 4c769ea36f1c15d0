"""What arguments and results share: kinds, bounds, scalars and the pinned context."""

import re
from datetime import datetime
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, PlainSerializer, model_validator

from research.words.clock import rfc3339

RequestKind = Literal["question", "overview", "themes", "audiences", "sentiment", "query_suggestions"]
RunStatus = Literal["queued", "processing", "completed", "failed", "cancelled", "expired", "unavailable"]
FailureCode = Literal[
    "not_configured",
    "budget_exhausted",
    "access_changed",
    "source_unavailable",
    "context_changed",
    "input_too_large",
    "provider_unavailable",
    "generation_unconfirmed",
    "invalid_output",
    "cancelled",
    "expired",
    "conversation_full",
]
ConversationAvailability = Literal["available", "expired", "source_unavailable", "access_changed", "archived"]
Basis = Literal["observed", "inferred", "generated"]
SentimentLabel = Literal["positive", "negative", "neutral", "mixed", "unknown"]

MAX_RUNS = 20
MAX_EVIDENCE = 20
MAX_PAGE = 100
MAX_SOURCES = 100
MAX_QUESTION = 2000
MAX_STATEMENT = 2000
MAX_UNCERTAINTY = 1000
MAX_FINDINGS = 12
MAX_SUGGESTIONS = 5
MAX_EXCLUDED_TERMS = 20
MAX_EXCLUDED_TERM = 100
MAX_RATIONALE = 1000
MAX_LIMITATIONS = 10
MAX_LIMITATION = 1000
METHOD_VERSION: Literal["research-cited/v1"] = "research-cited/v1"

_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE | re.ASCII)


def _hyphenated(value: str) -> str:
    if not _UUID.fullmatch(value):
        raise ValueError("a hyphenated UUID is expected")
    return value.lower()


def _whole_number(value: Any) -> Any:
    """JSON Schema calls 1.0 an integer; Python's json calls it a float."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def no_number(value: Any) -> Any:
    """To Python 0 is False, to JSON it is not; as text it matches no boolean."""
    return value if isinstance(value, bool) else str(value)


Id = Annotated[str, AfterValidator(_hyphenated)]
Positive = Annotated[int, BeforeValidator(_whole_number), Field(gt=0, le=2**53 - 1)]
Timestamp = Annotated[datetime, PlainSerializer(rfc3339, return_type=str)]


class EvidenceRef(BaseModel):
    """One exact revision of one piece of evidence."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, defer_build=True)

    evidence_id: Id
    revision: Positive


class Context(BaseModel):
    """What a conversation is pinned to: a project revision, its snapshot and evidence revisions, in this order."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, defer_build=True)

    project_id: Id
    project_revision: Positive
    corpus_snapshot_id: Id
    evidence: Annotated[tuple[EvidenceRef, ...], Field(strict=False, min_length=1, max_length=MAX_EVIDENCE)]

    @model_validator(mode="after")
    def _each_evidence_once(self) -> Self:
        if len({item.evidence_id for item in self.evidence}) < len(self.evidence):
            raise ValueError("each evidence may be selected once")
        return self

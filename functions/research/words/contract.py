"""The public contract as code uses it: arguments in, results out, bounds exactly those of contract/*.json.

The JSON files beside this module are what discovery publishes. tests/contract holds both to the same verdict on every
value. Stricter than the schemas in one thing: the same evidence twice in one context is refused.
"""

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


def _no_number(value: Any) -> Any:
    """To Python 0 is False, to JSON it is not; as text it matches no boolean."""
    return value if isinstance(value, bool) else str(value)


Id = Annotated[str, AfterValidator(_hyphenated)]
Positive = Annotated[int, BeforeValidator(_whole_number), Field(gt=0, le=2**53 - 1)]
Timestamp = Annotated[datetime, PlainSerializer(rfc3339, return_type=str)]


class Arguments(BaseModel):
    """What a caller sends: strict types, no unknown field."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    workspace_id: Id


class EvidenceRef(BaseModel):
    """One exact revision of one piece of evidence."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    evidence_id: Id
    revision: Positive


class Context(BaseModel):
    """What a conversation is pinned to: a project revision, its snapshot and evidence revisions, in this order."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    project_id: Id
    project_revision: Positive
    corpus_snapshot_id: Id
    evidence: Annotated[tuple[EvidenceRef, ...], Field(strict=False, min_length=1, max_length=MAX_EVIDENCE)]

    @model_validator(mode="after")
    def _each_evidence_once(self) -> Self:
        if len({item.evidence_id for item in self.evidence}) < len(self.evidence):
            raise ValueError("each evidence may be selected once")
        return self


class CreateArguments(Arguments):
    """conversations_create."""

    mutation_id: Id
    title: Annotated[str, Field(min_length=1, max_length=200)]
    context: Context
    language: Annotated[str, Field(min_length=1, max_length=35)]


class GetArguments(Arguments):
    """conversations_get."""

    conversation_id: Id


class RequestArguments(Arguments):
    """assistant_request."""

    mutation_id: Id
    conversation_id: Id
    expected_revision: Positive
    parent_message_id: Id | None
    question: Annotated[str, Field(min_length=1, max_length=MAX_QUESTION)]
    request_kind: RequestKind
    processing_intent: Literal["google_gemini_selected_context"]


class SentimentArguments(RequestArguments):
    """sentiment_request: an assistant_request whose kind can only be sentiment."""

    request_kind: Literal["sentiment"]


class StatusArguments(Arguments):
    """assistant_status."""

    conversation_id: Id
    run_id: Id


class Result(BaseModel):
    """What a caller is given, and the parts of it."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Claim(Result):
    """A statement with the evidence that carries it."""

    statement: Annotated[str, Field(min_length=1, max_length=MAX_STATEMENT)]
    basis: Basis
    evidence: Annotated[tuple[EvidenceRef, ...], Field(min_length=1, max_length=MAX_EVIDENCE)]
    uncertainty: Annotated[str, Field(max_length=MAX_UNCERTAINTY)]


class Sentiment(Result):
    """The label of one piece of evidence."""

    evidence_id: Id
    revision: Positive
    label: SentimentLabel
    uncertainty: Annotated[str, Field(max_length=MAX_UNCERTAINTY)]


class QuerySuggestion(Result):
    """A search that the model proposes, with the evidence that suggests it."""

    query: Annotated[str, Field(min_length=1, max_length=MAX_STATEMENT)]
    excluded_terms: Annotated[
        tuple[Annotated[str, Field(min_length=1, max_length=MAX_EXCLUDED_TERM)], ...],
        Field(max_length=MAX_EXCLUDED_TERMS),
    ]
    evidence: Annotated[tuple[EvidenceRef, ...], Field(min_length=1, max_length=MAX_EVIDENCE)]
    rationale: Annotated[str, Field(min_length=1, max_length=MAX_RATIONALE)]


class Answer(Result):
    """A published answer: every claim in it carries evidence whose quotation held."""

    answer: Claim
    findings: Annotated[tuple[Claim, ...], Field(max_length=MAX_FINDINGS)]
    sentiment: Annotated[tuple[Sentiment, ...], Field(max_length=MAX_EVIDENCE)]
    query_suggestions: Annotated[tuple[QuerySuggestion, ...], Field(max_length=MAX_SUGGESTIONS)]
    limitations: Annotated[
        tuple[Annotated[str, Field(min_length=1, max_length=MAX_LIMITATION)], ...],
        Field(min_length=1, max_length=MAX_LIMITATIONS),
    ]
    quantitative_claims: Annotated[Literal[False], BeforeValidator(_no_number)] = False
    method_version: Literal["research-cited/v1"] = METHOD_VERSION


class Message(Result):
    """A question or an answer, never both."""

    id: Id
    run_id: Id
    role: Literal["user", "assistant"]
    question: Annotated[str, Field(max_length=MAX_QUESTION)] | None
    answer: Answer | None
    created_at: Timestamp
    expires_at: Timestamp


class RunView(Result):
    """One request for an answer, as a caller sees it."""

    id: Id
    workspace_id: Id
    conversation_id: Id
    conversation_revision: Positive
    generation: Positive
    request_kind: RequestKind
    status: RunStatus
    failure_code: FailureCode | None
    created_at: Timestamp
    expires_at: Timestamp
    processor: Literal["Google Gemini"] = "Google Gemini"
    model_id: Annotated[str, Field(max_length=128)] | None
    model_version: Annotated[str, Field(max_length=128)] | None


class Availability(Result):
    """Whether the conversation could take a request now: `reason` is the failure code it would meet."""

    configured: bool
    reason: FailureCode | None
    processor: Literal["Google Gemini"] = "Google Gemini"
    retention_hours: Literal[24] = 24


class ConversationView(Result):
    """A conversation as its owner sees it."""

    id: Id
    workspace_id: Id
    revision: Positive
    title: Annotated[str, Field(min_length=1, max_length=200)] | None
    context: Context
    language: Annotated[str, Field(min_length=1, max_length=35)]
    archived: bool
    availability: ConversationAvailability
    created_at: Timestamp
    expires_at: Timestamp


class ConversationResult(Result):
    """conversations_create and conversations_get."""

    conversation: ConversationView
    messages: Annotated[tuple[Message, ...], Field(max_length=2 * MAX_RUNS)]
    runs: Annotated[tuple[RunView, ...], Field(max_length=MAX_RUNS)]
    availability: Availability


class RunResult(Result):
    """assistant_request, assistant_status and sentiment_request."""

    run: RunView
    message: Message | None
    conversation_revision: Positive
    availability: Availability


class CitationsArguments(StatusArguments):
    """citations_get: the run whose answer it is about."""


class SourceView(Result):
    """The origin of one piece of evidence, as its importer gave it."""

    evidence_id: Id
    revision: Positive
    title: str | None
    url: str | None
    author: str | None
    published_at: str | None
    language: str | None


class Passage(Result):
    """A verified quotation: code points `start` to `end` (exclusive) of the evidence revision's text are `text`."""

    evidence_id: Id
    revision: Positive
    start: Annotated[int, Field(ge=0)]
    end: Annotated[int, Field(gt=0)]
    text: str
    title: str | None
    url: str | None


class CitedClaim(Result):
    """A claim of the answer (`statement` is a suggestion's query) with the passages that carry it."""

    statement: str
    passages: tuple[Passage, ...]


class AnswerCitations(Result):
    """Every claim of one answer with its passages, in the answer's order, and all sources of the context in theirs."""

    sources: tuple[SourceView, ...]
    answer: CitedClaim
    findings: tuple[CitedClaim, ...]
    query_suggestions: tuple[CitedClaim, ...]


class CitationsResult(Result):
    """citations_get. `citations` is null while the run has no answer, or none that may be shown now."""

    run_id: Id
    message_id: Id | None
    availability: ConversationAvailability
    citations: AnswerCitations | None

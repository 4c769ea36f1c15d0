"""What a caller is given, by operation, and the parts of it."""

from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from research.words.contract.types import (
    MAX_EVIDENCE,
    MAX_EXCLUDED_TERM,
    MAX_EXCLUDED_TERMS,
    MAX_FINDINGS,
    MAX_LIMITATION,
    MAX_LIMITATIONS,
    MAX_QUESTION,
    MAX_RATIONALE,
    MAX_RUNS,
    MAX_STATEMENT,
    MAX_SUGGESTIONS,
    MAX_UNCERTAINTY,
    METHOD_VERSION,
    Basis,
    Context,
    ConversationAvailability,
    EvidenceRef,
    FailureCode,
    Id,
    Positive,
    RequestKind,
    RunStatus,
    SentimentLabel,
    Timestamp,
    no_number,
)


class Result(BaseModel):
    """What a caller is given, and the parts of it."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


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
    quantitative_claims: Annotated[Literal[False], BeforeValidator(no_number)] = False
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

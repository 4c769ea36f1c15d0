"""What a caller sends, by operation: strict types, no unknown field."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from research.words.contract.types import MAX_QUESTION, Context, Id, Positive, RequestKind


class Arguments(BaseModel):
    """What a caller sends: strict types, no unknown field."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    workspace_id: Id


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


class CitationsArguments(StatusArguments):
    """citations_get: the run whose answer it is about."""

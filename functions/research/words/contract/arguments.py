"""What a caller sends, by operation: strict types, no unknown field."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from research.words.contract.types import MAX_PAGE, MAX_QUESTION, MAX_SOURCES, Context, Id, Positive, RequestKind
from research.words.sources import Source


class Arguments(BaseModel):
    """What a caller sends: strict types, no unknown field."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, defer_build=True)

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


class CancelArguments(Arguments):
    """assistant_cancel."""

    mutation_id: Id
    conversation_id: Id
    run_id: Id


class CitationsArguments(StatusArguments):
    """citations_get: the run whose answer it is about."""


class Page(Arguments):
    """The part of a list's arguments that pages it."""

    cursor: Annotated[str, Field(max_length=1000)] | None = None
    limit: Annotated[Positive, Field(le=MAX_PAGE)] = 20


class ConversationsListArguments(Page):
    """conversations_list."""


class ProjectsListArguments(Page):
    """projects_list."""


class EvidenceListArguments(Page):
    """evidence_list; `language` as the importer gave it."""

    project_id: Id
    language: Annotated[str, Field(min_length=1, max_length=35)] | None = None


class EvidenceGetArguments(Arguments):
    """evidence_get."""

    project_id: Id
    evidence_id: Id
    revision: Positive


class ArchiveArguments(Arguments):
    """conversations_archive."""

    mutation_id: Id
    conversation_id: Id
    expected_revision: Positive


class DeleteArguments(Arguments):
    """conversations_delete."""

    mutation_id: Id
    conversation_id: Id


class ImportArguments(Arguments):
    """sources_import."""

    mutation_id: Id
    project_id: Id
    sources: Annotated[tuple[Source, ...], Field(strict=False, min_length=1, max_length=MAX_SOURCES)]


class WithdrawArguments(Arguments):
    """sources_withdraw."""

    mutation_id: Id
    project_id: Id
    evidence_ids: Annotated[tuple[Id, ...], Field(strict=False, min_length=1, max_length=MAX_SOURCES)]

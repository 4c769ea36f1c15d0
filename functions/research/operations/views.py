"""Records as the contract shows them: rendered once, by what the conversation's availability lets a read return."""

from research.operations.reading import message_ref
from research.rules import availability, transitions
from research.rules.availability import Surroundings
from research.words import ids, records
from research.words.contract import (
    Availability,
    ConversationResult,
    ConversationView,
    FailureCode,
    Message,
    RunResult,
    RunView,
)
from research.words.records import Conversation, Found, Question, Run, StoredAnswer


def conversation_result(around: Surroundings, found: Found) -> ConversationResult:
    """The whole conversation, as far as it may be shown now."""
    conversation = around.conversation
    runs = [found[records.run(conversation.id, entry.run_id)] for entry in conversation.runs]
    return ConversationResult(
        conversation=_conversation(around, found[records.title(conversation.id)]),
        messages=tuple(_messages(around, found)),
        runs=tuple(_run(run, around) for run in runs if run is not None),
        availability=_availability(around, availability.reason(around)),
    )


def run_result(
    around: Surroundings, run: Run, answer: StoredAnswer | None, refusal: FailureCode | None = None
) -> RunResult:
    """One run with its answer message, where there is one that may be shown now."""
    message = None
    if answer is not None and not _silent(around):
        message = _answer_message(around, run.id, answer)
    return RunResult(
        run=_run(run, around),
        message=message,
        conversation_revision=around.conversation.revision,
        availability=_availability(around, refusal or availability.reason(around)),
    )


def _conversation(around: Surroundings, title: records.Title | None) -> ConversationView:
    conversation = around.conversation
    return ConversationView(
        id=conversation.id,
        workspace_id=conversation.workspace_id,
        revision=conversation.revision,
        title=title.text if title and not _silent(around) else None,
        context=conversation.context,
        language=conversation.language,
        archived=conversation.archived_at is not None,
        availability=availability.state(around),
        created_at=conversation.created_at,
        expires_at=conversation.expires_at,
    )


def _silent(around: Surroundings) -> bool:
    """Whether nothing that anybody wrote may be shown."""
    return availability.state(around) in ("expired", "access_changed")


def _messages(around: Surroundings, found: Found) -> list[Message]:
    conversation = around.conversation
    messages: list[Message] = []
    if _silent(around):
        return messages
    for label in conversation.messages:
        content = found[message_ref(conversation.id, label)]
        run_id = label.partition(":")[2]
        if isinstance(content, Question):
            messages.append(_question_message(conversation, run_id, content))
        elif isinstance(content, StoredAnswer):
            messages.append(_answer_message(around, run_id, content))
    return messages


def _question_message(conversation: Conversation, run_id: str, question: Question) -> Message:
    return Message(
        id=ids.question_id(run_id),
        run_id=run_id,
        role="user",
        question=question.text,
        answer=None,
        created_at=question.created_at,
        expires_at=conversation.expires_at,
    )


def _answer_message(around: Surroundings, run_id: str, stored: StoredAnswer) -> Message:
    return Message(
        id=ids.answer_id(run_id),
        run_id=run_id,
        role="assistant",
        question=None,
        answer=None if around.source_unavailable else stored.answer,
        created_at=stored.created_at,
        expires_at=around.conversation.expires_at,
    )


def _run(run: Run, around: Surroundings) -> RunView:
    overdue = around.expired and transitions.is_open(run)
    return RunView(
        id=run.id,
        workspace_id=run.workspace_id,
        conversation_id=run.conversation_id,
        conversation_revision=run.conversation_revision,
        generation=run.generation,
        request_kind=run.request_kind,
        status="expired" if overdue else run.status,
        failure_code="expired" if overdue else run.failure_code,
        created_at=run.created_at,
        expires_at=run.expires_at,
        model_id=run.model_id,
        model_version=run.model_version,
    )


def _availability(around: Surroundings, reason: FailureCode | None) -> Availability:
    return Availability(configured=around.configured, reason=reason)

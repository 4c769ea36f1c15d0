"""What a run is generated from: read, and checked again, right before the call."""

from dataclasses import dataclass
from datetime import datetime

from research.operations.ports import Store
from research.operations.reading import context_refs, heads, project_ref, text_refs
from research.rules import access, availability, prompt
from research.rules.availability import Standing
from research.words import ids, records
from research.words.catalogue import BY_NAME
from research.words.contract import FailureCode
from research.words.records import Conversation, EvidenceText, Found, Ref, Run


@dataclass(frozen=True, slots=True)
class Material:
    """A question with the texts of its context and the part of its thread that fits. `sources` are in context order."""

    conversation: Conversation
    sources: tuple[EvidenceText, ...]
    question: str
    history: tuple[prompt.Exchange, ...]


def gather(store: Store, run: Run, now: datetime) -> Material | FailureCode:
    """The material of a run, or the failure code that it meets now instead."""
    member_ref = records.member(run.workspace_id, run.principal_id)
    found = store.fetch(records.conversation(run.conversation_id), member_ref)
    conversation, member = found[records.conversation(run.conversation_id)], found[member_ref]
    if conversation is None:
        return "expired"
    if member is None or not access.may_generate(member, BY_NAME["assistant_request"], conversation.context.project_id):
        return "expired" if now >= conversation.expires_at else "access_changed"
    thread = _thread(conversation, run)
    found = found | store.fetch(
        *context_refs(conversation),
        *text_refs(conversation),
        records.question(conversation.id, run.id),
        *(ref for run_id in thread for ref in _exchange_refs(conversation, run_id)),
    )
    standing = Standing(now, conversation, member, found[project_ref(conversation)], heads(found, conversation))
    return availability.changed(standing) or _material(conversation, run, thread, found)


def _material(conversation: Conversation, run: Run, thread: list[str], found: Found) -> Material | FailureCode:
    sources = tuple(text for ref in text_refs(conversation) if (text := found[ref]) is not None)
    question = found[records.question(conversation.id, run.id)]
    if len(sources) < len(conversation.context.evidence):
        return "source_unavailable"
    if question is None:
        return "expired"
    room = prompt.history_room(conversation.input_size, len(question.text))
    if room < 0:
        return "input_too_large"
    exchanges = [_exchange(conversation, run_id, found) for run_id in thread]
    history = prompt.keep_history([exchange for exchange in exchanges if exchange], room)
    return Material(conversation, sources, question.text, history)


def _thread(conversation: Conversation, run: Run) -> list[str]:
    """The runs whose answers are on the way from the run's parent back to the root of its thread, oldest first."""
    parents = conversation.parents()
    answered = {ids.answer_id(entry.run_id): entry.run_id for entry in conversation.runs}
    thread: list[str] = []
    message = run.parent_message_id
    while message is not None:
        if message in answered:
            thread.insert(0, answered[message])
        message = parents.get(message)
    return thread


def _exchange(conversation: Conversation, run_id: str, found: Found) -> prompt.Exchange | None:
    question_ref, answer_ref = _exchange_refs(conversation, run_id)
    question, answer = found[question_ref], found[answer_ref]
    return prompt.Exchange(question.text, answer.answer) if question and answer else None


def _exchange_refs(conversation: Conversation, run_id: str) -> tuple[Ref[records.Question], Ref[records.StoredAnswer]]:
    return records.question(conversation.id, run_id), records.answer(conversation.id, run_id)

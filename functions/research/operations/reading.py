"""Reading a conversation: which records it takes, and whether it is the caller's."""

from dataclasses import dataclass
from typing import Any

from research.operations.callers import Visit
from research.operations.ports import Store
from research.rules.availability import Surroundings
from research.rules.budget import Limits
from research.words import records
from research.words.problems import Problem
from research.words.records import Conversation, EvidenceText, Found, Member, Mutation, Ref, Refused, Run


@dataclass(frozen=True, slots=True)
class Policy:
    """What the deployment decides: daily limits, and whether a provider is configured at all."""

    limits: Limits
    configured: bool


def context_refs(conversation: Conversation) -> list[Ref[Any]]:
    """What a conversation's availability is decided by: its project and the heads of its evidence."""
    return [
        project_ref(conversation),
        *(evidence_ref(conversation, pinned.evidence_id) for pinned in conversation.context.evidence),
    ]


def evidence_ref(conversation: Conversation, evidence_id: str) -> Ref[records.Evidence]:
    """The head of one of the conversation's evidence."""
    return records.evidence(conversation.workspace_id, conversation.context.project_id, evidence_id)


def message_refs(conversation: Conversation) -> list[Ref[Any]]:
    """Every question and answer of a conversation, in its order."""
    return [message_ref(conversation.id, label) for label in conversation.messages]


def message_ref(conversation_id: str, label: str) -> Ref[Any]:
    """The message that an entry of `Conversation.messages` stands for."""
    role, _, run_id = label.partition(":")
    return (records.question if role == "Q" else records.answer)(conversation_id, run_id)


def owned(found: Found, visit: Visit, conversation_id: str) -> Conversation:
    """The caller's conversation. Raises `not_found` alike for one that is unknown, another's or forgotten."""
    conversation = found[records.conversation(conversation_id)]
    if (
        conversation is None
        or conversation.workspace_id != visit.workspace_id
        or conversation.principal_id != visit.principal_id
        or conversation.deleted_at is not None
        or visit.now >= conversation.forgotten_at
    ):
        raise Problem("not_found", "No such conversation is open to you.")
    return conversation


def surroundings(
    found: Found, visit: Visit, member: Member, conversation: Conversation, policy: Policy
) -> Surroundings:
    """Everything the conversation's availability depends on, out of what was fetched."""
    return Surroundings(
        now=visit.now,
        conversation=conversation,
        member=member,
        project=found[project_ref(conversation)],
        evidence=heads(found, conversation),
        budget=found[visit.budget_ref],
        limits=policy.limits.of(found[visit.workspace_ref]),
        configured=policy.configured,
    )


def project_ref(conversation: Conversation) -> Ref[records.Project]:
    """The head of the conversation's project."""
    return records.project(conversation.workspace_id, conversation.context.project_id)


def heads(found: Found, conversation: Conversation) -> dict[str, records.Evidence | None]:
    """The fetched heads of the conversation's evidence, by evidence id."""
    return {
        pinned.evidence_id: found[evidence_ref(conversation, pinned.evidence_id)]
        for pinned in conversation.context.evidence
    }


def run_refs(conversation_id: str, run_id: str) -> tuple[Ref[Run], Ref[Refused]]:
    """Where a run is: among the accepted ones or among the refused."""
    return records.run(conversation_id, run_id), records.refused(conversation_id, run_id)


def made(found: Found, refs: tuple[Ref[Run], Ref[Refused]]) -> Run | None:
    """The run, accepted or refused, if there is one."""
    accepted, refused = refs
    return found[accepted] or found[refused]


def existing(found: Found, refs: tuple[Ref[Run], Ref[Refused]]) -> Run:
    """The run, accepted or refused. Raises `not_found`."""
    run = made(found, refs)
    if run is None:
        raise Problem("not_found", "No such run of this conversation.")
    return run


def text_refs(conversation: Conversation) -> list[Ref[EvidenceText]]:
    """The pinned texts, in context order."""
    context = conversation.context
    return [
        records.evidence_text(conversation.workspace_id, context.project_id, pinned.evidence_id, pinned.revision)
        for pinned in context.evidence
    ]


def read_whole(
    store: Store, found: Found, visit: Visit, member: Member, conversation: Conversation, policy: Policy
) -> tuple[Found, Surroundings]:
    """Everything that a whole conversation is shown from, and what decides how much of it is shown."""
    runs = [records.run(conversation.id, entry.run_id) for entry in conversation.runs]
    found = found | store.fetch(
        *context_refs(conversation), records.title(conversation.id), *runs, *message_refs(conversation)
    )
    return found, surroundings(found, visit, member, conversation, policy)


def said_in(conversation: Conversation) -> list[Ref[Any]]:
    """Everything that somebody wrote into a conversation, or that was answered."""
    runs = conversation.runs
    return [
        records.title(conversation.id),
        *(records.question(conversation.id, entry.run_id) for entry in runs),
        *(records.answer(conversation.id, entry.run_id) for entry in runs),
    ]


def mutations_of(conversation: Conversation) -> list[Ref[Mutation]]:
    """The mutations that opened the conversation and asked in it."""
    names = [conversation.mutation_id, *(entry.mutation_id for entry in conversation.runs)]
    return [records.mutation(conversation.workspace_id, conversation.principal_id, name) for name in names]

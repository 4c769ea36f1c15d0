"""Opening a conversation on exact revisions of evidence, and reading it back."""

from typing import Any

from research.operations import views
from research.operations.arguments import digest
from research.operations.callers import Visit
from research.operations.outcomes import Outcome, already_done, decided
from research.operations.ports import Store
from research.operations.reading import Policy, owned, read_whole, surroundings
from research.rules import context, prompt
from research.words import ids, records
from research.words.clock import RETENTION
from research.words.contract import CreateArguments, GetArguments
from research.words.records import Conversation, Found, Member, Ref, Title


class Conversations:
    """conversations_create and conversations_get."""

    def __init__(self, store: Store, policy: Policy) -> None:
        self._store = store
        self._policy = policy

    def create(self, visit: Visit, arguments: CreateArguments) -> Outcome:
        """A new conversation of the caller's, pinned to the context that was selected."""
        return decided(lambda: self._create(visit, arguments))

    def get(self, visit: Visit, arguments: GetArguments) -> Outcome:
        """The conversation with its runs and messages, as far as they may be shown now."""
        found = self._store.fetch(*visit.refs(), records.conversation(arguments.conversation_id))
        member = visit.admit(found)
        return self._read(visit, member, owned(found, visit, arguments.conversation_id), found)

    def _create(self, visit: Visit, arguments: CreateArguments) -> Outcome:
        mark = digest(visit.operation.name, arguments)
        mutation_ref = visit.mutation_ref(arguments.mutation_id)
        ref = records.conversation(ids.conversation_id(visit.workspace_id, visit.principal_id, arguments.mutation_id))
        found = self._store.fetch(*visit.refs(), mutation_ref, ref, *_selected(visit, arguments))
        member = visit.admit(found)
        if already_done(found[mutation_ref], visit, mark, found[ref]):
            return self._read(visit, member, owned(found, visit, *ref.ids), found, replayed=True)
        conversation = _opened(visit, member, arguments, found)
        title = Title(text=arguments.title)
        remembered = visit.remembers(arguments.mutation_id, mark, conversation.expires_at)
        self._store.open_conversation(conversation, title, remembered)
        found = found | Found({records.title(conversation.id): title})
        around = surroundings(found, visit, member, conversation, self._policy)
        return Outcome(views.conversation_result(around, found))

    def _read(
        self, visit: Visit, member: Member, conversation: Conversation, found: Found, *, replayed: bool = False
    ) -> Outcome:
        found, around = read_whole(self._store, found, visit, member, conversation, self._policy)
        return Outcome(views.conversation_result(around, found), replayed=replayed)


def _selected(visit: Visit, arguments: CreateArguments) -> list[Ref[Any]]:
    chosen = arguments.context
    return [
        records.project(visit.workspace_id, chosen.project_id),
        records.snapshot(visit.workspace_id, chosen.project_id, chosen.project_revision),
        *(records.evidence(visit.workspace_id, chosen.project_id, pin.evidence_id) for pin in chosen.evidence),
    ]


def _opened(visit: Visit, member: Member, arguments: CreateArguments, found: Found) -> Conversation:
    """The conversation to be written. Raises what the context does not allow."""
    project, snapshot, *heads = (found[ref] for ref in _selected(visit, arguments))
    editions = context.check(arguments.context, member, project, snapshot, heads)
    return Conversation(
        id=ids.conversation_id(visit.workspace_id, visit.principal_id, arguments.mutation_id),
        workspace_id=visit.workspace_id,
        principal_id=visit.principal_id,
        revision=1,
        context=arguments.context,
        language=arguments.language,
        input_size=sum(prompt.evidence_size(edition.size) for edition in editions),
        mutation_id=arguments.mutation_id,
        created_at=visit.now,
        expires_at=visit.now + RETENTION,
        due_at=visit.now + RETENTION,
    )

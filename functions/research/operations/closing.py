"""Archiving a conversation, and deleting it with all that was said in it."""

from research.operations import audit, views
from research.operations.arguments import digest
from research.operations.callers import Visit
from research.operations.outcomes import Outcome, already_done, decided, remembered_until
from research.operations.ports import Store
from research.operations.reading import Policy, owned, read_whole, said_in
from research.rules import transitions
from research.words import records
from research.words.contract import ArchiveArguments, DeleteArguments, DeleteResult
from research.words.problems import Problem
from research.words.records import Conversation, Found


class Closing:
    """conversations_archive and conversations_delete."""

    def __init__(self, store: Store, policy: Policy) -> None:
        self._store = store
        self._policy = policy

    def archive(self, visit: Visit, arguments: ArchiveArguments) -> Outcome:
        """The conversation, from now on readable and closed to requests. Runs that are open go on."""
        return decided(lambda: self._archive(visit, arguments))

    def delete(self, visit: Visit, arguments: DeleteArguments) -> Outcome:
        """Everything said in the conversation is erased at once, its open runs are cancelled; it is not found again."""
        return decided(lambda: self._delete(visit, arguments))

    def _archive(self, visit: Visit, arguments: ArchiveArguments) -> Outcome:
        mark = digest(visit.operation.name, arguments)
        mutation_ref = visit.mutation_ref(arguments.mutation_id)
        found = self._store.fetch(*visit.refs(), mutation_ref, records.conversation(arguments.conversation_id))
        member = visit.admit(found)
        replay = already_done(found[mutation_ref], visit, mark, None)
        conversation = owned(found, visit, arguments.conversation_id)
        if not replay:
            _check_open(visit, conversation, arguments)
            before, revision = conversation, conversation.revision + 1
            conversation = before.model_copy(update={"archived_at": visit.now, "revision": revision})
            remembered = visit.remembers(arguments.mutation_id, mark, before.expires_at)
            self._store.archive(before, conversation, remembered)
        found, around = read_whole(self._store, found, visit, member, conversation, self._policy)
        return Outcome(views.conversation_result(around, found), replayed=replay)

    def _delete(self, visit: Visit, arguments: DeleteArguments) -> Outcome:
        mark = digest(visit.operation.name, arguments)
        mutation_ref = visit.mutation_ref(arguments.mutation_id)
        found = self._store.fetch(*visit.refs(), mutation_ref, records.conversation(arguments.conversation_id))
        visit.admit(found)
        result = DeleteResult(conversation_id=arguments.conversation_id, deleted=True)
        if already_done(found[mutation_ref], visit, mark, None):
            return Outcome(result, replayed=True)
        conversation = owned(found, visit, arguments.conversation_id)
        runs = [records.run(conversation.id, entry.run_id) for entry in conversation.runs]
        found = self._store.fetch(*runs) if runs else Found()
        stopped = [
            (run, transitions.fail(run, "cancelled", visit.now))
            for ref in runs
            if (run := found[ref]) is not None and transitions.is_open(run)
        ]
        said = said_in(conversation)
        deleted = conversation.model_copy(update={"deleted_at": visit.now})
        remembered = visit.remembers(arguments.mutation_id, mark, remembered_until(visit, conversation))
        self._store.delete_conversation(conversation, deleted, stopped, said, remembered)
        for before, after in stopped:
            audit.step(before, after)
        return Outcome(result)


def _check_open(visit: Visit, conversation: Conversation, arguments: ArchiveArguments) -> None:
    if visit.now >= conversation.expires_at:
        raise Problem("conversation_expired")
    if conversation.archived_at is not None:
        raise Problem("conversation_archived")
    if arguments.expected_revision != conversation.revision:
        raise Problem("revision_conflict", facts={"current_revision": conversation.revision})

"""Ending a run before its answer is there, because its owner wants it no more."""

from research.operations import audit, views
from research.operations.arguments import digest
from research.operations.callers import Visit
from research.operations.outcomes import Outcome, already_done, decided, remembered_until
from research.operations.ports import Store
from research.operations.reading import Policy, context_refs, existing, owned, run_refs, surroundings
from research.rules import transitions
from research.words import records
from research.words.contract import CancelArguments
from research.words.records import Conversation, Run


class Cancelling:
    """assistant_cancel."""

    def __init__(self, store: Store, policy: Policy) -> None:
        self._store = store
        self._policy = policy

    def cancel(self, visit: Visit, arguments: CancelArguments) -> Outcome:
        """The run, cancelled unless it had ended before: then it is as it is, and stays so.

        A worker that is asking for its answer finds the run ended, discards what arrives, and settles what it cost.
        """
        return decided(lambda: self._cancel(visit, arguments))

    def _cancel(self, visit: Visit, arguments: CancelArguments) -> Outcome:
        mark = digest(visit.operation.name, arguments)
        mutation_ref = visit.mutation_ref(arguments.mutation_id)
        refs = run_refs(arguments.conversation_id, arguments.run_id)
        found = self._store.fetch(*visit.refs(), mutation_ref, records.conversation(arguments.conversation_id), *refs)
        member = visit.admit(found)
        replay = already_done(found[mutation_ref], visit, mark, None)
        conversation = owned(found, visit, arguments.conversation_id)
        run = existing(found, refs)
        answer_ref = records.answer(conversation.id, run.id)
        found = found | self._store.fetch(*context_refs(conversation), answer_ref)
        if not replay:
            run = self._stop(visit, conversation, run, mark, arguments)
        around = surroundings(found, visit, member, conversation, self._policy)
        return Outcome(views.run_result(around, run, found[answer_ref]), replayed=replay)

    def _stop(self, visit: Visit, conversation: Conversation, run: Run, mark: str, arguments: CancelArguments) -> Run:
        """The run as it is afterwards. Raises Lost."""
        over = visit.now >= conversation.expires_at  # an open run has expired then, and the sweep is about to say so
        after = transitions.fail(run, "cancelled", visit.now) if transitions.is_open(run) and not over else run
        stopped = None if after is run else (run, after)
        self._store.cancel(stopped, visit.remembers(arguments.mutation_id, mark, remembered_until(visit, conversation)))
        if stopped:
            audit.step(*stopped)
        return after

"""Asking for an answer, and looking how far it is."""

from dataclasses import replace
from datetime import datetime

from research.operations import audit, views
from research.operations.arguments import digest
from research.operations.callers import Visit
from research.operations.outcomes import Outcome, already_done, decided, remembered_until
from research.operations.ports import Delivery, RunQueue, Store
from research.operations.reading import Policy, context_refs, existing, made, owned, run_refs, surroundings
from research.rules import availability, budget, transitions
from research.rules.availability import Surroundings
from research.words import ids, records
from research.words.contract import FailureCode, RequestArguments, StatusArguments
from research.words.problems import Problem
from research.words.records import Budget, Conversation, Question, Refused, Run, RunEntry


class Runs:
    """assistant_request, sentiment_request and assistant_status."""

    def __init__(self, store: Store, queue: RunQueue, policy: Policy) -> None:
        self._store = store
        self._queue = queue
        self._policy = policy

    def request(self, visit: Visit, arguments: RequestArguments) -> Outcome:
        """A run: accepted and queued, or refused for a reason that the contract has a failure code for."""
        return decided(lambda: self._request(visit, arguments))

    def status(self, visit: Visit, arguments: StatusArguments) -> Outcome:
        """A run of the caller's, accepted or refused, with its answer once there is one."""
        refs = run_refs(arguments.conversation_id, arguments.run_id)
        found = self._store.fetch(*visit.refs(), records.conversation(arguments.conversation_id), *refs)
        member = visit.admit(found)
        conversation = owned(found, visit, arguments.conversation_id)
        run = existing(found, refs)
        answer_ref = records.answer(conversation.id, run.id)
        found = found | self._store.fetch(*context_refs(conversation), answer_ref)
        around = surroundings(found, visit, member, conversation, self._policy)
        return Outcome(views.run_result(around, run, found[answer_ref]), retry_at=_retry_at(run))

    def _request(self, visit: Visit, arguments: RequestArguments) -> Outcome:
        mark = digest(visit.operation.name, arguments)
        mutation_ref = visit.mutation_ref(arguments.mutation_id)
        run_id = ids.run_id(visit.workspace_id, visit.principal_id, arguments.mutation_id)
        refs = run_refs(arguments.conversation_id, run_id)
        found = self._store.fetch(*visit.refs(), mutation_ref, records.conversation(arguments.conversation_id), *refs)
        member = visit.admit(found)
        replay = already_done(found[mutation_ref], visit, mark, made(found, refs))
        conversation = owned(found, visit, arguments.conversation_id)
        answer_ref = records.answer(conversation.id, run_id)
        found = found | self._store.fetch(*context_refs(conversation), *([answer_ref] if replay else []))
        around = surroundings(found, visit, member, conversation, self._policy)
        run = made(found, refs)
        if replay and run is not None:
            return Outcome(views.run_result(around, run, found[answer_ref]), replayed=True, retry_at=_retry_at(run))
        return self._decide(visit, around, arguments, mark)

    def _decide(self, visit: Visit, around: Surroundings, arguments: RequestArguments, mark: str) -> Outcome:
        """Accept or refuse, by the conversation's state and then its availability. Raises Lost."""
        if not around.expired:
            _check_state(around.conversation, arguments)
        reason = availability.reason(around, len(arguments.question))
        if reason is None:
            return self._accept(visit, around, arguments, mark)
        return self._refuse(visit, around, arguments, mark, reason)

    def _accept(self, visit: Visit, around: Surroundings, arguments: RequestArguments, mark: str) -> Outcome:
        before = around.conversation
        run = _new_run(visit, before, arguments)
        after = _with_run(before, run)
        question = Question(text=arguments.question, created_at=visit.now)
        remembered = visit.remembers(arguments.mutation_id, mark, before.expires_at)
        self._store.accept(before, after, run, question, remembered, around.limits)
        audit.step(None, run)
        self._queue.send(Delivery(run.conversation_id, run.id))
        return Outcome(views.run_result(_after_acceptance(around, after), run, None))

    def _refuse(
        self, visit: Visit, around: Surroundings, arguments: RequestArguments, mark: str, reason: FailureCode
    ) -> Outcome:
        conversation = around.conversation
        run = _refused_run(visit, conversation, arguments, reason)
        remembered = visit.remembers(arguments.mutation_id, mark, remembered_until(visit, conversation))
        self._store.refuse(run, remembered, conversation.forgotten_at)
        audit.step(None, run)
        return Outcome(views.run_result(around, run, None, reason), retry_at=_retry_at(run))


def _check_state(conversation: Conversation, arguments: RequestArguments) -> None:
    """Raise what the conversation's state does not allow, in the order of the design."""
    if conversation.archived_at is not None:
        raise Problem("conversation_archived")
    if arguments.expected_revision != conversation.revision:
        raise Problem("revision_conflict", facts={"current_revision": conversation.revision})
    parent = arguments.parent_message_id
    if parent is not None and parent not in conversation.parents():
        raise Problem("parent_not_found")


def _new_run(visit: Visit, conversation: Conversation, arguments: RequestArguments) -> Run:
    return Run(
        id=ids.run_id(visit.workspace_id, visit.principal_id, arguments.mutation_id),
        workspace_id=visit.workspace_id,
        conversation_id=conversation.id,
        principal_id=visit.principal_id,
        mutation_id=arguments.mutation_id,
        conversation_revision=conversation.revision + 1,
        generation=len(conversation.runs) + 1,
        request_kind=arguments.request_kind,
        status="queued",
        created_at=visit.now,
        expires_at=conversation.expires_at,
        parent_message_id=arguments.parent_message_id,
        due_at=visit.now + transitions.PICK_UP,
    )


def _refused_run(visit: Visit, conversation: Conversation, arguments: RequestArguments, reason: FailureCode) -> Refused:
    """The run that would have been."""
    would_be = _new_run(visit, conversation, arguments).model_dump()
    return Refused.model_validate(
        would_be
        | {
            "conversation_revision": conversation.revision,
            "status": "expired" if reason == "expired" else "unavailable",
            "failure_code": reason,
            "due_at": None,
        }
    )


def _retry_at(run: Run) -> datetime | None:
    """When the workspace's next day begins, for a run that this day's budget refused."""
    return budget.resets_at(run.created_at) if run.failure_code == "budget_exhausted" else None


def _with_run(conversation: Conversation, run: Run) -> Conversation:
    entry = RunEntry(run_id=run.id, mutation_id=run.mutation_id, parent_message_id=run.parent_message_id)
    return conversation.model_copy(
        update={
            "revision": run.conversation_revision,
            "runs": (*conversation.runs, entry),
            "messages": (*conversation.messages, f"Q:{run.id}"),
        }
    )


def _after_acceptance(around: Surroundings, conversation: Conversation) -> Surroundings:
    """The surroundings as the accepted run has left them: one more run in the conversation and in the budget."""
    used = around.budget or Budget()
    return replace(around, conversation=conversation, budget=used.model_copy(update={"runs": used.runs + 1}))

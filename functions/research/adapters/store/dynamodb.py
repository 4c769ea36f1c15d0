"""The store port on DynamoDB: each verb is one read round or one conditional write."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from research.adapters.store import items
from research.adapters.store.calls import Calls
from research.adapters.store.writes import Expression, Write, put, update
from research.operations.ports import Lost
from research.rules.budget import Limits, day
from research.words import records, resources
from research.words.clock import MEMORY, milliseconds
from research.words.records import (
    Conversation,
    Found,
    Mutation,
    Project,
    Question,
    Record,
    Ref,
    Refused,
    Run,
    Snapshot,
    StoredAnswer,
    Title,
)

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

_BUDGET_KEPT = timedelta(days=8)
"""How long a day's counters stay readable."""


class DynamoStore:
    """`operations.ports.Store` over one table."""

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._calls = Calls(client, table)

    def fetch(self, *refs: Ref[Any]) -> Found:
        """See Store.fetch."""
        names = {tuple(part["S"] for part in items.key(ref).values()): ref for ref in refs}
        found: dict[Ref[Any], Record] = {}
        for stored in self._calls.get([items.key(ref) for ref in refs]):
            ref = names[stored[resources.PARTITION_KEY]["S"], stored[resources.SORT_KEY]["S"]]
            found[ref] = items.record(ref.kind, stored)
        return Found(found)

    def due(self, before: datetime, limit: int) -> Sequence[Ref[Any]]:
        """See Store.due."""
        entries: list[items.Item] = []
        for shard in resources.DUE_SHARDS:
            entries += self._calls.due(shard, before, limit)
        return [ref for ref in map(items.due_ref, entries) if ref is not None]

    def open_conversation(self, conversation: Conversation, title: Title, mutation: Mutation) -> None:
        """See Store.open_conversation."""
        self._calls.transact(
            [
                _remember(conversation, conversation.mutation_id, mutation),
                _unless_there(records.conversation(conversation.id), conversation, conversation.forgotten_at),
                _unless_there(records.title(conversation.id), title, conversation.expires_at),
            ]
        )

    def accept(
        self,
        before: Conversation,
        after: Conversation,
        run: Run,
        question: Question,
        mutation: Mutation,
        limits: Limits,
    ) -> None:
        """See Store.accept."""
        expression = Expression()
        self._calls.transact(
            [
                _remember(run, run.mutation_id, mutation),
                put(
                    records.conversation(after.id),
                    after,
                    items.seconds(after.forgotten_at),
                    expression,
                    expression.equal(revision=before.revision),
                ),
                _unless_there(records.run(run.conversation_id, run.id), run, after.forgotten_at),
                _unless_there(records.question(run.conversation_id, run.id), question, run.expires_at),
                _count_run(run, limits),
            ]
        )

    def refuse(self, run: Refused, mutation: Mutation, forgotten_at: datetime) -> None:
        """See Store.refuse."""
        self._calls.transact(
            [
                _remember(run, run.mutation_id, mutation),
                _unless_there(records.refused(run.conversation_id, run.id), run, forgotten_at),
            ]
        )

    def advance(self, before: Run, after: Run) -> None:
        """See Store.advance."""
        self._calls.write(_step(before, after))

    def publish(self, before: Run, after: Run, answer: StoredAnswer, now: datetime) -> None:
        """See Store.publish."""
        expression = Expression()
        change = (
            f"SET {expression.name('messages')} = list_append({expression.name('messages')},"
            f" {expression.value('message', [f'A:{after.id}'])})"
            f" ADD {expression.name('revision')} {expression.value('one', 1)}"
        )
        living = f"{expression.exists()} AND {expression.name('expires_at')} > {expression.value('now', _stored(now))}"
        self._calls.transact(
            [
                _step(before, after),
                _unless_there(records.answer(after.conversation_id, after.id), answer, after.expires_at),
                update(records.conversation(after.conversation_id), expression, change, living),
            ]
        )

    def settle(self, before: Run, after: Run) -> None:
        """See Store.settle."""
        self._calls.transact([_step(before, after), _count(before, "tokens", before.unsettled or 0, Expression())])

    def postpone(self, run: Run, due_at: datetime) -> bool:
        """See Store.postpone."""
        expression = Expression()
        condition = expression.equal(status=run.status, fence=run.fence, due_at=run.due_at and _stored(run.due_at))
        change = f"SET {expression.name('due_at')} = {expression.value('later', _stored(due_at))}"
        try:
            self._calls.write(update(records.run(run.conversation_id, run.id), expression, change, condition))
        except Lost:
            return False
        return True

    def erase(self, refs: Sequence[Ref[Any]]) -> None:
        """See Store.erase."""
        self._calls.delete([items.key(ref) for ref in refs])

    def laid_to_rest(self, record: Conversation | Refused) -> None:
        """See Store.laid_to_rest."""
        ref: Ref[Any] = (
            records.refused(record.conversation_id, record.id)
            if isinstance(record, Refused)
            else records.conversation(record.id)
        )
        expression = Expression()
        change = f"REMOVE {expression.name('due_at')}, {expression.name('due_shard')}"
        try:
            self._calls.write(update(ref, expression, change, expression.exists()))
        except Lost:
            return  # cleaned up meanwhile

    def publish_project(self, ref: Ref[Project], before: Project, after: Project, snapshot: Snapshot) -> None:
        """See Store.publish_project."""
        workspace_id, project_id = ref.ids
        expression = Expression()
        unchanged = expression.equal(revision=before.revision, deleted_at=None)
        self._calls.transact(
            [
                put(ref, after, None, expression, unchanged),
                _unless_there(records.snapshot(workspace_id, project_id, after.revision), snapshot),
            ]
        )

    def keep(self, entries: Sequence[tuple[Ref[Any], Record]]) -> None:
        """See Store.keep."""
        self._calls.put_all([items.item(ref, record) for ref, record in entries])


def _stored(instant: datetime) -> int:
    return milliseconds(instant)


def _unless_there(ref: Ref[Any], record: Record, until: datetime | None = None) -> Write:
    expression = Expression()
    return put(ref, record, items.seconds(until) if until else None, expression, expression.absent())


def _remember(subject: Conversation | Run, mutation_id: str, mutation: Mutation) -> Write:
    """The mutation's record, in the place of none or of one whose time is over."""
    expression = Expression()
    created = subject.created_at
    over = f"{expression.name('expires_at')} <= {expression.value('now', _stored(created))}"
    return put(
        records.mutation(subject.workspace_id, subject.principal_id, mutation_id),
        mutation,
        items.seconds(mutation.expires_at),
        expression,
        f"{expression.absent()} OR {over}",
    )


def _step(before: Run, after: Run) -> Write:
    """The run after a transition, in the place of the run as the transition saw it."""
    expression = Expression()
    at_stage = expression.equal(
        status=before.status,
        fence=before.fence,
        call_started_at=before.call_started_at and _stored(before.call_started_at),
        unsettled=before.unsettled,
    )
    forgotten = items.seconds(after.expires_at + MEMORY)
    return put(records.run(after.conversation_id, after.id), after, forgotten, expression, at_stage)


def _count_run(run: Run, limits: Limits) -> Write:
    expression = Expression()
    room = [
        f"(attribute_not_exists({expression.name(counter)})"
        f" OR {expression.name(counter)} < {expression.value(f'{counter}_limit', limit)})"
        for counter, limit in (("runs", limits.runs), ("tokens", limits.tokens))
    ]
    return _count(run, "runs", 1, expression, " AND ".join(room))


def _count(run: Run, counter: str, amount: int, expression: Expression, condition: str = "") -> Write:
    """Add to a counter of the day the run was accepted on. The counters alone may be made by an update."""
    kept = items.seconds(run.created_at + _BUDGET_KEPT)
    change = (
        f"SET {expression.name('ttl')} = if_not_exists({expression.name('ttl')}, {expression.value('kept', kept)})"
        f" ADD {expression.name(counter)} {expression.value('amount', amount)}"
    )
    ref = records.budget(run.workspace_id, day(run.created_at))
    return update(ref, expression, change, condition)

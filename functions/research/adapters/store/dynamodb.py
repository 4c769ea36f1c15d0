"""The store port on DynamoDB: each verb is one read round or one conditional write."""

import time
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from research.adapters.store import items
from research.adapters.store.calls import Calls
from research.adapters.store.reads import fetch, page
from research.adapters.store.writes import Expression, Write, delete, delete_if, put, remember, rest, update
from research.operations.ports import Listing, Page, R, Remembered
from research.rules.budget import Limits, day
from research.words import records, resources
from research.words.clock import MEMORY, milliseconds
from research.words.records import (
    Conversation,
    ConversationEntry,
    Found,
    Mutation,
    Question,
    Record,
    Ref,
    Refused,
    Run,
    StoredAnswer,
    Title,
)

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

_BUDGET_KEPT = timedelta(days=8)
"""How long a day's counters stay readable."""


class DynamoStore:
    """`operations.ports.Store` over one table."""

    def __init__(self, client: "DynamoDBClient", table: str, pause: Callable[[float], None] = time.sleep) -> None:
        self._calls = Calls(client, table, pause)

    def fetch(self, *refs: Ref[Any]) -> Found:
        """See Store.fetch."""
        return fetch(self._calls, refs)

    def page(self, listing: Listing[R], after: str | None, limit: int) -> Page[R]:
        """See Store.page."""
        return page(self._calls, listing, after, limit)

    def due(self, before: datetime, limit: int) -> Iterator[Sequence[Ref[Any]]]:
        """See Store.due. The shards take turns, so that a busy one holds up no other."""
        shards = [self._calls.due(shard, before, limit) for shard in resources.DUE_SHARDS]
        for turn in zip_longest(*shards, fillvalue=()):
            for entries in turn:
                if refs := [ref for ref in map(items.ref, entries) if ref is not None]:
                    yield refs

    def open_conversation(self, conversation: Conversation, title: Title, remembered: Remembered) -> None:
        """See Store.open_conversation."""
        self._calls.transact(
            [
                remember(remembered),
                _unless_there(records.conversation(conversation.id), conversation, conversation.forgotten_at),
                _unless_there(records.title(conversation.id), title, conversation.expires_at),
                _entry(conversation),
            ]
        )

    def accept(
        self,
        before: Conversation,
        after: Conversation,
        run: Run,
        question: Question,
        remembered: Remembered,
        limits: Limits,
    ) -> None:
        """See Store.accept."""
        self._calls.transact(
            [
                remember(remembered),
                _conversation(before, after),
                _unless_there(records.run(run.conversation_id, run.id), run, after.forgotten_at),
                _unless_there(records.question(run.conversation_id, run.id), question, run.expires_at),
                _count_run(run, limits),
            ]
        )

    def refuse(self, run: Refused, remembered: Remembered, forgotten_at: datetime) -> None:
        """See Store.refuse."""
        self._calls.transact(
            [
                remember(remembered),
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
        current = f"{expression.name('expires_at')} > {expression.value('now', _stored(now))}"
        self._calls.transact(
            [
                _step(before, after),
                _unless_there(records.answer(after.conversation_id, after.id), answer, after.expires_at),
                update(
                    records.conversation(after.conversation_id),
                    expression,
                    change,
                    f"{current} AND {_not_at_rest(expression)}",
                ),
            ]
        )

    def cancel(self, stopped: tuple[Run, Run] | None, remembered: Remembered) -> None:
        """See Store.cancel."""
        self._calls.transact([remember(remembered), *([_step(*stopped)] if stopped else [])])

    def archive(self, before: Conversation, after: Conversation, remembered: Remembered) -> None:
        """See Store.archive."""
        self._calls.transact([remember(remembered), _conversation(before, after)])

    def delete_conversation(
        self,
        before: Conversation,
        after: Conversation,
        stopped: Sequence[tuple[Run, Run]],
        said: Sequence[Ref[Any]],
        remembered: Remembered,
    ) -> None:
        """See Store.delete_conversation."""
        self._calls.transact(
            [
                remember(remembered),
                _conversation(before, after),
                delete(records.conversation_entry(before)),
                *(_step(open_run, cancelled) for open_run, cancelled in stopped),
                *(delete(ref) for ref in said),
            ]
        )

    def settle(self, before: Run, after: Run) -> None:
        """See Store.settle."""
        self._calls.transact([_step(before, after), _count(before, "tokens", before.unsettled or 0, Expression())])

    def erase(self, refs: Sequence[Ref[Any]]) -> None:
        """See Store.erase."""
        self._calls.delete([items.key(ref) for ref in refs])

    def forget(self, ref: Ref[Mutation], expires_at: datetime) -> None:
        """See Store.forget."""
        expression = Expression()
        self._calls.write(delete_if(ref, expression, expression.equal(expires_at=_stored(expires_at))))

    def laid_to_rest(self, conversation: Conversation) -> None:
        """See Store.laid_to_rest."""
        expression = Expression()
        at_revision = expression.equal(revision=conversation.revision)
        self._calls.write(rest(records.conversation(conversation.id), expression, at_revision))


def _stored(instant: datetime) -> int:
    return milliseconds(instant)


def _not_at_rest(expression: Expression) -> str:
    """The conversation's content was not erased yet, by a sweep whose clock was ahead of this one."""
    return expression.exists(resources.DUE_AT)


def _conversation(before: Conversation, after: Conversation) -> Write:
    """The conversation's head after a visible change, in the place of the one that the change was decided on."""
    expression = Expression()
    condition = expression.equal(revision=before.revision, deleted_at=None)
    if not after.deleted_at:
        condition = f"{condition} AND {_not_at_rest(expression)}"
    return put(records.conversation(after.id), after, items.seconds(after.forgotten_at), expression, condition)


def _entry(conversation: Conversation) -> Write:
    entry = ConversationEntry(conversation_id=conversation.id)
    return _unless_there(records.conversation_entry(conversation), entry, conversation.forgotten_at)


def _unless_there(ref: Ref[Any], record: Record, until: datetime) -> Write:
    expression = Expression()
    return put(ref, record, items.seconds(until), expression, expression.absent())


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

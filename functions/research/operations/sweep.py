"""What brings every accepted run to its end and every conversation's content to its: once a minute, from the due index.

The index only says where to look. Each step reads the record and acts by condition, so two sweeps at once do no harm.
"""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from research.operations import audit
from research.operations.ports import Busy, Delivery, Lost, RunQueue, Store
from research.operations.reading import mutations_of, said_in
from research.rules import transitions
from research.words import records
from research.words.clock import Clock
from research.words.records import Conversation, Mutation, Ref, Refused, Run

PAGE = 25
"""Due entries of one shard taken in one go."""


@dataclass(slots=True)
class Swept:
    """How often a sweep did what."""

    counts: dict[str, int] = field(default_factory=dict)

    def add(self, deed: str) -> None:
        """One more of these."""
        self.counts[deed] = self.counts.get(deed, 0) + 1


class Sweep:
    """The scheduled use case."""

    def __init__(self, store: Store, queue: RunQueue, clock: Clock) -> None:
        self._store = store
        self._queue = queue
        self._clock = clock

    def sweep(self) -> Swept:
        """Deal with one page of due work of each shard."""
        now = self._clock()
        swept = Swept()
        refs = self._store.due(now, PAGE)
        found = self._store.fetch(*refs) if refs else {}
        for ref in refs:
            try:
                deed = self._deal(found.get(ref), now)
            except Lost:
                deed = "overtaken"
            except Busy:
                deed = "busy"
            if deed:
                swept.add(deed)
        return swept

    def _deal(self, record: Any, now: datetime) -> str | None:
        if isinstance(record, Refused):
            return self._forget_refused(record, now)
        if isinstance(record, Run):
            return self._see_to(record, now)
        if isinstance(record, Conversation):
            return self._erase(record, now)
        return None

    def _see_to(self, run: Run, now: datetime) -> str | None:
        """The one step that a due run is waiting for."""
        if run.unsettled:
            self._store.settle(run, transitions.settle(run))
            return "settled"
        if not transitions.is_open(run):
            return None
        if now >= run.expires_at:
            self._advance(run, transitions.fail(run, "expired", now))
            return "expired"
        if run.status == "queued":
            return self._send_again(run, now)
        if run.call_started_at is not None and now >= run.call_started_at + transitions.OUTCOME_KNOWN:
            self._advance(run, transitions.fail(run, "generation_unconfirmed", now))
            return "unconfirmed"
        if run.call_started_at is None and run.lease_until is not None and now >= run.lease_until:
            self._advance(run, transitions.release(run, transitions.NO_WAIT, now, attempted=False))
            self._queue.send(Delivery(run.conversation_id, run.id))
            return "released"
        return None

    def _advance(self, before: Run, after: Run) -> None:
        self._store.advance(before, after)
        audit.step(before, after)

    def _send_again(self, run: Run, now: datetime) -> str:
        self._store.advance(run, transitions.postpone(run, now))
        self._queue.send(Delivery(run.conversation_id, run.id))
        return "sent"

    def _erase(self, conversation: Conversation, now: datetime) -> str | None:
        """Erase all that was said in an expired conversation, and the mutations that said it."""
        if now < conversation.expires_at:
            return None
        self._store.erase(said_in(conversation))
        for ref in mutations_of(conversation):
            self._forget(ref, conversation.expires_at)
        self._store.laid_to_rest(conversation)
        return "erased"

    def _forget(self, ref: Ref[Mutation], expires_at: datetime) -> None:
        try:
            self._store.forget(ref, expires_at)
        except Lost:
            return  # cleaned up already, or used again since

    def _forget_refused(self, run: Refused, now: datetime) -> str | None:
        if run.due_at is None or now < run.due_at:
            return None
        self._forget(records.mutation(run.workspace_id, run.principal_id, run.mutation_id), run.due_at)
        self._store.laid_to_rest(run)
        return "erased"

"""What brings every accepted run to its end and all content to its: once a minute, from the index of due work.

The index only says where to look. Each step reads the record and acts by condition, so two sweeps at once do no harm.
"""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from research.operations import audit
from research.operations.erasing import erase_project
from research.operations.ports import Busy, Delivery, EvidenceStore, Lost, RunQueue, Store
from research.operations.reading import said_in
from research.rules import transitions
from research.words.clock import Clock
from research.words.records import Conversation, Evidence, Mutation, Project, Ref, Run

PAGE = 100
"""Due entries read at once: as many as one BatchGetItem takes."""

TIME = timedelta(seconds=45)
"""How long one sweep goes on: the next comes a minute after it began."""


@dataclass(slots=True)
class Swept:
    """How often a sweep did what; `failed` counts entries that broke, by the error's type."""

    counts: dict[str, int] = field(default_factory=dict)
    failed: dict[str, int] = field(default_factory=dict)
    finished: bool = True


class Sweep:
    """The scheduled use case."""

    def __init__(self, store: Store, evidence: EvidenceStore, queue: RunQueue, clock: Clock) -> None:
        self._store = store
        self._evidence = evidence
        self._queue = queue
        self._clock = clock

    def sweep(self, time: timedelta = TIME) -> Swept:
        """Deal with what is due, page after page, for as long as `time`; the next sweep goes on with the rest."""
        began = self._clock()
        swept, until = Swept(), began + time
        for refs in self._store.due(began, PAGE):
            found = self._store.fetch(*refs)
            for ref in refs:
                if self._clock() >= until:
                    swept.finished = False
                    return swept
                self._deal(ref, found[ref], until, swept)
        return swept

    def _deal(self, ref: Ref[Any], record: Any, until: datetime, swept: Swept) -> None:
        """One due entry. One that breaks must hold up no other."""
        try:
            deed = self._do(ref, record, self._clock(), until)
        except Lost:
            deed = "overtaken"
        except Busy:
            deed = "busy"
        except Exception as error:  # noqa: BLE001 (whatever it is, it is counted, and the sweep fails in the end)
            audit.broken(ref, error)
            _count(swept.failed, type(error).__name__)
            return
        if deed:
            _count(swept.counts, deed)
            audit.swept(ref, deed)

    def _do(self, ref: Ref[Any], record: Any, now: datetime, until: datetime) -> str | None:
        """The one step that a record is waiting for; None where the index was behind and nothing is due."""
        if record is None or record.due_at is None or now < record.due_at:
            return None
        if isinstance(record, Run):
            return self._see_to(record, now)
        if isinstance(record, Conversation):
            return self._erase(record)
        if isinstance(record, Mutation):
            self._store.forget(ref, record.expires_at)
            return "forgotten"
        if isinstance(record, Evidence) and record.withdrawn_at:
            self._evidence.withdraw(ref, record, record)
            return "withdrawn"
        if isinstance(record, Project) and record.deleted_at:
            return self._erase_project(ref, until)
        return None

    def _see_to(self, run: Run, now: datetime) -> str | None:
        if run.unsettled:
            self._store.settle(run, transitions.settle(run))
            return "settled"
        if not transitions.is_open(run):
            return None
        if now >= run.expires_at:
            return self._end(run, transitions.fail(run, "expired", now))
        if run.call_started_at is not None:
            return self._end(run, transitions.fail(run, "generation_unconfirmed", now))
        if run.fence >= transitions.MAX_CLAIMS:
            return self._end(run, transitions.give_up(run, now))
        return self._send_again(run, now)

    def _end(self, run: Run, after: Run | None) -> str | None:
        if after is None:
            return None
        self._advance(run, after)
        return after.failure_code

    def _send_again(self, run: Run, now: datetime) -> str:
        """Queue a run whose message was lost, or whose worker died before the call."""
        lapsed = run.status == "processing"
        after = transitions.release(run, transitions.NO_WAIT, now, attempted=False)
        self._advance(run, after)
        self._queue.send(Delivery(run.conversation_id, run.id))
        return "released" if lapsed else "sent"

    def _advance(self, before: Run, after: Run) -> None:
        self._store.advance(before, after)
        audit.step(before, after)

    def _erase(self, conversation: Conversation) -> str:
        """Erase all that was said in an expired conversation."""
        self._store.erase(said_in(conversation))
        self._store.laid_to_rest(conversation)
        return "erased"

    def _erase_project(self, ref: Ref[Project], until: datetime) -> str | None:
        """Erase what a deleted project still holds, as much as there is time for."""
        for _ in erase_project(self._evidence, ref):
            if self._clock() >= until:
                return None
        return "deleted"


def _count(of: dict[str, int], deed: str) -> None:
    of[deed] = of.get(deed, 0) + 1

"""What the operations need of the outside world. The provider's port is in provider.py."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from research.rules.budget import Limits
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


class Lost(Exception):
    """A conditional write found the world changed: read again and decide anew."""


class Busy(Exception):
    """The write was put off too often by others, or the table is throttled. Nothing was written."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """What a queue message says: which run to generate."""

    conversation_id: str
    run_id: str


class Store(Protocol):
    """The table. Every write is conditional, and all of one call happens or none of it.

    Each write raises `Lost` when its condition does not hold, and `Busy`. One that is repeated after its reply was lost
    recognises itself and succeeds.
    """

    def fetch(self, *refs: Ref[Any]) -> Found:
        """What exists of these, read consistently in one round trip."""
        ...

    def due(self, before: datetime, limit: int) -> Sequence[Ref[Any]]:
        """Runs, refused runs and conversations that are due, at most `limit` of each shard. A hint: read them again."""
        ...

    def open_conversation(self, conversation: Conversation, title: Title, mutation: Mutation) -> None:
        """A new conversation and its mutation, neither of which may be there yet."""
        ...

    def accept(
        self,
        before: Conversation,
        after: Conversation,
        run: Run,
        question: Question,
        mutation: Mutation,
        limits: Limits,
    ) -> None:
        """A new run: only if the conversation is still at `before.revision` and the day's budget allows it."""
        ...

    def refuse(self, run: Refused, mutation: Mutation, forgotten_at: datetime) -> None:
        """A refused run under its mutation, until `forgotten_at`."""
        ...

    def advance(self, before: Run, after: Run) -> None:
        """One transition of a run, only if it still is at `before.stage`."""
        ...

    def publish(self, before: Run, after: Run, answer: StoredAnswer, now: datetime) -> None:
        """The finishing transition with its answer and the conversation's next revision, unless that has expired."""
        ...

    def settle(self, before: Run, after: Run) -> None:
        """The transition that adds the run's tokens to the budget of the day in which it was accepted."""
        ...

    def postpone(self, run: Run, due_at: datetime) -> bool:
        """Look at the run again at `due_at`; False if another sweep was first."""
        ...

    def erase(self, refs: Sequence[Ref[Any]]) -> None:
        """Delete these for good. What is already gone is no error."""
        ...

    def laid_to_rest(self, record: Conversation | Refused) -> None:
        """Take an expired conversation or refused run, its content erased, out of the due work."""
        ...

    def publish_project(self, ref: Ref[Project], before: Project, after: Project, snapshot: Snapshot) -> None:
        """Raise a project's revision, which makes an import visible, only if it still is at `before.revision`."""
        ...

    def keep(self, entries: Sequence[tuple[Ref[Any], Record]]) -> None:
        """Write records that nobody contends for: an import before its publication, set-up by an administrator."""
        ...


class RunQueue(Protocol):
    """The queue between acceptance and generation."""

    def send(self, delivery: Delivery) -> None:
        """Ask for a delivery. It may come twice, late, or never: the run decides."""
        ...

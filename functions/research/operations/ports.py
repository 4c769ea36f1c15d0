"""What the operations need of the outside world. The provider's port is in provider.py."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, Protocol, TypeVar

from research.rules.budget import Limits
from research.words.records import (
    Conversation,
    Evidence,
    EvidenceText,
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

R = TypeVar("R", bound=Record)


class Lost(Exception):
    """A conditional write found the world changed: read again and decide anew."""


class Busy(Exception):
    """The call was put off too often: by other writers, or by a table that is throttled or failing. Send it again."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """What a queue message says: which run to generate."""

    conversation_id: str
    run_id: str


@dataclass(frozen=True, slots=True)
class Listing(Generic[R]):
    """A list of records of one kind: all of what these ids name, by id or in order of time."""

    kind: type[R]
    names: tuple[str, ...]
    newest_first: bool = False


@dataclass(frozen=True, slots=True)
class Page(Generic[R]):
    """Part of a list; `next` is the place of its last record, None when there is nothing behind it."""

    records: list[tuple[Ref[R], R]]
    next: str | None


@dataclass(frozen=True, slots=True)
class Remembered:
    """A mutation's record, and the instant by which an older one of the same id is over."""

    ref: Ref[Mutation]
    mutation: Mutation
    now: datetime


class Store(Protocol):
    """The table. Every write is conditional, and all of one call happens or none of it.

    Each write raises `Lost` when its condition does not hold, and `Busy`. One that is repeated after its reply was lost
    recognises itself and succeeds.
    """

    def fetch(self, *refs: Ref[Any]) -> Found:
        """What exists of these, read consistently in one round trip."""
        ...

    def due(self, before: datetime, limit: int) -> Iterator[Sequence[Ref[Any]]]:
        """What is due: runs, conversations, mutations, withdrawn evidence, deleted projects. In pages of `limit`.

        Each page is read when it is asked for, oldest first in each shard. A hint: read the records again.
        """
        ...

    def page(self, listing: Listing[R], after: str | None, limit: int) -> Page[R]:
        """At most `limit` records of a list behind the place `after`, read consistently in one round trip."""
        ...

    def open_conversation(self, conversation: Conversation, title: Title, remembered: Remembered) -> None:
        """A new conversation and its mutation, neither of which may be there yet."""
        ...

    def accept(
        self,
        before: Conversation,
        after: Conversation,
        run: Run,
        question: Question,
        remembered: Remembered,
        limits: Limits,
    ) -> None:
        """A new run: only if the conversation is still at `before.revision` and the day's budget allows it."""
        ...

    def refuse(self, run: Refused, remembered: Remembered, forgotten_at: datetime) -> None:
        """A refused run under its mutation, until `forgotten_at`."""
        ...

    def advance(self, before: Run, after: Run) -> None:
        """One transition of a run, only if it still is at `before.stage`."""
        ...

    def publish(self, before: Run, after: Run, answer: StoredAnswer, now: datetime) -> None:
        """The finishing transition with its answer and the conversation's next revision, unless that has expired."""
        ...

    def cancel(self, stopped: tuple[Run, Run] | None, remembered: Remembered) -> None:
        """A mutation with the transition that it brings about, or alone where the run had ended before."""
        ...

    def archive(self, before: Conversation, after: Conversation, remembered: Remembered) -> None:
        """The conversation closed to requests, only if it still is at `before.revision`."""
        ...

    def delete_conversation(
        self,
        before: Conversation,
        after: Conversation,
        stopped: Sequence[tuple[Run, Run]],
        said: Sequence[Ref[Any]],
        remembered: Remembered,
    ) -> None:
        """All that was said erased and the open runs stopped, only if everything still is as it was read."""
        ...

    def settle(self, before: Run, after: Run) -> None:
        """The transition that adds the run's tokens to the budget of the day in which it was accepted."""
        ...

    def erase(self, refs: Sequence[Ref[Any]]) -> None:
        """Delete these for good. What is already gone is no error."""
        ...

    def forget(self, ref: Ref[Mutation], expires_at: datetime) -> None:
        """Delete a mutation's record, only if it is the one that expires then: a later one of the same id stays."""
        ...

    def laid_to_rest(self, conversation: Conversation) -> None:
        """Take a conversation that still is at its revision out of the due work: its content is erased."""
        ...


Change = tuple[Ref[Evidence], Evidence | None, Evidence, EvidenceText]
"""The head of a piece of evidence, what was read there, what shall stand there, and its text."""


class EvidenceStore(Protocol):
    """The same table as those see it who look after evidence and members. Raises `Lost` and `Busy` alike."""

    def fetch(self, *refs: Ref[Any]) -> Found:
        """See Store.fetch."""
        ...

    def page(self, listing: Listing[R], after: str | None, limit: int) -> Page[R]:
        """See Store.page."""
        ...

    def change_project(self, ref: Ref[Project], before: Project, after: Project) -> None:
        """A project's head, only if nobody else published, imported or deleted since it was read."""
        ...

    def stage(self, ref: Ref[Project], before: Project, after: Project, changes: Iterable[Change]) -> None:
        """Part of an import, only while the project still waits for it and each head is as it was read."""
        ...

    def publish_project(
        self,
        ref: Ref[Project],
        before: Project,
        after: Project,
        snapshot: Snapshot | None,
        remembered: Remembered | None = None,
    ) -> None:
        """Raise a project's revision, which makes an import visible, on the same condition as `change_project`.

        With it go its snapshot, unless nothing had changed, and its mutation, only if that has not acted already.
        """
        ...

    def withdraw(self, ref: Ref[Evidence], before: Evidence, after: Evidence) -> None:
        """Mark a head that still is as it was read as withdrawn, then delete every text of it, and let it rest.

        With `after` the same as `before` only the latter two: what a process that died between them has left.
        """
        ...

    def erase_evidence(self, ref: Ref[Evidence], head: Evidence) -> None:
        """Delete every text of a piece of evidence, then its head."""
        ...

    def claim_mutation(self, remembered: Remembered) -> None:
        """A mutation that begins to act, only if it has not acted already."""
        ...

    def finish_mutation(self, ref: Ref[Mutation], mutation: Mutation) -> None:
        """The result of a mutation that was claimed."""
        ...

    def keep(self, entries: Sequence[tuple[Ref[Any], Record]]) -> None:
        """Write records that nobody contends for: what an administrator sets up."""
        ...

    def erase(self, refs: Sequence[Ref[Any]]) -> None:
        """See Store.erase."""
        ...


class RunQueue(Protocol):
    """The queue between acceptance and generation."""

    def send(self, delivery: Delivery) -> None:
        """Ask for a delivery. It may come twice, late, or never: the run decides."""
        ...

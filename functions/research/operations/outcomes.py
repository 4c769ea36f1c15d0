"""What an operation returns, and when a write counts as already done."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from research.operations.callers import Visit
from research.operations.ports import Busy, Lost
from research.words.contract import Result
from research.words.problems import Problem
from research.words.records import Conversation, Mutation, Record

ROUNDS = 4
"""How often a write is decided before the caller is asked to send it again."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A result of the contract; `replayed` when the write had been done by an earlier call.

    `retry_at`: when what is refused here might be accepted, where that is known.
    """

    result: Result
    replayed: bool = False
    retry_at: datetime | None = None


def decided(attempt: Callable[[], Outcome]) -> Outcome:
    """The outcome of a write: when others got ahead of it, it is decided anew on what stands there now.

    A lost condition thus turns into the very answer that a caller who came a moment later would get: a replay, a
    conflict with the current revision, a refused run. Raises `busy` when that does not settle it.
    """
    for _ in range(ROUNDS):
        try:
            return attempt()
        except Lost:
            continue
        except Busy:
            break
    raise Problem("busy")


def remembered_until(visit: Visit, conversation: Conversation) -> datetime:
    """How long a mutation of this conversation is remembered: while it lasts, or while at least its memory does."""
    return conversation.expires_at if visit.now < conversation.expires_at else conversation.forgotten_at


def already_done(mutation: Mutation | None, visit: Visit, digest: str, made: Record | None) -> bool:
    """Whether this mutation has acted before. Raises `mutation_conflict` if it acted for something else.

    `made` is what the mutation would make. It outlives the mutation's record, so that not even a day later the same
    mutation acts twice.
    """
    if mutation is None or mutation.expires_at <= visit.now:
        return made is not None
    if mutation.operation != visit.operation.name or mutation.digest != digest:
        raise Problem("mutation_conflict")
    return True

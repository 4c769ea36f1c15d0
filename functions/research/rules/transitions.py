"""The life of an accepted run, every step of it in one place.

    from          step      to                      when
    queued        claim     processing              a delivery takes it: fence + 1, a lease
    processing    claim     processing              the lease lapsed and the call was never started
    processing    start     processing, started     right before the call; nothing ever returns from here to queued but
    started       release   queued                  a refusal that proves that nothing was generated: attempts + 1
    processing    release   queued                  the worker has too little time left, or died before the call
    started       finish    completed               a verified answer
    any open      fail      failed                  a failure code; `generation_unconfirmed` once the outcome is unknown
    any open      end       expired | cancelled     the conversation's 24 hours passed, or its owner cancelled
    ended         account   ended                   its end did not wait for the call: these tokens it had spent
    ended         settle    ended                   the tokens it spent are in the budget

Each function maps the run as it was read to the run as it shall be; the store writes it only if the run still is at the
same stage (`Run.stage`). A worker that lost its claim therefore writes nothing, whenever it wakes up.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from research.words.contract import FailureCode
from research.words.records import Run

FUNCTION_TIMEOUT = timedelta(seconds=120)
"""How long the worker may run on one delivery."""

CALL_DEADLINE = timedelta(seconds=90)
"""How long one generation may take, by the wall clock."""

CLOSING_TIME = timedelta(seconds=15)
"""What the worker keeps for itself after the call: verification, the finishing write and its retries."""

LEASE = FUNCTION_TIMEOUT + timedelta(seconds=30)
"""How long a claim is held: past the death of its worker, with room for clocks that differ."""

OUTCOME_KNOWN = FUNCTION_TIMEOUT + timedelta(seconds=60)
"""After this from the start of a call nobody can still be waiting for its outcome."""

PICK_UP = timedelta(seconds=30)
"""How long a queued run may wait for its delivery before the message counts as lost."""

SETTLING = timedelta(seconds=60)
"""How long the worker has to settle the budget before the sweep does."""

INSISTING = timedelta(seconds=2)
"""How long the worker waits before it tries a write after its call again, when the table has put it off."""

NO_WAIT = timedelta()

MAX_ATTEMPTS = 5
"""Refusals of the provider that a run bears."""

MAX_CLAIMS = 10
"""Claims that a run bears: one whose workers die again and again before the call is given up."""


@dataclass(frozen=True, slots=True)
class Backoff:
    """How long a refused run waits: `first`, doubled at each attempt, or what the provider asks, up to `longest`."""

    first: timedelta
    longest: timedelta

    def wait(self, attempts: int, retry_after: float | None) -> timedelta:
        """The wait after this many refused attempts; `retry_after` in seconds."""
        asked = timedelta(seconds=min(retry_after or 0.0, self.longest.total_seconds()))
        doubled: timedelta = min(self.first * 2 ** (attempts - 1), self.longest)
        return max(asked, doubled)


def is_open(run: Run) -> bool:
    """Whether the run still has to end."""
    return run.status in ("queued", "processing")


def waits(run: Run, now: datetime) -> timedelta | None:
    """How long a refused run still has to wait, whichever of its messages comes before that."""
    if run.status != "queued" or not run.attempts or run.due_at is None:
        return None
    left = run.due_at - PICK_UP - now
    return left if left > NO_WAIT else None


def claim(run: Run, owner: str, now: datetime) -> Run | None:
    """The run in the hands of `owner`, or None if it is not to be had."""
    abandoned = (
        run.status == "processing"
        and run.call_started_at is None
        and run.lease_until is not None
        and run.lease_until <= now
    )
    if now >= run.expires_at or not (run.status == "queued" or abandoned):
        return None
    return run.model_copy(
        update={
            "status": "processing",
            "owner": owner,
            "fence": run.fence + 1,
            "lease_until": now + LEASE,
            "due_at": now + LEASE,
        }
    )


def start(run: Run, model_id: str, now: datetime) -> Run | None:
    """The claimed run with its call marked started, or None once the lease or the conversation is over."""
    if run.lease_until is None or now >= run.lease_until or now >= run.expires_at:
        return None
    return run.model_copy(
        update={"call_started_at": now, "model_id": model_id, "due_at": now + OUTCOME_KNOWN},
    )


def release(run: Run, wait: timedelta, now: datetime, *, attempted: bool) -> Run:
    """The run back in the queue, to be tried again after `wait`; an attempt counts only if the provider refused it."""
    return run.model_copy(
        update={
            "status": "queued",
            "owner": None,
            "lease_until": None,
            "call_started_at": None,
            "attempts": run.attempts + attempted,
            "due_at": now + wait + PICK_UP,
        }
    )


def finish(run: Run, model_version: str | None, tokens: int, now: datetime) -> Run:
    """The completed run; its tokens wait to be settled."""
    return _ended(run, now, tokens, status="completed", failure_code=None, model_version=model_version)


def fail(run: Run, code: FailureCode, now: datetime, *, tokens: int = 0, model_version: str | None = None) -> Run:
    """The run ended without an answer. `expired` and `cancelled` are statuses of their own."""
    status = code if code in ("expired", "cancelled") else "failed"
    return _ended(run, now, tokens, status=status, failure_code=code, model_version=model_version)


def give_up(run: Run, now: datetime) -> Run | None:
    """The run ended for want of a worker that could finish it; None while it is held, and once its call was started.

    A started call may have generated something: only time tells that nobody waits for its outcome any more.
    """
    held = run.lease_until is not None and now < run.lease_until
    if held or not is_open(run) or run.call_started_at is not None:
        return None
    return fail(run, "provider_unavailable", now)


def account(held: Run, ended: Run, tokens: int, now: datetime) -> Run | None:
    """The run that was ended during the call of `held`, with what that call had spent; None if it is not to be told.

    One whose lease is over is a stranger here and writes nothing, not even this.
    """
    same = ended.fence == held.fence and ended.call_started_at == held.call_started_at
    lapsed = held.lease_until is None or now >= held.lease_until
    if not tokens or is_open(ended) or ended.spent is not None or not same or lapsed:
        return None
    return ended.model_copy(update=_costs(tokens, now))


def settle(run: Run) -> Run:
    """The ended run with nothing left to do."""
    return run.model_copy(update={"unsettled": None, "due_at": None})


def _ended(run: Run, now: datetime, tokens: int, **outcome: str | None) -> Run:
    return run.model_copy(
        update={
            **outcome,
            "owner": None,
            "lease_until": None,
            **_costs(tokens, now),
        }
    )


def _costs(tokens: int, now: datetime) -> dict[str, int | datetime | None]:
    return {"spent": tokens or None, "unsettled": tokens or None, "due_at": now + SETTLING if tokens else None}

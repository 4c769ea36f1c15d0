"""The life of a run: each step by itself, and any order of steps by any number of workers, late ones included."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, rule

from research.rules import transitions
from research.words.records import Run

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
MOMENT = timedelta(milliseconds=1)
QUEUED = Run(
    id="run",
    workspace_id="workspace",
    conversation_id="conversation",
    principal_id="principal",
    mutation_id="mutation",
    conversation_revision=2,
    generation=1,
    request_kind="question",
    status="queued",
    created_at=NOW,
    expires_at=NOW + timedelta(hours=24),
    due_at=NOW + transitions.PICK_UP,
)


def with_(run: Run, **changes: Any) -> Run:
    return run.model_copy(update=changes)


def claimed(now: datetime = NOW) -> Run:
    run = transitions.claim(QUEUED, "worker", now)
    assert run is not None
    return run


def started(now: datetime = NOW) -> Run:
    run = transitions.start(claimed(now), "model", now)
    assert run is not None
    return run


def test_a_queued_run_is_claimed_with_a_lease_and_the_next_fence() -> None:
    assert transitions.claim(QUEUED, "worker", NOW) == with_(
        QUEUED,
        status="processing",
        owner="worker",
        fence=1,
        lease_until=NOW + transitions.LEASE,
        due_at=NOW + transitions.LEASE,
    )


def test_a_claim_is_held_until_its_lease_lapses_and_then_taken_over_under_a_new_fence() -> None:
    held = claimed()
    lapse = NOW + transitions.LEASE

    assert transitions.claim(held, "another", lapse - MOMENT) is None
    taken_over = transitions.claim(held, "another", lapse)
    assert taken_over is not None
    assert (taken_over.owner, taken_over.fence) == ("another", 2)


@pytest.mark.parametrize("later", [timedelta(), transitions.LEASE, timedelta(hours=23)])
def test_a_started_run_is_never_claimed_again_however_long_ago_its_lease_lapsed(later: timedelta) -> None:
    assert transitions.claim(started(), "another", NOW + later) is None


def test_a_processing_run_without_a_lease_counts_as_held() -> None:
    assert transitions.claim(with_(claimed(), lease_until=None), "another", NOW + timedelta(hours=23)) is None


@pytest.mark.parametrize("status", ["completed", "failed", "cancelled", "expired", "unavailable"])
def test_a_run_that_has_ended_is_neither_claimed_nor_started(status: str) -> None:
    ended = with_(QUEUED, status=status)

    assert transitions.claim(ended, "worker", NOW) is None
    assert transitions.start(ended, "model", NOW) is None


def test_nothing_is_claimed_or_started_once_24_hours_have_passed() -> None:
    end = QUEUED.expires_at

    assert transitions.claim(QUEUED, "worker", end - MOMENT) is not None
    assert transitions.claim(QUEUED, "worker", end) is None
    assert transitions.start(claimed(end - MOMENT), "model", end) is None


def test_a_call_is_started_only_while_the_lease_lasts() -> None:
    lapse = NOW + transitions.LEASE

    assert transitions.start(claimed(), "model", lapse) is None
    assert transitions.start(claimed(), "model", lapse - MOMENT) == with_(
        claimed(),
        call_started_at=lapse - MOMENT,
        model_id="model",
        due_at=lapse - MOMENT + transitions.OUTCOME_KNOWN,
    )


def test_a_refused_run_waits_in_the_queue_with_one_attempt_more() -> None:
    wait = timedelta(seconds=40)

    released = transitions.release(started(), wait, NOW, attempted=True)

    assert released == with_(QUEUED, fence=1, attempts=1, model_id="model", due_at=NOW + wait + transitions.PICK_UP)


def test_a_run_whose_worker_died_before_the_call_loses_no_attempt() -> None:
    released = transitions.release(claimed(), transitions.NO_WAIT, NOW, attempted=False)

    assert released == with_(QUEUED, fence=1, attempts=0, due_at=NOW + transitions.PICK_UP)


def test_a_completed_run_waits_for_its_tokens_to_be_settled() -> None:
    finished = transitions.finish(started(), "model-1", 70, NOW)

    assert finished == with_(
        started(),
        status="completed",
        model_version="model-1",
        owner=None,
        lease_until=None,
        unsettled=70,
        due_at=NOW + transitions.SETTLING,
    )
    assert transitions.settle(finished) == with_(finished, unsettled=None, due_at=None)


def test_a_run_that_spent_nothing_has_nothing_left_to_do_when_it_ends() -> None:
    failed = transitions.fail(started(), "provider_unavailable", NOW)

    assert (failed.status, failed.failure_code) == ("failed", "provider_unavailable")
    assert (failed.unsettled, failed.due_at, transitions.is_open(failed)) == (None, None, False)


@pytest.mark.parametrize("code", ["expired", "cancelled"])
def test_expired_and_cancelled_are_statuses_of_their_own(code: Any) -> None:
    ended = transitions.fail(QUEUED, code, NOW, tokens=3)

    assert (ended.status, ended.failure_code, ended.unsettled) == (code, code, 3)


def test_the_times_leave_room_for_each_other() -> None:
    skew = timedelta(seconds=30)

    assert transitions.CALL_DEADLINE + transitions.CLOSING_TIME < transitions.FUNCTION_TIMEOUT
    assert transitions.FUNCTION_TIMEOUT + skew <= transitions.LEASE
    assert transitions.FUNCTION_TIMEOUT + skew < transitions.OUTCOME_KNOWN


@given(st.integers(1, 5), st.none() | st.floats(0, 1e12))
def test_a_refused_run_waits_no_less_than_was_asked_and_never_longer_than_the_longest(
    attempts: int, asked: float | None
) -> None:
    backoff = transitions.Backoff(first=timedelta(seconds=10), longest=timedelta(seconds=100))

    wait = backoff.wait(attempts, asked)

    assert timedelta(seconds=min(10 * 2 ** (attempts - 1), 100)) <= wait <= timedelta(seconds=100)
    assert wait >= timedelta(seconds=min(asked or 0, 100))


class Life(RuleBasedStateMachine):
    """One stored run, and workers and sweeps acting on it as they once read it: a write counts at that stage alone."""

    holders = Bundle("holders")
    callers = Bundle("callers")

    def __init__(self) -> None:
        super().__init__()
        self.run = QUEUED
        self.now = NOW
        self.seen = [QUEUED]
        self.unproven_calls = 0
        self.refusals = 0
        self.settled = 0

    def write(self, before: Run, after: Run | None) -> bool:
        """What the store does: replace the run if it still is at the stage that the transition saw."""
        if after is None or self.run.stage != before.stage:
            return False
        if self.run.status in ("completed", "failed", "expired", "cancelled"):
            assert after == transitions.settle(self.run)
        assert after.fence >= self.run.fence
        self.run = after
        self.seen.append(after)
        return True

    @rule(minutes=st.integers(0, 5) | st.just(600))
    def time_passes(self, minutes: int) -> None:
        self.now += timedelta(minutes=minutes)

    @rule(target=holders, data=st.data())
    def a_delivery_claims_what_it_read(self, data: st.DataObject) -> Run | None:
        before = data.draw(st.sampled_from(self.seen))
        after = transitions.claim(before, f"worker {len(self.seen)}", self.now)
        return after if self.write(before, after) else None

    @rule(target=callers, held=consumes(holders))
    def a_holder_starts_its_call(self, held: Run | None) -> Run | None:
        after = transitions.start(held, "model", self.now) if held else None
        if held is None or not self.write(held, after):
            return None
        self.unproven_calls += 1
        return after

    @rule(called=consumes(callers))
    def a_call_is_refused(self, called: Run | None) -> None:
        if called and self.write(called, transitions.release(called, timedelta(), self.now, attempted=True)):
            self.unproven_calls -= 1
            self.refusals += 1

    @rule(called=consumes(callers), tokens=st.integers(0, 9), answered=st.booleans())
    def a_call_ends(self, called: Run | None, tokens: int, answered: bool) -> None:  # noqa: FBT001 (drawn)
        if called is None:
            return
        finished = transitions.finish(called, None, tokens, self.now)
        failed = transitions.fail(called, "invalid_output", self.now, tokens=tokens)
        self.write(called, finished if answered else failed)

    @rule(data=st.data(), code=st.sampled_from(["expired", "cancelled", "generation_unconfirmed"]))
    def a_sweep_or_its_owner_ends_it(self, data: st.DataObject, code: Any) -> None:
        before = data.draw(st.sampled_from(self.seen))
        if transitions.is_open(before):
            self.write(before, transitions.fail(before, code, self.now))

    @rule(data=st.data())
    def a_sweep_releases_or_settles_what_it_read(self, data: st.DataObject) -> None:
        before = data.draw(st.sampled_from(self.seen))
        if before.unsettled:
            self.settled += self.write(before, transitions.settle(before))
        elif before.status == "processing" and before.call_started_at is None:
            self.write(before, transitions.release(before, timedelta(), self.now, attempted=False))

    @invariant()
    def at_most_one_call_may_have_generated(self) -> None:
        assert self.unproven_calls <= 1

    @invariant()
    def every_refusal_is_counted_and_tokens_are_settled_once(self) -> None:
        assert self.run.attempts == self.refusals
        assert self.settled <= 1

    @invariant()
    def the_sweep_will_look_at_it_exactly_while_something_is_left_to_do(self) -> None:
        left = transitions.is_open(self.run) or self.run.unsettled is not None
        assert (self.run.due_at is not None) == left


TestLife = Life.TestCase
TestLife.settings = settings(max_examples=60, stateful_step_count=40)

"""The life of a run, step by step."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
        spent=70,
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

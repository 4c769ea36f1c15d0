"""What a workspace may spend in one UTC day."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from research.rules import budget
from research.rules.budget import Limits
from research.words.records import Budget, Workspace

amounts = st.integers(0, 50)
instants = st.datetimes(datetime(2020, 1, 1), datetime(2040, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001 (hypothesis adds the zone)


@given(amounts, amounts, amounts, amounts)
def test_a_day_is_used_up_when_either_its_runs_or_its_tokens_are(
    runs: int, tokens: int, run_limit: int, token_limit: int
) -> None:
    used_up = Limits(run_limit, token_limit).used_up(Budget(runs=runs, tokens=tokens))

    assert used_up == (runs >= run_limit or tokens >= token_limit)


def test_a_day_on_which_nothing_was_asked_is_used_up_only_if_nothing_is_allowed() -> None:
    assert not Limits(1, 1).used_up(None)
    assert Limits(0, 1).used_up(None)
    assert Limits(1, 0).used_up(None)


@given(st.none() | amounts, st.none() | amounts)
def test_a_workspace_has_its_own_limits_where_it_sets_them_a_limit_of_nothing_included(
    runs: int | None, tokens: int | None
) -> None:
    own = Limits(7, 70).of(Workspace(name="Acme", daily_runs=runs, daily_tokens=tokens))

    assert own == Limits(7 if runs is None else runs, 70 if tokens is None else tokens)


def test_a_workspace_that_is_not_there_has_the_deployments_limits() -> None:
    assert Limits(7, 70).of(None) == Limits(7, 70)


def test_the_last_millisecond_of_a_day_counts_towards_it_and_midnight_towards_the_next() -> None:
    midnight = datetime(2026, 12, 1, tzinfo=UTC)

    assert budget.day(midnight - timedelta(milliseconds=1)) == "2026-11-30"
    assert budget.day(midnight) == "2026-12-01"
    assert budget.resets_at(midnight - timedelta(milliseconds=1)) == midnight
    assert budget.resets_at(midnight) == midnight + timedelta(days=1)


@given(instants)
def test_a_budget_resets_at_the_first_instant_of_another_day_and_within_24_hours(now: datetime) -> None:
    reset = budget.resets_at(now)

    assert timedelta() < reset - now <= timedelta(days=1)
    assert budget.day(reset) != budget.day(now)
    assert budget.day(reset - timedelta(microseconds=1)) == budget.day(now)

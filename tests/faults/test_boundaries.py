"""Every step under every fault, in part; `make faults` runs all of it."""

import logging
from collections.abc import Iterator

import pytest

from infra.local.aws import LocalAws
from tests.faults import boundaries
from tests.faults.boundaries import DEATHS, FAULTS, Result, Schedule
from tests.faults.circumstances import CIRCUMSTANCES
from tests.faults.steps import STEPS

EACH = 31
"""One schedule in this many. Prime to the number of faults, so that each fault comes at other places of other steps."""


@pytest.fixture(scope="module")
def chosen(aws: LocalAws) -> list[Schedule]:
    return list(boundaries.schedules(aws))[::EACH]


@pytest.fixture(autouse=True)
def _silent() -> Iterator[None]:
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


def test_the_part_meets_every_step_and_every_fault(chosen: list[Schedule]) -> None:
    assert {schedule.step for schedule in chosen} == set(STEPS)
    assert {schedule.fault for schedule in chosen} == {*FAULTS, *DEATHS}


def test_whatever_breaks_at_whichever_call_every_promise_is_kept(aws: LocalAws, chosen: list[Schedule]) -> None:
    results: dict[Schedule, Result] = {schedule: boundaries.run(aws, schedule) for schedule in chosen}

    assert {schedule: result for schedule, result in results.items() if not result.is_right} == {}
    assert max(result.most_generations for result in results.values()) == 1


@pytest.mark.parametrize("name", CIRCUMSTANCES)
def test_in_every_circumstance_every_promise_is_kept(aws: LocalAws, name: str) -> None:
    result = boundaries.lived_through(aws, CIRCUMSTANCES[name])

    assert result.is_right, result

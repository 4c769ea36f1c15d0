"""No operation gains a round trip, and no bundle a tenth of its size, unseen. Counts and sizes alone: no clock."""

import logging
from collections.abc import Iterator

import pytest
from harness.service import Service

from tests.bench import limits
from tests.bench.counting import counted
from tests.bench.units import Bill
from tests.bundle.run import bundle_sizes

SPREAD = 2
"""A sweep reads a page more for each further shard on which the few things that are due happen to fall."""


@pytest.fixture(autouse=True)
def _silent() -> Iterator[None]:
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


def test_every_case_makes_the_calls_that_it_made_and_no_more_than_it_may(service: Service) -> None:
    bills = counted(service)

    before = limits.recorded()["calls"]
    assert set(bills) == set(before)
    exact = [case for case in before if not case.startswith("sweep, ")]
    assert {case: calls(bills[case]) for case in exact} == {
        case: (before[case]["round_trips"], before[case]["sqs"]) for case in exact
    }
    for case, bill in bills.items():
        assert bill.round_trips <= before[case]["round_trips"] + SPREAD, case
        allowed = limits.trips(case)
        assert allowed is None or calls(bill) <= allowed, case
        for units in ("reads", "writes"):
            assert getattr(bill, units) <= before[case][units] * limits.ROOM + 1, (case, units)


def calls(bill: Bill) -> tuple[int, int]:
    return bill.round_trips, bill.queue


def test_no_bundle_has_grown_by_a_tenth() -> None:
    before = limits.recorded()["bundles"]

    for name, found in bundle_sizes().items():
        assert found.unzipped <= before[name] * limits.ROOM, name

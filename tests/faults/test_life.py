"""A few random lives of the service; `make faults` lives five hundred."""

import pytest
from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test

from infra.local.aws import LocalAws
from tests.faults.life import Life


@pytest.fixture
def life(aws: LocalAws) -> type[Life]:
    Life.aws = aws
    return Life


def test_whatever_happens_in_whatever_order_every_promise_is_kept(life: type[Life]) -> None:
    run_state_machine_as_test(life, settings=settings(max_examples=10, stateful_step_count=30))

    assert life.generations > 0

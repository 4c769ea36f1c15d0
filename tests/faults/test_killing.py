"""Workers killed while they generate; `make faults` does it to a thousand runs."""

import logging
from collections.abc import Iterator

import pytest

from tests.faults import killing


@pytest.fixture(autouse=True)
def _silent() -> Iterator[None]:
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


def test_runs_whose_workers_are_killed_again_and_again_all_end_and_none_is_generated_twice() -> None:
    found = killing.thousand(25)

    assert (found["runs"], found["open"], found["most_calls"]) == (25, 0, 1)
    assert found["kills"] >= killing.WORKERS
    assert set(found["ends"]) <= {"completed", "generation_unconfirmed"}
    assert found["ends"]["completed"] > 0

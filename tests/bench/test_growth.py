"""Verifying an answer grows with its texts as they do: no expression in it goes back over what it has read."""

import pytest

from tests.bench import warm

TIMES = 4
"""How much longer the texts are. What grows with their square takes sixteen times as long."""


@pytest.mark.parametrize("name", warm.HOSTILE)
def test_the_most_hostile_texts_take_as_many_times_as_long_as_they_are_longer(name: str) -> None:
    short, long = (warm.verifying(warm.HOSTILE[name], length, texts=2) for length in (5_000, 5_000 * TIMES))

    assert long < 2 * TIMES * short

"""Time: whole milliseconds in UTC, the same in storage, in code and on the wire."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from research.words import clock

instants = st.datetimes(timezones=st.just(UTC)).map(
    lambda made: made.replace(microsecond=made.microsecond // 1000 * 1000)
)


class Kept(BaseModel):
    at: clock.Instant


@given(instants)
def test_an_instant_of_whole_milliseconds_survives_storage(instant: datetime) -> None:
    assert clock.from_milliseconds(clock.milliseconds(instant)) == instant


@given(
    st.integers(
        clock.milliseconds(datetime(1, 1, 1, tzinfo=UTC)), clock.milliseconds(datetime(9999, 12, 31, tzinfo=UTC))
    )
)
def test_a_number_of_milliseconds_survives_being_an_instant(count: int) -> None:
    instant = clock.from_milliseconds(count)

    assert isinstance(instant, datetime)
    assert clock.milliseconds(instant) == count


@given(instants, instants)
def test_stored_instants_are_in_the_order_of_time(one: datetime, other: datetime) -> None:
    assert (clock.milliseconds(one) < clock.milliseconds(other)) == (one < other)


@given(instants)
def test_what_is_written_reads_back_as_the_same_instant(instant: datetime) -> None:
    written = clock.rfc3339(instant)

    assert datetime.fromisoformat(written) == instant
    assert (len(written), written[-5], written[-1]) == (24, ".", "Z")


@given(instants)
def test_a_record_keeps_an_instant_as_milliseconds(instant: datetime) -> None:
    kept = Kept(at=instant)

    assert kept.model_dump() == {"at": clock.milliseconds(instant)}
    assert Kept.model_validate(kept.model_dump()) == kept


def test_the_time_of_day_is_of_whole_milliseconds_in_utc() -> None:
    instant = clock.now()

    assert instant.utcoffset() == timedelta(0)
    assert instant.microsecond % 1000 == 0
    assert abs(datetime.now(UTC) - instant) < timedelta(minutes=1)


def test_conversations_live_a_day_and_are_remembered_for_another() -> None:
    assert [clock.RETENTION.total_seconds(), clock.MEMORY.total_seconds()] == [86_400, 86_400]


def test_milliseconds_are_counted_from_the_epoch() -> None:
    assert clock.milliseconds(datetime(1970, 1, 1, 0, 0, 1, 5000, UTC)) == 1005
    assert clock.rfc3339(datetime(2026, 3, 1, 9, 0, tzinfo=UTC)) == "2026-03-01T09:00:00.000Z"

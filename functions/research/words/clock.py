"""Time, as one injected function: UTC instants of whole milliseconds."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Annotated

from pydantic import BeforeValidator, PlainSerializer

Clock = Callable[[], datetime]

RETENTION = timedelta(hours=24)
"""How long a conversation and everything said in it lives, to the millisecond."""

MEMORY = timedelta(hours=24)
"""How much longer its content-free rest stays, so that a client reads `expired` for a day and 404 after it."""


def now() -> datetime:
    """The current instant, cut to milliseconds, so that what is stored equals what is answered."""
    instant = datetime.now(UTC)
    return instant.replace(microsecond=instant.microsecond // 1000 * 1000)


def milliseconds(instant: datetime) -> int:
    """Milliseconds since the epoch: how instants are stored and compared in DynamoDB."""
    return (instant - _EPOCH) // timedelta(milliseconds=1)


def from_milliseconds(count: object) -> object:
    """The instant that `milliseconds` made a number of; an instant passes through."""
    return count if isinstance(count, datetime) else _EPOCH + timedelta(milliseconds=int(str(count)))


def rfc3339(instant: datetime) -> str:
    """The contract's date-time: UTC with milliseconds and a Z."""
    return instant.isoformat(timespec="milliseconds").replace("+00:00", "Z")


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

Instant = Annotated[datetime, BeforeValidator(from_milliseconds), PlainSerializer(milliseconds, return_type=int)]
"""An instant inside a record: a datetime in Python, epoch milliseconds in storage."""

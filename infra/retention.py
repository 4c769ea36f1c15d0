"""What a table still holds of what people said: the proof that nothing of it outlives its 24 hours."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from research.adapters.store import items
from research.words import records, resources
from research.words.clock import MEMORY, RETENTION

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

Item = Mapping[str, Any]

_WITHDRAWN = "withdrawn_at"
_ROUNDED = timedelta(seconds=1)  # a TTL is a whole second, never before its instant

LIVES: dict[type[records.Record], timedelta] = {
    records.Title: RETENTION,
    records.Question: RETENTION,
    records.StoredAnswer: RETENTION,
    records.Mutation: RETENTION + MEMORY,
}
"""What was said, and how long it may be kept; a mutation that met an expired conversation, as long as its memory."""

GRACE = timedelta(seconds=150)
"""How late the sweep may be. It comes every minute, and until it has come reads refuse all the same."""

UNDER_WAY = records.UNDER_WAY + GRACE
"""How long the texts of withdrawn evidence may still be there."""


@dataclass(frozen=True, slots=True)
class Retention:
    """What a scan found, in numbers of items.

    `said` holds content, or a mutation; of these `awaiting_sweep` are over, `overdue` for longer than the sweep may
    take, and `unbounded` would be kept for longer than they may. `withdrawn_texts` should be gone with their evidence.
    `unknown` have a key that is none of ours.
    """

    items: int
    said: int
    awaiting_sweep: int
    overdue: int
    unbounded: int
    withdrawn_texts: int
    unknown: int

    @property
    def holds(self) -> bool:
        """Whether nothing that was said is kept, or would be kept, for longer than it may."""
        return not (self.overdue or self.unbounded or self.withdrawn_texts or self.unknown)


@dataclass(frozen=True, slots=True)
class Copies:
    """What else keeps or cleans up what the table holds."""

    time_to_live: bool
    point_in_time_recovery: bool
    stream: bool

    @property
    def holds(self) -> bool:
        """Whether DynamoDB cleans up behind the sweep, and nothing keeps what was erased."""
        return self.time_to_live and not self.point_in_time_recovery and not self.stream


def copies(client: "DynamoDBClient", table: str) -> Copies:
    """The table's settings that decide about copies."""
    life = client.describe_time_to_live(TableName=table)["TimeToLiveDescription"]
    backups = client.describe_continuous_backups(TableName=table)["ContinuousBackupsDescription"]
    recovery = backups.get("PointInTimeRecoveryDescription", {}).get("PointInTimeRecoveryStatus")
    stream = client.describe_table(TableName=table)["Table"].get("StreamSpecification", {})
    return Copies(
        time_to_live=life.get("TimeToLiveStatus") in ("ENABLED", "ENABLING"),
        point_in_time_recovery=recovery == "ENABLED",
        stream=bool(stream.get("StreamEnabled")),
    )


def scan(client: "DynamoDBClient", table: str) -> Iterator[Item]:
    """Keys and times of every item of the table; what the items say stays where it is."""
    names = (resources.PARTITION_KEY, resources.SORT_KEY, resources.TTL_ATTRIBUTE, _WITHDRAWN)
    pages = client.get_paginator("scan").paginate(
        TableName=table,
        ConsistentRead=True,
        ProjectionExpression=", ".join(f"#{name}" for name in names),
        ExpressionAttributeNames={f"#{name}": name for name in names},
    )
    for page in pages:
        yield from page["Items"]


def report(stored: Iterable[Item], now: datetime) -> Retention:
    """The verdict on every item of a table at `now`."""
    count: Counter[str] = Counter()
    texts: list[tuple[str, ...]] = []
    withdrawn: set[tuple[str, ...]] = set()
    for item in stored:
        ref = items.ref(item)
        count["items"] += 1
        count["unknown"] += ref is None
        if ref is None:
            continue
        if ref.kind is records.EvidenceText:
            texts.append(ref.ids[:3])
        if ref.kind is records.Evidence and _WITHDRAWN in item and _instant(item[_WITHDRAWN], 1) < now - UNDER_WAY:
            withdrawn.add(ref.ids)
        if ref.kind in LIVES:
            count.update(_verdict(item, LIVES[ref.kind], now))
    count["withdrawn_texts"] = sum(text in withdrawn for text in texts)
    return Retention(**{member.name: count[member.name] for member in fields(Retention)})


def _verdict(item: Item, life: timedelta, now: datetime) -> list[str]:
    if resources.TTL_ATTRIBUTE not in item:
        return ["said", "unbounded"]
    over = _instant(item[resources.TTL_ATTRIBUTE], 1000)
    verdicts = {
        "said": True,
        "awaiting_sweep": over <= now,
        "overdue": over <= now - GRACE,
        "unbounded": over > now + life + _ROUNDED,
    }
    return [verdict for verdict, given in verdicts.items() if given]


def _instant(number: Mapping[str, str], milliseconds: int) -> datetime:
    """The instant of a number attribute that counts so many milliseconds each."""
    return datetime.fromtimestamp(int(number["N"]) * milliseconds / 1000, UTC)

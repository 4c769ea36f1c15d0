"""What AWS bills and waits for, counted from the calls of the service's own clients, by the documented rules.

docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html and CapacityUnitCalculations.html:
a strong read is a unit for each 4 KB of an item, and one where there is none; a write a unit for each KB of the larger
of what was and what is there, twice that in a transaction; an entry of the index that comes, goes or moves another.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import boto3
from harness.service import Service

from research.words import resources

Item = Mapping[str, Any]
_KB = 1024


@dataclass(slots=True)
class Bill:
    """Of some calls: DynamoDB round trips and SQS calls, units, and bytes sent and received."""

    round_trips: int = 0
    reads: int = 0
    writes: int = 0
    queue: int = 0
    sent: int = 0
    received: int = 0
    actions: list[str] = field(default_factory=list)


class Meter:
    """Watches the clients of a service. It looks at the table by a client of its own, which nobody counts."""

    def __init__(self, service: Service) -> None:
        self._table = service.environment["TABLE_NAME"]
        self._look = boto3.client("dynamodb")
        self._before: dict[str, Item | None] = {}
        self.bill = Bill()
        for client in (service.wiring.store._calls.client, service.wiring.queue._client):
            client.meta.events.register("before-call", self._asked)
            client.meta.events.register("after-call", self._answered)

    @contextmanager
    def billed(self) -> Iterator[Bill]:
        """What is done in this block, counted."""
        self.bill = bill = Bill()
        yield bill
        self.bill = Bill()

    def _asked(self, model: Any, params: Any, context: Any, **_: Any) -> None:
        body = params["body"]
        self.bill.sent += len(body)
        context["asked"] = json.loads(body)
        self._before = {_name(key): self._item(key) for key in _written(model.name, context["asked"])}

    def _answered(self, model: Any, parsed: Any, context: Any, http_response: Any, **_: Any) -> None:
        self.bill.actions.append(model.name)
        self.bill.received += len(http_response.content)
        if model.service_model.service_name == "sqs":
            self.bill.queue += 1
            return
        self.bill.round_trips += 1
        asked = context["asked"]
        if model.name == "BatchGetItem":
            found = parsed["Responses"].get(self._table, [])
            keys = len(asked["RequestItems"][self._table]["Keys"])
            self.bill.reads += sum(_units(item, 4 * _KB) for item in found) + keys - len(found)
        elif model.name == "Query":
            self.bill.reads += max(1, -(-sum(map(_size, parsed["Items"])) // (4 * _KB)))
        else:
            self._write(model.name, asked)

    def _write(self, action: str, asked: Item) -> None:
        price = 2 if action == "TransactWriteItems" else 1
        for key in _written(action, asked):
            before, after = self._before[_name(key)], self._item(key)
            self.bill.writes += price * max(_units(before or {}, _KB), _units(after or {}, _KB))
            self.bill.writes += _index_entries(before, after)

    def _item(self, key: Item) -> Item | None:
        return self._look.get_item(TableName=self._table, Key=dict(key), ConsistentRead=True).get("Item")


def _written(action: str, asked: Item) -> list[Item]:
    """The keys that a write touches."""
    if action == "TransactWriteItems":
        return [_key(next(iter(item.values()))) for item in asked["TransactItems"]]
    if action == "BatchWriteItem":
        (requests,) = asked["RequestItems"].values()
        return [_key(next(iter(request.values()))) for request in requests]
    return [_key(asked)] if action in ("PutItem", "UpdateItem", "DeleteItem") else []


def _key(write: Item) -> Item:
    holder = write.get("Key") or write["Item"]
    return {name: holder[name] for name in (resources.PARTITION_KEY, resources.SORT_KEY)}


def _name(key: Item) -> str:
    return "/".join(part["S"] for part in key.values())


def _index_entries(before: Item | None, after: Item | None) -> int:
    """An entry that comes or goes is a write; one whose key changes is both."""
    old, new = ((item or {}).get(resources.DUE_AT) for item in (before, after))
    return 0 if old == new else (old is not None) + (new is not None)


def _units(item: Item, of: int) -> int:
    return max(1, -(-_size(item) // of))


def _size(item: Item) -> int:
    return sum(len(name.encode()) + _value(value) for name, value in item.items())


def _value(value: Any) -> int:
    ((kind, held),) = value.items()
    match kind:
        case "S":
            return len(held.encode())
        case "N":
            return len(held) // 2 + 2
        case "B":
            return len(held)
        case "L":
            return 3 + sum(1 + _value(member) for member in held)
        case "M":
            return 3 + sum(1 + len(name.encode()) + _value(member) for name, member in held.items())
    return 1

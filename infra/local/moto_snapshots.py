"""Makes moto roll a failed transaction back item by item.

moto copies the whole table before every transaction and puts the copy back on failure. That costs time in proportion to
the table, and undoes whatever others wrote meanwhile.
"""

import copy
from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any

from moto.dynamodb import models
from moto.dynamodb.models import DynamoDBBackend
from moto.dynamodb.models.dynamo_type import DynamoType
from moto.dynamodb.models.table import Table

Undo = Callable[[], None]


def install() -> None:
    """Patch moto in this process, once."""
    if DynamoDBBackend.transact_write_items is not _transact_write_items:
        models.copy = SimpleNamespace(deepcopy=_deepcopy)  # type: ignore[attr-defined,assignment]
        DynamoDBBackend.transact_write_items = _transact_write_items  # type: ignore[method-assign]


_moto_transact_write_items = DynamoDBBackend.transact_write_items


def _transact_write_items(self: DynamoDBBackend, transact_items: list[dict[str, Any]]) -> None:
    undos = [_undo(self, operation) for item in transact_items for operation in item.values()]
    try:
        _moto_transact_write_items(self, transact_items)
    except Exception:
        for undo in undos:
            undo()
        raise


def _deepcopy(value: Any, memo: dict[int, Any] | None = None) -> Any:
    """A copy of anything but a table: what moto would put back is then the table itself."""
    return value if isinstance(value, Table) else copy.deepcopy(value, memo)


def _undo(backend: DynamoDBBackend, operation: Mapping[str, Any]) -> Undo:
    """How to bring back the item that this operation names, as it is now."""
    table = backend.tables.get(operation.get("TableName", ""))
    named = operation.get("Key") or operation.get("Item") or {}
    if table is None or any(name not in named for name in table.table_key_attrs):
        return lambda: None  # moto refuses such an operation before it changes anything
    key = [DynamoType(named[name]) for name in table.table_key_attrs]
    place, last = (table.items[key[0]], key[1]) if len(key) == 2 else (table.items, key[0])
    before = copy.deepcopy(place.get(last))

    def undo() -> None:
        if before is None:
            place.pop(last, None)
        else:
            place[last] = before

    return undo

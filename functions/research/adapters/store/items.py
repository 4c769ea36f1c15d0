"""Records as DynamoDB items: where each is kept, what expires when, and what is packed."""

import json
import re
import zlib
from collections.abc import Mapping
from typing import Any

from research.words import records, resources
from research.words.clock import milliseconds
from research.words.records import Record, Ref

Item = dict[str, Any]
"""An item or a key in DynamoDB's own attribute values: {"pk": {"S": "…"}, …}."""

_PACKED: tuple[type[Record], ...] = (
    records.Title,
    records.Question,
    records.StoredAnswer,
    records.EvidenceText,
)
"""Content: one compressed attribute, which no condition ever looks into."""

_KEYS: dict[type[Record], tuple[str, str]] = {
    records.Token: ("PRINCIPAL#{}", "TOKEN#{}"),
    records.Workspace: ("WORKSPACE#{}", "META"),
    records.Member: ("WORKSPACE#{}", "MEMBER#{}"),
    records.Budget: ("BUDGET#{}#{}", "META"),
    records.WorkspaceEntry: ("WORKSPACES", "{}"),
    records.Project: ("WORKSPACE#{}", "PROJECT#{}"),
    records.Snapshot: ("PROJECT#{}#{}", "SNAPSHOT#{:0>12}"),
    records.Evidence: ("PROJECT#{}#{}", "EVIDENCE#{}"),
    records.EvidenceText: ("TEXT#{}#{}#{}", "REVISION#{:0>12}"),
    records.Conversation: ("CONVERSATION#{}", "META"),
    records.ConversationEntry: ("OWNER#{}#{}", "{}"),
    records.Title: ("CONVERSATION#{}", "TITLE"),
    records.Run: ("CONVERSATION#{}", "RUN#{}"),
    records.Question: ("CONVERSATION#{}", "MSG#{}#Q"),
    records.StoredAnswer: ("CONVERSATION#{}", "MSG#{}#A"),
    records.Refused: ("REFUSED#{}#{}", "META"),
    records.Mutation: ("MUTATION#{}#{}", "{}"),
}
"""Partition and sort key of each kind, with its ids in their order. No id holds a `#`, but a conversation's place."""


def _reader(partition: str, sort: str) -> re.Pattern[str]:
    """What recognises the keys of a kind and finds the ids in them."""
    in_partition = re.escape(partition).replace(r"\{\}", "([^#]+)")
    in_sort = re.escape(sort).replace(r"\{:0>12\}", "0*([0-9]+)").replace(r"\{\}", "(.+)")
    return re.compile(f"{in_partition}\n{in_sort}")


_READERS = {kind: _reader(*templates) for kind, templates in _KEYS.items()}


def listing(kind: type[Record], names: tuple[str, ...]) -> tuple[str, str]:
    """The partition of a list and what its sort keys begin with."""
    partition, sort = _KEYS[kind]
    return partition.format(*names), sort.partition("{")[0]


def key(of: Ref[Any]) -> Item:
    """The primary key of what a reference names."""
    partition, sort = _KEYS[of.kind]
    in_partition = partition.count("{")
    return {
        resources.PARTITION_KEY: {"S": partition.format(*of.ids[:in_partition])},
        resources.SORT_KEY: {"S": sort.format(*of.ids[in_partition:])},
    }


def item(of: Ref[Any], record: Record, ttl: int | None = None) -> Item:
    """The whole item of a record; `ttl` in epoch seconds. A due record is put into the index of due work."""
    if isinstance(record, _PACKED):
        attributes: dict[str, Any] = {"body": zlib.compress(record.model_dump_json(exclude_none=True).encode())}
    else:
        attributes = record.model_dump(exclude_none=True)
    if resources.DUE_AT in attributes:
        attributes[resources.DUE_SHARD] = shard(of)
    if ttl is not None:
        attributes[resources.TTL_ATTRIBUTE] = ttl
    return {**key(of), **{name: value(content) for name, content in attributes.items()}}


def record(kind: type[Record], stored: Mapping[str, Any]) -> Record:
    """The record that an item holds."""
    if "body" in stored:
        return kind.model_validate_json(zlib.decompress(stored["body"]["B"]))
    return kind.model_validate({name: plain(content) for name, content in stored.items()})


def value(content: Any) -> dict[str, Any]:
    """A value as DynamoDB's attribute value: what has members as one of JSON, the rest as it is.

    botocore takes longer over a nested value than all of our own code over the call. boto3's own serializer knows no
    tuples, and reads numbers as decimals.
    """
    match content:
        case bool():
            return {"BOOL": content}
        case int():
            return {"N": str(content)}
        case str():
            return {"S": content}
        case bytes():
            return {"B": content}
        case dict():
            return {"B": _packed(content)}
        case list() | tuple():
            nested = any(isinstance(member, dict) for member in content)
            return {"B": _packed(content)} if nested else {"L": [value(member) for member in content]}
    raise TypeError(f"no attribute value for {type(content).__name__}")


def _packed(content: Any) -> bytes:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()


def plain(content: Mapping[str, Any]) -> Any:
    """The value that an attribute value holds; a number is an integer, since nothing else is ever stored."""
    ((kind, held),) = content.items()
    match kind:
        case "N":
            return int(held)
        case "B":
            return json.loads(held)
        case "L":
            return [plain(member) for member in held]
    return held


def ref(stored: Mapping[str, Any]) -> Ref[Any] | None:
    """What an item's key names; None for a key that is none of ours."""
    keys = f"{stored[resources.PARTITION_KEY]['S']}\n{stored[resources.SORT_KEY]['S']}"
    for kind, reader in _READERS.items():
        if found := reader.fullmatch(keys):
            return Ref(kind, found.groups())
    return None


def shard(of: Ref[Any]) -> str:
    """The partition of the due index that a reference belongs to."""
    return resources.DUE_SHARDS[zlib.crc32("/".join(of.ids).encode()) % len(resources.DUE_SHARDS)]


def seconds(instant: Any) -> int:
    """A TTL: whole epoch seconds, never before the instant, so that nothing is cleaned up early."""
    return -(-milliseconds(instant) // 1000)

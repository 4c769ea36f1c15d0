"""Records as DynamoDB items: where each is kept, what expires when, and what is packed."""

import zlib
from collections.abc import Callable, Mapping
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

_KEYS: dict[type[Record], Callable[..., tuple[str, str]]] = {
    records.Token: lambda principal, digest: (f"PRINCIPAL#{principal}", f"TOKEN#{digest}"),
    records.Workspace: lambda workspace: (f"WORKSPACE#{workspace}", "META"),
    records.Member: lambda workspace, principal: (f"WORKSPACE#{workspace}", f"MEMBER#{principal}"),
    records.Budget: lambda workspace, day: (f"BUDGET#{workspace}#{day}", "META"),
    records.WorkspaceEntry: lambda workspace: ("WORKSPACES", workspace),
    records.Project: lambda workspace, project: (f"WORKSPACE#{workspace}", f"PROJECT#{project}"),
    records.Snapshot: lambda workspace, project, revision: (
        f"PROJECT#{workspace}#{project}",
        f"SNAPSHOT#{int(revision):012d}",
    ),
    records.Evidence: lambda workspace, project, evidence: (
        f"PROJECT#{workspace}#{project}",
        f"EVIDENCE#{evidence}",
    ),
    records.EvidenceText: lambda workspace, project, evidence, revision: (
        f"TEXT#{workspace}#{project}#{evidence}",
        f"REVISION#{int(revision):012d}",
    ),
    records.Conversation: lambda conversation: (f"CONVERSATION#{conversation}", "META"),
    records.ConversationEntry: lambda workspace, principal, place: (f"OWNER#{workspace}#{principal}", place),
    records.Title: lambda conversation: (f"CONVERSATION#{conversation}", "TITLE"),
    records.Run: lambda conversation, run: (f"CONVERSATION#{conversation}", f"RUN#{run}"),
    records.Question: lambda conversation, run: (f"CONVERSATION#{conversation}", f"MSG#{run}#Q"),
    records.StoredAnswer: lambda conversation, run: (f"CONVERSATION#{conversation}", f"MSG#{run}#A"),
    records.Refused: lambda conversation, run: (f"REFUSED#{conversation}#{run}", "META"),
    records.Mutation: lambda workspace, principal, mutation: (f"MUTATION#{workspace}#{principal}", mutation),
}


_LISTS: dict[type[Record], tuple[Callable[..., str], str]] = {
    records.WorkspaceEntry: (lambda: "WORKSPACES", ""),
    records.Member: (lambda workspace: f"WORKSPACE#{workspace}", "MEMBER#"),
    records.Project: (lambda workspace: f"WORKSPACE#{workspace}", "PROJECT#"),
    records.Token: (lambda principal: f"PRINCIPAL#{principal}", "TOKEN#"),
    records.Evidence: (lambda workspace, project: f"PROJECT#{workspace}#{project}", "EVIDENCE#"),
    records.ConversationEntry: (lambda workspace, principal: f"OWNER#{workspace}#{principal}", ""),
}
"""The partition and the beginning of the sort keys of what is listed; the rest of the sort key names one."""


def listing(kind: type[Record], names: tuple[str, ...]) -> tuple[str, str]:
    """The partition of a list and what its sort keys begin with."""
    partition, prefix = _LISTS[kind]
    return partition(*names), prefix


def key(ref: Ref[Any]) -> Item:
    """The primary key of what a reference names."""
    partition, sort = _KEYS[ref.kind](*ref.ids)
    return {resources.PARTITION_KEY: {"S": partition}, resources.SORT_KEY: {"S": sort}}


def item(ref: Ref[Any], record: Record, ttl: int | None = None) -> Item:
    """The whole item of a record; `ttl` in epoch seconds. A due record is put into the index of due work."""
    if isinstance(record, _PACKED):
        attributes: dict[str, Any] = {"body": zlib.compress(record.model_dump_json(exclude_none=True).encode())}
    else:
        attributes = record.model_dump(exclude_none=True)
    if resources.DUE_AT in attributes:
        attributes[resources.DUE_SHARD] = shard(ref)
    if ttl is not None:
        attributes[resources.TTL_ATTRIBUTE] = ttl
    return {**key(ref), **{name: value(content) for name, content in attributes.items()}}


def record(kind: type[Record], stored: Mapping[str, Any]) -> Record:
    """The record that an item holds."""
    if "body" in stored:
        return kind.model_validate_json(zlib.decompress(stored["body"]["B"]))
    return kind.model_validate({name: plain(content) for name, content in stored.items()})


def value(content: Any) -> dict[str, Any]:
    """A value as DynamoDB's attribute value. boto3's own serializer knows no tuples, and reads numbers as decimals."""
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
            return {"M": {name: value(member) for name, member in content.items()}}
        case list() | tuple():
            return {"L": [value(member) for member in content]}
    raise TypeError(f"no attribute value for {type(content).__name__}")


def plain(content: Mapping[str, Any]) -> Any:
    """The value that an attribute value holds; a number is an integer, since nothing else is ever stored."""
    ((kind, held),) = content.items()
    match kind:
        case "N":
            return int(held)
        case "M":
            return {name: plain(member) for name, member in held.items()}
        case "L":
            return [plain(member) for member in held]
    return held


def due_ref(stored: Mapping[str, Any]) -> Ref[Any] | None:
    """What an entry of the due index names."""
    kind, _, rest = stored[resources.PARTITION_KEY]["S"].partition("#")
    sort = stored[resources.SORT_KEY]["S"]
    if kind == "REFUSED":
        return records.refused(*rest.split("#"))
    if kind == "CONVERSATION" and sort == "META":
        return records.conversation(rest)
    if kind == "CONVERSATION" and sort.startswith("RUN#"):
        return records.run(rest, sort.removeprefix("RUN#"))
    return None


def shard(ref: Ref[Any]) -> str:
    """The partition of the due index that a reference belongs to."""
    return resources.DUE_SHARDS[zlib.crc32("/".join(ref.ids).encode()) % len(resources.DUE_SHARDS)]


def seconds(instant: Any) -> int:
    """A TTL: whole epoch seconds, never before the instant, so that nothing is cleaned up early."""
    return -(-milliseconds(instant) // 1000)

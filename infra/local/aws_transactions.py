"""What DynamoDB does with a TransactWriteItems and moto does not: tokens, the total size, unused placeholders."""

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from infra.local.aws_faults import Call, Refuse, refusal
from infra.local.http_server import Reply

MAX_BYTES = 4 * 1024 * 1024
TOKEN_SECONDS = 600.0

_PLACEHOLDER = re.compile(r"[:#]\w+")
_MISMATCH = Refuse(
    "IdempotentParameterMismatchException", message="The client token was used before, with other parameters"
)


@dataclass(frozen=True, slots=True)
class _Past:
    digest: bytes
    reply: Reply
    until: float


class Transactions:
    """Runs each transaction once per ClientRequestToken within ten minutes; a failed one may be sent again.

    `clock` gives seconds that only grow. Callers hold the lock that makes requests atomic.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._past: dict[str, _Past] = {}

    def write(self, call: Call, act: Callable[[], Reply]) -> Reply:
        """The answer to a TransactWriteItems: that of `act`, the one recorded under its token, or a refusal."""
        token = call.body.get("ClientRequestToken") or ""
        self._forget()
        past, digest = self._past.get(token), _digest(call.body)
        if past is not None:
            return past.reply if past.digest == digest else refusal(call, _MISMATCH)
        fault = _fault(call.body)
        if fault:
            return refusal(call, Refuse("ValidationException", message=fault))
        reply = act()
        if token and reply.status == 200:
            self._past[token] = _Past(digest, reply, self._clock() + TOKEN_SECONDS)
        return reply

    def _forget(self) -> None:
        """Drop what is over. The oldest stand first."""
        now = self._clock()
        while self._past and (oldest := next(iter(self._past.items())))[1].until <= now:
            del self._past[oldest[0]]


def _digest(body: Mapping[str, Any]) -> bytes:
    return hashlib.sha256(json.dumps(body, sort_keys=True).encode()).digest()


def _fault(body: Mapping[str, Any]) -> str | None:
    operations = [operation for item in body.get("TransactItems", ()) for operation in item.values()]
    if sum(map(_operation_size, operations)) > MAX_BYTES:
        return "Transaction request cannot include more than 4 MB of data"
    for operation in operations:
        expressions = f"{operation.get('ConditionExpression', '')} {operation.get('UpdateExpression', '')}"
        used = set(_PLACEHOLDER.findall(expressions))
        given = {*operation.get("ExpressionAttributeNames", ()), *operation.get("ExpressionAttributeValues", ())}
        if unused := sorted(given - used):
            return f"A name or value was provided but is unused in expressions: keys: {{{', '.join(unused)}}}"
        if undefined := sorted(used - given):
            return f"An expression uses a name or value that is not defined: {', '.join(undefined)}"
    return None


def _operation_size(operation: Mapping[str, Any]) -> int:
    """Bytes that the operation brings; what an update finds in the table counts too, but only AWS knows it."""
    parts = (operation.get("Item"), operation.get("Key"), operation.get("ExpressionAttributeValues"))
    return sum(len(name.encode()) + _size(value) for part in parts if part for name, value in part.items())


def _size(value: Mapping[str, Any]) -> int:
    kind, content = next(iter(value.items()))
    if kind == "B":
        return len(content) * 3 // 4
    if kind in ("M", "L"):
        return 3 + sum(len(name.encode()) + 1 + _size(inner) for name, inner in _members(content))
    return sum(len(text.encode()) for text in content) if isinstance(content, list) else len(str(content).encode())


def _members(content: Any) -> Iterator[tuple[str, Any]]:
    yield from content.items() if isinstance(content, dict) else (("", inner) for inner in content)

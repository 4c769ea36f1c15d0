"""What AWS does on a bad day, for tests to order: moto by itself never conflicts, throttles or loses a reply."""

import json
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from infra.local.http_server import Reply, Request

_NAMESPACES = {"dynamodb": "com.amazonaws.dynamodb.v20120810", "sqs": "com.amazonaws.sqs"}
_REASONS = {
    "ConditionalCheckFailed": "The conditional request failed",
    "TransactionConflict": "Transaction is ongoing for the item",
    "ThrottlingError": "Throughput exceeds the current capacity for the table",
    "ProvisionedThroughputExceeded": "The provisioned throughput of the table was exceeded",
}


@dataclass(frozen=True, slots=True)
class Call:
    """One AWS call as it arrived: `("dynamodb", "PutItem", {...})`. `body` is its JSON, bytes still in base64."""

    service: str
    action: str
    body: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Refuse:
    """Do not act; answer this error. `code` is the exception's name, `members` what it carries beside a message."""

    code: str
    status: int = 400
    message: str = "injected"
    members: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Cancel:
    """Do not act; cancel the transaction for these reasons, one per item in order, the rest being `None`."""

    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LoseReply:
    """Act, then lose the answer: close the connection, or with `status` answer that error instead."""

    status: int | None = None


@dataclass(frozen=True, slots=True)
class LoseRequest:
    """Do not act, and close the connection: nobody can know from outside that it is not a lost reply."""


@dataclass(frozen=True, slots=True)
class LeaveUnprocessed:
    """Act on all but the last `count` keys of a BatchGetItem, or writes of a BatchWriteItem, and give those back."""

    count: int


Fault = Refuse | Cancel | LoseReply | LoseRequest | LeaveUnprocessed
FaultFor = Callable[[Call], Fault | None]
Act = Callable[[Request], Reply]

CONFLICT = Cancel(("TransactionConflict",))
"""A transaction met another one on its first item."""
WRITE_CONFLICT = Refuse("TransactionConflictException", message="Transaction is ongoing for the item")
"""A plain write met a transaction."""
IN_PROGRESS = Refuse("TransactionInProgressException", message="The transaction with the given token is in progress")
"""The same ClientRequestToken is at work at this moment."""
THROTTLED = Refuse("ThrottlingException", message="Rate exceeded")
THROUGHPUT_EXCEEDED = Refuse("ProvisionedThroughputExceededException", message="The throughput was exceeded")
SERVER_ERROR = Refuse("InternalServerError", status=500, message="The service failed inside")
"""Nothing was done, though a client cannot know it."""


def in_turn(action: str, *faults: Fault | None) -> FaultFor:
    """A hook that meets the next calls of `action` with these faults, one each, then lets everything pass."""
    waiting = deque(faults)
    return lambda call: waiting.popleft() if waiting and call.action == action else None


def always(action: str, fault: Fault) -> FaultFor:
    """A hook that meets every call of `action` with this fault."""
    return lambda call: fault if call.action == action else None


def under(fault: Fault | None, call: Call, request: Request, act: Act) -> Reply | None:
    """The answer to a call under a fault; None when the connection is to break."""
    match fault:
        case None:
            return act(request)
        case Refuse():
            return refusal(call, fault)
        case Cancel(reasons):
            return refusal(call, _cancelled(call, reasons))
        case LoseRequest():
            return None
        case LoseReply(status):
            act(request)
            return None if status is None else refusal(call, replace(SERVER_ERROR, status=status))
        case LeaveUnprocessed(count):
            return _partly(call, request, act, count)


def refusal(call: Call, refuse: Refuse) -> Reply:
    """An error in the JSON protocol of DynamoDB and SQS."""
    name = f"{_NAMESPACES.get(call.service, call.service)}#{refuse.code}"
    return _json(refuse.status, {"__type": name, "message": refuse.message, **refuse.members})


def _cancelled(call: Call, reasons: tuple[str, ...]) -> Refuse:
    codes = (*reasons, *["None"] * (len(call.body.get("TransactItems", ())) - len(reasons)))
    message = f"Transaction cancelled, please refer cancellation reasons for specific reasons [{', '.join(codes)}]"
    details = [{"Code": code, "Message": _REASONS[code]} if code in _REASONS else {"Code": code} for code in codes]
    return Refuse("TransactionCanceledException", message=message, members={"CancellationReasons": details})


def _partly(call: Call, request: Request, act: Act, count: int) -> Reply:
    taken, left = _split(call.body["RequestItems"], count)
    reads = call.action == "BatchGetItem"
    document: dict[str, Any] = {"Responses": {table: [] for table in left}} if reads else {}
    if taken:
        body = json.dumps({**call.body, "RequestItems": taken}).encode()
        reply = act(replace(request, body=body))
        if reply.status != 200:
            return reply
        document |= json.loads(reply.body)
    return _json(200, {**document, "UnprocessedKeys" if reads else "UnprocessedItems": left})


def _split(items: Mapping[str, Any], count: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """The request without its last `count` keys or writes, and those in the form of a request with the same options."""
    taken: dict[str, Any] = {}
    left: dict[str, Any] = {}
    for table, asked in reversed(list(items.items())):
        entries = asked["Keys"] if isinstance(asked, dict) else asked
        at = max(0, len(entries) - count)
        count -= len(entries) - at
        for part, chosen in ((entries[:at], taken), (entries[at:], left)):
            if part:
                chosen[table] = {**asked, "Keys": part} if isinstance(asked, dict) else part
    return taken, left


def _json(status: int, document: Mapping[str, Any]) -> Reply:
    headers = (("Content-Type", "application/x-amz-json-1.0"), ("x-amzn-RequestId", "LOCAL"))
    return Reply(status, headers, json.dumps(document).encode())

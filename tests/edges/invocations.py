"""A worker's invocation as the tests make it: an SQS event, a Lambda context, and what is stored afterwards."""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from harness.service import Service

from research.rules import transitions
from research.words import records
from research.words.records import Budget, Run

TIME = transitions.FUNCTION_TIMEOUT
DONE: dict[str, Any] = {"batchItemFailures": []}


class Invocation:
    """A Lambda context with this much time left."""

    def __init__(self, left: timedelta = TIME) -> None:
        self.get_remaining_time_in_millis = lambda: int(left.total_seconds() * 1000)


def messages(*bodies: str) -> dict[str, Any]:
    """An SQS event of these messages, `m0`, `m1` and so on."""
    rest = {"attributes": {}, "messageAttributes": {}, "eventSource": "aws:sqs", "awsRegion": "us-east-1"}
    return {
        "Records": [
            {"messageId": f"m{place}", "receiptHandle": f"r{place}", "body": body, **rest}
            for place, body in enumerate(bodies)
        ]
    }


def message(run: Any) -> str:
    return json.dumps({"conversation_id": run["conversation_id"], "run_id": run["id"]})


def stored(service: Service, run: Any) -> Run:
    ref = records.run(run["conversation_id"], run["id"])
    found = service.store.fetch(ref)[ref]
    assert found is not None
    return found


def spent(service: Service) -> Budget | None:
    ref = records.budget(service.workspace_id, "2026-11-30")
    return service.store.fetch(ref)[ref]


def outcome(service: Service, run: Any) -> tuple[str, str | None]:
    view = service.status(run).body["run"]
    return view["status"], view["failure_code"]


def just_before_the_write(service: Service, act: Callable[[], Any]) -> None:
    """Have somebody else act once, between the next call's reading and its transaction."""
    waiting = [act]

    def overtake(**_: Any) -> None:
        if waiting:
            waiting.pop()()

    service.store._calls.client.meta.events.register("before-call.dynamodb.TransactWriteItems", overtake)


def left_by_a_worker(service: Service, run: Any, *, started: bool) -> None:
    """The run as a worker leaves it that dies holding it: in its call, or before."""
    claimed = transitions.claim(stored(service, run), "worker", service.time.now)
    assert claimed is not None
    service.store.advance(stored(service, run), claimed)
    called = transitions.start(claimed, "scripted", service.time.now)
    if started and called is not None:
        service.store.advance(claimed, called)

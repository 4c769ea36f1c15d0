"""The worker on a bad day: every write of a generation put off or unanswered, and still one call and one answer."""

from collections.abc import Callable
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from harness.service import Service

from infra.local.aws_faults import (
    CONFLICT,
    SERVER_ERROR,
    THROTTLED,
    WRITE_CONFLICT,
    Call,
    Fault,
    LoseReply,
)
from research.words.records import Budget
from tests.edges.invocations import DONE, Invocation, message, messages, outcome, spent, stored


@pytest.fixture
def service(service: Service, monkeypatch: pytest.MonkeyPatch) -> Service:
    """The service, over a store and a client that never wait."""
    monkeypatch.setattr("botocore.endpoint.time", SimpleNamespace(sleep=lambda _seconds: None))
    service.wiring.store._calls._pause = lambda _seconds: None
    return service


def writes(call: Call, status: str) -> bool:
    """Whether the call puts the run into this state."""
    operations = [call.body, *(item.get("Put", {}) for item in call.body.get("TransactItems", ()))]
    items = [operation.get("Item", {}) for operation in operations]
    return any("fence" in item and item["status"] == {"S": status} for item in items)


STEPS: dict[str, Callable[[Call], bool]] = {
    "claim": lambda call: writes(call, "processing") and "call_started_at" not in call.body["Item"],
    "start": lambda call: writes(call, "processing") and "call_started_at" in call.body["Item"],
    "publish": lambda call: writes(call, "completed") and "MSG#" in str(call.body),
    "settle": lambda call: writes(call, "completed") and "BUDGET#" in str(call.body),
}
PASSING: dict[str, tuple[Fault, ...]] = {
    "put off": (THROTTLED, WRITE_CONFLICT, SERVER_ERROR),
    "unanswered": (LoseReply(), *[LoseReply(status=500)] * 3),
}


def at(step: str, *faults: Fault) -> Callable[[Call], Fault | None]:
    """Meet the step's write with these faults, one for each time that it is sent."""
    waiting = list(faults)
    return lambda call: waiting.pop(0) if waiting and STEPS[step](call) else None


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("what", PASSING)
def test_a_write_that_succeeds_in_the_end_costs_neither_an_answer_nor_a_second_call(
    service: Service, step: str, what: str
) -> None:
    run = service.asked()

    with service.aws.faults(at(step, *PASSING[what])):
        answer = service.consumer(messages(message(run)), Invocation())

    assert (answer, outcome(service, run)) == (DONE, ("completed", None))
    assert len(service.model.prompts) == 1
    assert service.get(run["conversation_id"]).body["conversation"]["revision"] == 3
    assert spent(service) == Budget(runs=1, tokens=100)


@pytest.mark.parametrize(("step", "calls"), [("claim", 0), ("start", 0), ("publish", 1)])
def test_a_worker_that_cannot_write_hands_its_message_back_and_the_run_still_ends_after_one_call_at_most(
    service: Service, step: str, calls: int
) -> None:
    run = service.asked()

    with service.aws.faults(at(step, *[THROTTLED] * 9_999)):
        answer = service.consumer(messages(message(run)), Invocation())
    service.time.pass_(seconds=181)
    service.sweep()
    again = service.consumer(messages(message(run)), Invocation())

    assert (answer, again) == ({"batchItemFailures": [{"itemIdentifier": "m0"}]}, DONE)
    assert outcome(service, run) == (("failed", "generation_unconfirmed") if calls else ("completed", None))
    assert len(service.model.prompts) == 1


@pytest.mark.parametrize("fault", [THROTTLED, LoseReply()])
def test_an_answer_outlasts_a_table_that_fails_for_as_long_as_the_worker_has_time(
    service: Service, fault: Fault
) -> None:
    run = service.asked()
    began = service.time.now

    def for_a_hundred_seconds(call: Call) -> Fault | None:
        return fault if STEPS["publish"](call) and service.time.now < began + timedelta(seconds=100) else None

    with service.aws.faults(for_a_hundred_seconds):
        answer = service.consumer(messages(message(run)), Invocation())

    assert (answer, outcome(service, run)) == (DONE, ("completed", None))
    assert (len(service.model.prompts), spent(service)) == (1, Budget(runs=1, tokens=100))
    assert service.get(run["conversation_id"]).body["conversation"]["revision"] == 3


def test_a_counter_that_is_busy_for_good_costs_no_answer(service: Service) -> None:
    run = service.asked()

    with service.aws.faults(at("settle", *[CONFLICT] * 99)):
        answer = service.consumer(messages(message(run)), Invocation())

    assert (answer, outcome(service, run)) == (DONE, ("completed", None))
    assert (stored(service, run).unsettled, spent(service)) == (100, Budget(runs=1))


def test_a_worker_that_froze_before_its_call_writes_and_calls_nothing_when_it_wakes(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = service.asked()
    advance = service.store.advance
    frozen: list[Any] = []

    def freeze_before_starting(before: Any, after: Any) -> None:
        if after.call_started_at is not None and not frozen:
            frozen.append(after)
            service.time.pass_(seconds=151)
            service.sweep()
            service.consumer(messages(message(run)), Invocation())
        advance(before, after)

    monkeypatch.setattr(service.store, "advance", freeze_before_starting)
    woken = service.consumer(messages(message(run)), Invocation())

    assert (woken, outcome(service, run)) == (DONE, ("completed", None))
    assert (len(frozen), len(service.model.prompts)) == (1, 1)


def test_a_queue_that_cannot_hide_a_message_only_brings_it_back_later(service: Service) -> None:
    run = service.asked()
    context = Invocation(timedelta(seconds=10))

    def refused(call: Call) -> Fault | None:
        return SERVER_ERROR if call.action == "ChangeMessageVisibility" else None

    with service.aws.faults(refused):
        answer = service.consumer(messages(message(run)), context)

    assert answer == {"batchItemFailures": [{"itemIdentifier": "m0"}]}
    assert outcome(service, run) == ("queued", None)

"""Every step met with every fault at every call that it makes: before it, after it, once and for good."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from botocore import endpoint

from infra.local.aws import LocalAws
from infra.local.aws_faults import (
    SERVER_ERROR,
    THROTTLED,
    WRITE_CONFLICT,
    Call,
    Cancel,
    Fault,
    LeaveUnprocessed,
    LoseReply,
    LoseRequest,
)
from tests.faults.steps import STEPS
from tests.faults.world import Death, World

WRITES = ("PutItem", "UpdateItem", "DeleteItem")
FOR_GOOD = 10**6


def _conflict(call: Call) -> Fault:
    return WRITE_CONFLICT if call.action in WRITES else Cancel(("None", "TransactionConflict"))


FAULTS: dict[str, tuple[Callable[[Call], Fault], int]] = {
    "throttled": (lambda _: THROTTLED, 1),
    "throttled for good": (lambda _: THROTTLED, FOR_GOOD),
    "server error": (lambda _: SERVER_ERROR, 1),
    "conflict, twice": (_conflict, 2),
    "request lost": (lambda _: LoseRequest(), 1),
    "reply lost": (lambda _: LoseReply(), 1),
    "reply lost, 500": (lambda _: LoseReply(status=500), 1),
    "reply lost, each time": (lambda _: LoseReply(), FOR_GOOD),
    "partly unprocessed": (lambda _: LeaveUnprocessed(1), 1),
}
"""What the call is met with, and how often: `for good` means until the step is over."""

DEATHS = ("process died before", "process died after")


@dataclass(frozen=True, slots=True)
class Schedule:
    """One step, interrupted at its `place`-th call, which is of this action, by this fault."""

    step: str
    place: int
    action: str
    fault: str


@dataclass(frozen=True, slots=True)
class Result:
    """How it went: how the runs ended, what was broken, valid answers lost, content found past the day."""

    outcome: str
    broken: dict[str, list[str]]
    lost: int
    lost_for_want_of_retry: int
    past_the_day: int
    most_generations: int

    @property
    def is_right(self) -> bool:
        """Whether every promise was kept."""
        return not (self.broken or self.lost_for_want_of_retry or self.past_the_day)


def schedules(aws: LocalAws) -> Iterator[Schedule]:
    """Every pair of a call of a step and a fault that it can meet."""
    for step, calls in recorded(aws).items():
        for place, action in enumerate(calls):
            for fault in (*FAULTS, *DEATHS):
                if _applies(fault, action):
                    yield Schedule(step, place, action, fault)


def recorded(aws: LocalAws) -> dict[str, list[str]]:
    """The calls that each step makes on a good day, in order."""
    made: dict[str, list[str]] = {}
    with no_waiting():
        for name, step in STEPS.items():
            world = World(aws)
            prepared = step.prepare(world)
            calls: list[str] = []
            with aws.faults(lambda call, calls=calls: calls.append(call.action)):  # type: ignore[misc]
                step.act(world, prepared)
            made[name] = calls
            world.forget()
    return made


def run(aws: LocalAws, schedule: Schedule) -> Result:
    """One schedule from an empty table to the end of its day."""
    step = STEPS[schedule.step]

    def live(world: World) -> None:
        prepared = step.prepare(world)
        _interrupted(world, schedule, lambda: step.act(world, prepared))

    excused = schedule.fault in DEATHS or schedule.fault.endswith(("for good", "each time"))
    return lived_through(aws, live, excused=excused)


def lived_through(aws: LocalAws, live: Callable[[World], None], *, excused: bool = False) -> Result:
    """What became of a world; `excused` when no retry could have kept a valid answer."""
    with no_waiting():
        world = World(aws)
        live(world)
        world.recover()
        lost = len(world.lost())
        broken, outcome = world.faults(), world.outcome()
        past = world.past_the_day()
        world.forget()
    return Result(outcome, broken, lost, 0 if excused else lost, past, max(world.generated.values(), default=0))


def _applies(fault: str, action: str) -> bool:
    if fault.startswith("conflict"):
        return action in (*WRITES, "TransactWriteItems")
    if fault == "partly unprocessed":
        return action.startswith("Batch")
    return True


def _interrupted(world: World, schedule: Schedule, act: Callable[[], Any]) -> None:
    """The step under its fault. What fails is the client's, the queue's or the next sweep's to repeat."""
    seen = 0

    def fault_for(call: Call) -> Fault | None:
        nonlocal seen
        at, seen = seen, seen + 1
        make, times = FAULTS[schedule.fault]
        met = schedule.place <= at < schedule.place + times and call.action == schedule.action
        return make(call) if met else None

    try:
        if schedule.fault in DEATHS:
            with dying(world, schedule):
                act()
        else:
            with world.aws.faults(fault_for):
                act()
    except Death:
        world.restart()
    except Exception:  # noqa: BLE001, S110 (a failed invocation: Lambda's, the queue's, the sweep's to repeat)
        pass


@contextmanager
def dying(world: World, schedule: Schedule) -> Iterator[None]:
    """The process dies at the `place`-th call of its clients, before it is sent or once it has been answered."""
    event = "before-call" if schedule.fault.endswith("before") else "after-call"
    seen = 0

    def die(**_: Any) -> None:
        nonlocal seen
        at, seen = seen, seen + 1
        if at == schedule.place:
            raise Death

    service = world.service
    clients = (service.wiring.store._calls.client, service.wiring.queue._client, service.sqs)
    for client in clients:
        client.meta.events.register(event, die)
    try:
        yield
    finally:
        for client in clients:
            client.meta.events.unregister(event, die)


@contextmanager
def no_waiting() -> Iterator[None]:
    """botocore's own pauses between its tries take no time."""
    slow = endpoint.time  # type: ignore[attr-defined]
    endpoint.time = SimpleNamespace(sleep=lambda _seconds: None)  # type: ignore[attr-defined]
    try:
        yield
    finally:
        endpoint.time = slow  # type: ignore[attr-defined]

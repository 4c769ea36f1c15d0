"""Many callers and workers at the same instant, over HTTP: one of them acts, and the others are told so."""

import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from typing import Any, TypeVar

import pytest
from harness.service import DEFAULT_REPLY, Response, Service, Time

from research.operations.ports import Delivery
from research.operations.provider import Reply
from research.rules import transitions
from research.rules.prompt import Prompt
from research.words import records
from research.words.records import Budget

T = TypeVar("T")


class Ticking(Time):
    """A clock that is a millisecond later each time it is read, so that no two writes are the same."""

    def __init__(self) -> None:
        super().__init__()
        self._lock = threading.Lock()

    def __call__(self) -> datetime:
        with self._lock:
            self.now += timedelta(milliseconds=1)
            return self.now


@pytest.fixture
def service(service: Service) -> Iterator[Service]:
    """The service on a ticking clock, threads taking turns a hundred times as often as they would."""
    service.time = Ticking()
    service.wire()
    interval = sys.getswitchinterval()
    sys.setswitchinterval(5e-5)
    yield service
    sys.setswitchinterval(interval)


def at_once(count: int, act: Callable[[int], T]) -> list[T]:
    gate = threading.Barrier(count)

    def one(number: int) -> T:
        gate.wait()
        return act(number)

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(one, range(count)))


def sent(service: Service, bodies: list[dict[str, Any]]) -> list[Response]:
    return at_once(len(bodies), lambda number: service.send("assistant_request", bodies[number]))


def test_fifty_callers_with_one_mutation_make_one_run_and_get_the_same_result(service: Service) -> None:
    conversation = service.create().body["conversation"]

    answers = sent(service, [service.asking(conversation)] * 50)

    assert [answer.status for answer in answers] == [200] * 50
    assert all(answer.body == answers[0].body for answer in answers)
    assert Counter(answer.replayed for answer in answers) == {False: 1, True: 49}
    assert len(service.get(conversation["id"]).body["runs"]) == 1
    assert service.deliver() == 1
    assert len(service.model.prompts) == 1
    ref = records.budget(service.workspace_id, "2026-11-30")
    assert service.store.fetch(ref)[ref] == Budget(runs=1, tokens=100)


def test_of_fifty_mutations_on_one_revision_one_is_accepted(service: Service) -> None:
    conversation = service.create().body["conversation"]

    answers = sent(service, [service.asking(conversation) for _ in range(50)])

    assert Counter(answer.code for answer in answers) == {"ok": 1, "revision_conflict": 49}
    assert {answer.body["current_revision"] for answer in answers if answer.code != "ok"} == {2}
    read = service.get(conversation["id"]).body
    assert (len(read["runs"]), len(read["messages"]), read["conversation"]["revision"]) == (1, 1, 2)


def test_twenty_creates_with_one_mutation_open_one_conversation(service: Service) -> None:
    body = service.creation()

    answers = at_once(20, lambda _: service.send("conversations_create", body))

    assert len({answer.body["conversation"]["id"] for answer in answers}) == 1
    assert Counter(answer.replayed for answer in answers) == {False: 1, True: 19}


def test_the_last_runs_of_a_day_are_given_out_once_each(service: Service) -> None:
    service.wire(DAILY_RUNS="3")
    bodies = [service.asking(service.create().body["conversation"]) for _ in range(10)]

    answers = sent(service, bodies)

    codes = Counter(answer.body["run"]["failure_code"] for answer in answers)
    assert codes == {None: 3, "budget_exhausted": 7}


def test_ten_deliveries_of_one_run_at_once_are_one_call_of_the_provider(service: Service) -> None:
    run = service.asked()
    delivery = Delivery(run["conversation_id"], run["id"])

    waits = at_once(10, lambda _: service.generation.deliver(delivery, transitions.FUNCTION_TIMEOUT))

    assert waits == [None] * 10
    assert len(service.model.prompts) == 1
    assert service.status(run).body["run"]["status"] == "completed"


def test_runs_of_one_conversation_that_finish_at_once_each_bring_their_answer(service: Service) -> None:
    conversation = service.create().body["conversation"]
    runs = [service.request(conversation | {"revision": revision}).body["run"] for revision in range(1, 9)]
    gate = threading.Barrier(len(runs))

    def answer_together(_prompt: Prompt) -> Reply:
        gate.wait()
        return DEFAULT_REPLY

    service.model.script = [answer_together]
    deliveries = [Delivery(run["conversation_id"], run["id"]) for run in runs]
    at_once(8, lambda number: service.generation.deliver(deliveries[number], transitions.FUNCTION_TIMEOUT))

    read = service.get(conversation["id"]).body
    assert [run["status"] for run in read["runs"]] == ["completed"] * 8
    assert (len(read["messages"]), read["conversation"]["revision"]) == (16, 17)
    assert sorted(message["run_id"] for message in read["messages"][8:]) == sorted(run["id"] for run in runs)


def test_two_sweeps_and_a_worker_at_once_bring_every_run_to_one_answer(service: Service) -> None:
    runs = [service.asked() for _ in range(6)]
    service.time.pass_(seconds=31)

    at_once(3, lambda number: service.deliver() if number == 0 else sum(service.sweep().values()))
    service.deliver()

    assert [service.status(run).body["run"]["status"] for run in runs] == ["completed"] * 6
    assert len(service.model.prompts) == 6

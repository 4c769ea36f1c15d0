"""What the queue delivers: again, at once, too late, or something else; and when it is to come again."""

from datetime import timedelta
from typing import Any

import pytest
from harness.service import DEFAULT_REPLY, Service

from research.edges.queue_consumer import Consumer
from research.operations.generation import Generation
from research.operations.ports import Delivery
from research.operations.provider import NotGenerated, Reply
from research.rules import transitions
from research.rules.prompt import Prompt
from research.rules.transitions import Backoff
from research.words.records import Budget
from tests.edges.invocations import DONE, TIME, Invocation, message, messages, outcome, spent, stored

REFUSED = NotGenerated("provider_unavailable", retryable=True)


def test_a_refused_run_is_tried_five_times_and_then_ends(service: Service) -> None:
    run = service.asked()
    service.model.script = [REFUSED]
    attempts = []

    for _ in range(6):
        service.generation.deliver(Delivery(run["conversation_id"], run["id"]), TIME)
        attempts.append((stored(service, run).status, stored(service, run).attempts))

    assert attempts == [("queued", 1), ("queued", 2), ("queued", 3), ("queued", 4), ("failed", 4), ("failed", 4)]
    assert outcome(service, run) == ("failed", "provider_unavailable")
    assert len(service.model.prompts) == 5


def test_a_refused_run_is_answered_at_a_later_delivery(service: Service) -> None:
    run = service.asked()
    service.model.script = [REFUSED, REFUSED, DEFAULT_REPLY]

    assert service.deliver() == 3

    assert (outcome(service, run), stored(service, run).attempts) == (("completed", None), 2)
    assert spent(service) == Budget(runs=1, tokens=100)


def test_a_refused_message_comes_again_after_a_wait_that_doubles_or_that_the_provider_asks_for(
    service: Service,
) -> None:
    run = service.asked()
    backoff = Backoff(first=timedelta(seconds=10), longest=timedelta(seconds=100))
    consumer = Consumer(Generation(service.store, service.model, service.time, backoff), service.wiring.queue)
    asked = [None, 3.0, 61.2, 1e9]
    service.model.script = [
        NotGenerated("provider_unavailable", retryable=True, retry_after=seconds) for seconds in asked
    ]
    hidden: list[int] = []

    def watch(call: Any) -> None:
        if call.action == "ChangeMessageVisibility":
            hidden.append(call.body["VisibilityTimeout"])

    with service.aws.faults(watch):
        answers = []
        for _ in asked:
            answers.append(consumer(messages(message(run)), Invocation()))
            service.time.pass_(seconds=hidden[-1])

    assert answers == [{"batchItemFailures": [{"itemIdentifier": "m0"}]}] * 4
    assert hidden == [10, 20, 62, 100]
    assert stored(service, run).due_at == service.time.now + transitions.PICK_UP


def test_another_message_of_a_refused_run_waits_as_long_as_the_first(service: Service) -> None:
    run = service.asked()
    backoff = Backoff(first=timedelta(seconds=10), longest=timedelta(seconds=100))
    generation = Generation(service.store, service.model, service.time, backoff)
    service.model.script = [REFUSED, DEFAULT_REPLY]
    delivery = Delivery(run["conversation_id"], run["id"])

    first = generation.deliver(delivery, transitions.FUNCTION_TIMEOUT)
    service.time.pass_(seconds=4)
    again = generation.deliver(delivery, transitions.FUNCTION_TIMEOUT)
    service.time.pass_(seconds=6)
    last = generation.deliver(delivery, transitions.FUNCTION_TIMEOUT)

    assert (first, again, last) == (timedelta(seconds=10), timedelta(seconds=6), None)
    assert len(service.model.prompts) == 2


def test_a_message_that_is_delivered_again_generates_nothing_again(service: Service) -> None:
    run = service.asked()
    event = messages(message(run), message(run))

    first = service.consumer(event, Invocation())
    before = service.items()
    again = service.consumer(event, Invocation())

    assert (first, again) == (DONE, DONE)
    assert len(service.model.prompts) == 1
    assert service.items() == before


def test_a_delivery_while_another_worker_is_in_its_call_leaves_the_run_alone(service: Service) -> None:
    run = service.asked()
    delivery = Delivery(run["conversation_id"], run["id"])

    def deliver_again(_prompt: Prompt) -> Reply:
        assert service.generation.deliver(delivery, TIME) is None
        service.time.pass_(seconds=151)
        assert service.generation.deliver(delivery, TIME) is None
        return DEFAULT_REPLY

    service.model.script = [deliver_again]
    service.generation.deliver(delivery, TIME)

    assert outcome(service, run) == ("completed", None)
    assert len(service.model.prompts) == 1


@pytest.mark.parametrize("body", ["", "no json", "[]", "null", "7", '"text"', "{}", '{"run_id": "r"}', "[" * 9_999])
def test_a_message_that_is_none_of_ours_is_done_with_at_once(service: Service, body: str) -> None:
    assert service.consumer(messages(body), Invocation()) == DONE


def test_a_delivery_of_a_run_that_does_not_exist_is_done_with(service: Service) -> None:
    before = service.items()

    assert service.generation.deliver(Delivery("no conversation", "no run"), TIME) is None

    assert service.items() == before


def test_of_several_messages_only_the_one_to_come_again_is_named(service: Service) -> None:
    conversation = service.create().body["conversation"]
    runs = [service.request(conversation | {"revision": revision}).body["run"] for revision in (1, 2, 3)]
    service.model.script = [DEFAULT_REPLY, REFUSED, DEFAULT_REPLY]

    answer = service.consumer(messages(message(runs[0]), "unreadable", *map(message, runs[1:])), Invocation())

    assert answer == {"batchItemFailures": [{"itemIdentifier": "m2"}]}
    assert [stored(service, run).status for run in runs] == ["completed", "queued", "completed"]


def test_a_worker_with_too_little_time_left_hands_its_message_back_untouched(service: Service) -> None:
    run = service.asked()
    before = service.items()
    enough = transitions.CALL_DEADLINE + transitions.CLOSING_TIME

    answer = service.consumer(messages(message(run)), Invocation(enough - timedelta(milliseconds=1)))

    assert answer == {"batchItemFailures": [{"itemIdentifier": "m0"}]}
    assert service.items() == before
    assert service.consumer(messages(message(run)), Invocation(enough)) == DONE
    assert outcome(service, run) == ("completed", None)


def test_a_worker_that_took_too_long_before_its_call_puts_its_run_back_and_calls_nobody(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = service.asked()
    fetch = service.store.fetch

    def slow(*refs: Any) -> Any:
        service.time.pass_(seconds=6)
        return fetch(*refs)

    with monkeypatch.context() as slowed:
        slowed.setattr(service.store, "fetch", slow)
        answer = service.consumer(messages(message(run)), Invocation())
    handed_back = stored(service, run)

    assert answer == {"batchItemFailures": [{"itemIdentifier": "m0"}]}
    assert (handed_back.status, handed_back.attempts, handed_back.call_started_at) == ("queued", 0, None)
    assert service.model.prompts == []
    assert service.consumer(messages(message(run)), Invocation()) == DONE
    assert outcome(service, run) == ("completed", None)

"""Messages that were set aside: each ends a run that nobody can finish any more, and no other."""

import logging
from typing import Any

import pytest
from harness.service import Service

from infra.local import loops
from research.rules import transitions
from research.words import resources
from tests.edges.invocations import DONE, Invocation, left_by_a_worker, message, messages, outcome, stored


def set_aside(service: Service, *bodies: str) -> Any:
    return service.dead_letters(messages(*bodies), Invocation())


def test_a_run_whose_message_was_delivered_too_often_ends_and_is_never_generated(service: Service) -> None:
    run = service.asked()
    broken = service.queues.url
    for _ in range(resources.MAX_RECEIVES):
        (received,) = service.sqs.receive_message(QueueUrl=broken)["Messages"]
        service.sqs.change_message_visibility(
            QueueUrl=broken, ReceiptHandle=received["ReceiptHandle"], VisibilityTimeout=0
        )
    assert not service.sqs.receive_message(QueueUrl=broken).get("Messages")

    assert loops.deliver(service.sqs, service.queues.dead_letters_url, service.dead_letters)

    assert outcome(service, run) == ("failed", "provider_unavailable")
    assert stored(service, run).due_at is None
    assert not loops.deliver(service.sqs, service.queues.dead_letters_url, service.dead_letters)
    assert service.deliver() == 0
    assert service.sweep() == {}


@pytest.mark.parametrize("started", [False, True])
def test_a_run_that_a_worker_holds_is_left_to_it(service: Service, *, started: bool) -> None:
    run = service.asked()
    left_by_a_worker(service, run, started=started)
    before = service.items()

    assert set_aside(service, message(run)) == DONE

    assert service.items() == before


def test_a_run_whose_worker_died_before_its_call_ends(service: Service) -> None:
    run = service.asked()
    left_by_a_worker(service, run, started=False)
    service.time.now += transitions.LEASE

    assert set_aside(service, message(run)) == DONE

    assert outcome(service, run) == ("failed", "provider_unavailable")


def test_a_call_that_was_started_is_never_called_refused_however_late_it_is(service: Service) -> None:
    run = service.asked()
    left_by_a_worker(service, run, started=True)
    service.time.now += transitions.OUTCOME_KNOWN

    set_aside(service, message(run))
    left = outcome(service, run)
    service.sweep()

    assert (left, outcome(service, run)) == (("processing", None), ("failed", "generation_unconfirmed"))


def test_a_run_that_has_ended_stays_as_it_is(service: Service) -> None:
    run = service.asked()
    service.deliver()
    before = service.items()

    assert set_aside(service, message(run), message({"conversation_id": "c", "id": "unknown"})) == DONE

    assert service.items() == before


@pytest.mark.parametrize("body", ["", "[]", "{}", "\ud800", "[" * 100_000, '{"run_id": "r"}', "the battery is weak"])
def test_a_message_that_is_none_of_ours_is_set_aside_with_a_line_that_does_not_quote_it(
    service: Service, caplog: pytest.LogCaptureFixture, body: str
) -> None:
    for consumer in (service.consumer, service.dead_letters):
        caplog.clear()
        with caplog.at_level(logging.INFO):
            assert consumer(messages(body), Invocation()) == DONE
        (line,) = [line for line in caplog.records if line.name == "cited-research"]
        assert (line.message, line.__dict__["message_id"]) == ("unreadable message", "m0")
        assert not body or body not in str(line.__dict__)

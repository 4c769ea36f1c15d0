"""What the local stack does in AWS's place: deliveries, their visibility and count, and the clean-up by TTL."""

import threading
from typing import Any

import pytest
from harness.service import Service

from infra.local import loops
from research.words import resources


class Crashing:
    """A worker that dies with every message, keeping the records it was given."""

    def __init__(self) -> None:
        self.records: list[Any] = []

    def __call__(self, event: dict[str, Any], _context: Any) -> Any:
        self.records += event["Records"]
        raise SystemError


def crash(service: Service, worker: Crashing) -> bool:
    """One delivery to the worker; whether there was a message to die of."""
    before = len(worker.records)
    try:
        loops.deliver(service.sqs, service.queues.url, worker)
    except SystemError:
        return len(worker.records) > before
    return False


def let_its_visibility_pass(service: Service, record: Any) -> None:
    handle = record["receiptHandle"]
    service.sqs.change_message_visibility(QueueUrl=service.queues.url, ReceiptHandle=handle, VisibilityTimeout=0)


def test_a_message_whose_worker_died_stays_hidden_and_comes_back_counted(service: Service) -> None:
    run, worker = service.asked(), Crashing()

    assert (crash(service, worker), crash(service, worker)) == (True, False)
    let_its_visibility_pass(service, worker.records[0])
    assert crash(service, worker)

    counts = [record["attributes"]["ApproximateReceiveCount"] for record in worker.records]
    assert counts == ["1", "2"]
    let_its_visibility_pass(service, worker.records[1])
    assert service.deliver() == 1
    assert service.status(run).body["run"]["status"] == "completed"


def test_a_message_is_hidden_for_as_long_as_the_definition_says(service: Service) -> None:
    attributes = service.sqs.get_queue_attributes(QueueUrl=service.queues.url, AttributeNames=["VisibilityTimeout"])

    assert attributes["Attributes"] == {"VisibilityTimeout": str(resources.VISIBILITY_SECONDS)}


def test_a_message_that_is_delivered_too_often_is_set_aside(service: Service) -> None:
    service.asked()
    worker = Crashing()
    for _ in range(resources.MAX_RECEIVES):
        assert crash(service, worker)
        let_its_visibility_pass(service, worker.records[-1])

    assert not crash(service, worker)
    aside = service.sqs.receive_message(QueueUrl=service.queues.dead_letters_url)
    assert [message["Body"] for message in aside["Messages"]] == [worker.records[0]["body"]]


def test_a_run_whose_worker_died_before_claiming_it_is_sent_again_by_the_sweep(service: Service) -> None:
    run, worker = service.asked(), Crashing()
    crash(service, worker)
    service.time.pass_(minutes=15)

    assert service.sweep() == {"sent": 1}
    assert service.deliver() == 1
    assert service.status(run).body["run"]["status"] == "completed"


def test_the_clean_up_deletes_what_its_ttl_says_and_nothing_else(service: Service) -> None:
    service.asked()
    table, now = service.environment["TABLE_NAME"], service.time.now.timestamp()
    before = service.items()
    mortal = [item for item in before if resources.TTL_ATTRIBUTE in item]

    assert loops.clean_up(service.dynamodb, table, now) == 0
    assert loops.clean_up(service.dynamodb, table, now + 10 * 86_400) == len(mortal) > 0
    assert service.items() == [item for item in before if item not in mortal]


def test_a_chore_that_fails_is_done_again_and_its_failure_logged(caplog: pytest.LogCaptureFixture) -> None:
    done = threading.Event()
    times = iter(range(10))

    def chore() -> None:
        if next(times) == 0:
            raise RuntimeError("Zebrafink")
        done.set()

    loop = loops.Loop("a chore", chore, 0.001)
    loop.start()
    assert done.wait(10)
    loop.stop()

    assert [record.getMessage() for record in caplog.records] == ["chore failed"]
    assert "Zebrafink" not in repr([vars(record) for record in caplog.records])

"""What a caller is told when the table, another caller or the queue gets between its reading and its writing."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from harness.service import Response, Service, new_id

from infra.local.aws_faults import CONFLICT, THROTTLED, Cancel, LoseReply, Refuse, always, in_turn
from research.words import records
from research.words.records import Budget


@pytest.fixture
def service(service: Service, monkeypatch: pytest.MonkeyPatch) -> Service:
    """The service, over a store and a client that never wait."""
    monkeypatch.setattr("botocore.endpoint.time", SimpleNamespace(sleep=lambda _seconds: None))
    service.store._calls._pause = lambda _seconds: None
    return service


def just_before_the_write(service: Service, act: Callable[[], Any]) -> None:
    """Have somebody else act once, between the next call's reading and its transaction, a millisecond later."""
    waiting = [act]

    def overtake(**_: Any) -> None:
        if waiting:
            service.time.pass_(milliseconds=1)
            waiting.pop()()

    client = service.wiring.store._calls.client
    client.meta.events.register("before-call.dynamodb.TransactWriteItems", overtake)


def change(service: Service, conversation_id: str, **fields: Any) -> None:
    ref = records.conversation(conversation_id)
    stored = service.store.fetch(ref)[ref]
    assert stored is not None
    service.put(ref, stored.model_copy(update=fields))


def outcome(response: Response) -> tuple[int, str]:
    """The status, and the code of the problem or else of the run."""
    return response.status, response.code if response.status != 200 else str(response.body["run"]["failure_code"])


def test_a_call_that_is_put_off_for_good_is_busy_may_be_repeated_and_has_left_nothing(service: Service) -> None:
    creation, conversation = service.creation(), service.create().body["conversation"]
    asking = service.asking(conversation)
    before = service.items()

    with service.aws.faults(always("TransactWriteItems", CONFLICT)):
        refused = [service.send("conversations_create", creation), service.send("assistant_request", asking)]

    assert [(answer.status, answer.code, answer.body["retryable"]) for answer in refused] == [(503, "busy", True)] * 2
    assert [answer.headers["retry-after"] for answer in refused] == ["1", "1"]
    assert service.items() == before
    again = service.send("conversations_create", creation), service.send("assistant_request", asking)
    assert [(answer.status, answer.replayed) for answer in again] == [(200, False), (200, False)]


@pytest.mark.parametrize("token", ["", "no token"])
def test_a_read_that_is_throttled_for_good_is_busy_and_tells_nobody_who_is_known(service: Service, token: str) -> None:
    run = service.asked()

    with service.aws.faults(always("BatchGetItem", THROTTLED)):
        read = service.get(run["conversation_id"], token=token and service.issue(new_id()))
        invalid = service.send("assistant_status", {})

    assert [(read.status, read.code), (invalid.status, invalid.code)] == [(503, "busy")] * 2


@pytest.mark.parametrize("fault", [CONFLICT, Cancel(("None", "ThrottlingError")), LoseReply(), LoseReply(status=500)])
def test_a_caller_notices_nothing_of_a_write_that_is_made_in_the_end(service: Service, fault: Any) -> None:
    with service.aws.faults(in_turn("TransactWriteItems", fault, fault)):
        created = service.create()
    with service.aws.faults(in_turn("TransactWriteItems", fault, fault)):
        accepted = service.request(created.body["conversation"])

    assert (created.status, created.replayed, accepted.status, accepted.replayed) == (200, False, 200, False)
    ref = records.budget(service.workspace_id, "2026-11-30")
    assert service.store.fetch(ref)[ref] == Budget(runs=1)
    assert service.deliver() == 1


def test_a_mutation_that_was_used_in_between_is_replayed_or_a_conflict(service: Service) -> None:
    conversation = service.create().body["conversation"]
    body = service.asking(conversation)

    just_before_the_write(service, lambda: service.send("assistant_request", body))
    same = service.send("assistant_request", body)
    other = service.asking(conversation | {"revision": 2})
    just_before_the_write(service, lambda: service.send("assistant_request", other | {"question": "How loud is it?"}))
    different = service.send("assistant_request", other)

    assert (same.status, same.replayed) == (200, True)
    assert outcome(different) == (409, "mutation_conflict")
    assert len(service.get(conversation["id"]).body["runs"]) == 2


def test_a_conversation_that_moved_on_in_between_is_a_revision_conflict(service: Service) -> None:
    conversation = service.create().body["conversation"]

    just_before_the_write(service, lambda: service.request(conversation))
    overtaken = service.request(conversation)

    assert outcome(overtaken) == (409, "revision_conflict")
    assert overtaken.body["current_revision"] == 2


def test_a_budget_that_was_used_up_in_between_refuses_the_run(service: Service) -> None:
    service.wire(DAILY_RUNS="1")
    first, second = (service.create().body["conversation"] for _ in range(2))

    just_before_the_write(service, lambda: service.request(second))

    assert outcome(service.request(first)) == (200, "budget_exhausted")


def test_a_conversation_that_was_archived_in_between_says_so(service: Service) -> None:
    conversation = service.create().body["conversation"]

    just_before_the_write(
        service, lambda: change(service, conversation["id"], archived_at=service.time.now, revision=2)
    )

    assert outcome(service.request(conversation)) == (409, "conversation_archived")


def test_a_conversation_erased_by_a_clock_ahead_takes_no_question_and_then_has_expired(service: Service) -> None:
    conversation = service.create().body["conversation"]
    service.time.pass_(hours=24)
    service.sweep()
    service.time.pass_(seconds=-30)

    early = service.request(conversation)
    service.time.pass_(seconds=30)
    late = service.request(conversation)

    assert (early.code, outcome(late)) == ("busy", (200, "expired"))
    assert not [item for item in service.items() if item["sk"]["S"].startswith("MSG#")]


@pytest.mark.parametrize("fault", [Refuse("InternalError", status=500), LoseReply()], ids=["refused", "unanswered"])
def test_a_question_whose_message_could_not_be_sent_is_accepted_and_sent_by_the_sweep(
    service: Service, fault: Any
) -> None:
    conversation = service.create().body["conversation"]

    with service.aws.faults(always("SendMessage", fault)):
        accepted = service.request(conversation)
    service.time.pass_(seconds=30)
    swept = service.sweep()
    service.deliver()

    assert (accepted.status, accepted.body["run"]["status"], swept) == (200, "queued", {"sent": 1})
    assert service.status(accepted.body["run"]).body["run"]["status"] == "completed"
    assert len(service.model.prompts) == 1

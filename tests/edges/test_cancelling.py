"""assistant_cancel: a run ended before its answer, what it then costs, and that an answer which comes later is gone."""

from datetime import timedelta
from typing import Any

import pytest
from harness.service import DEFAULT_REPLY, Service, new_id

from research.operations.ports import Delivery
from research.operations.provider import Reply
from research.rules import transitions
from research.rules.prompt import Prompt
from research.words.records import Budget
from tests.edges.invocations import TIME, just_before_the_write, outcome, spent, stored


def during_the_call(service: Service, act: Any) -> None:
    """Let this happen while the model answers."""

    def answering(_prompt: Prompt) -> Reply:
        act()
        return DEFAULT_REPLY

    service.model.script = [answering]


def test_a_queued_run_is_cancelled_and_never_generated(service: Service) -> None:
    run = service.asked()

    answer = service.cancel(run)
    service.deliver()

    assert (answer.status, answer.replayed) == (200, False)
    assert (answer.body["run"]["status"], answer.body["run"]["failure_code"]) == ("cancelled", "cancelled")
    assert (answer.body["message"], answer.body["conversation_revision"]) == (None, 2)
    assert service.status(run).body["run"] == answer.body["run"]
    assert service.model.prompts == []
    assert spent(service) == Budget(runs=1)
    assert stored(service, run).due_at is None


def test_an_answer_that_comes_after_is_discarded_and_what_it_cost_is_counted_once(service: Service) -> None:
    run = service.asked()
    during_the_call(service, lambda: service.cancel(run))

    service.deliver()

    assert outcome(service, run) == ("cancelled", "cancelled")
    read = service.get(run["conversation_id"]).body
    assert (read["conversation"]["revision"], [message["role"] for message in read["messages"]]) == (2, ["user"])
    assert not [item for item in service.items() if item["sk"]["S"].endswith("#A")]
    assert spent(service) == Budget(runs=1, tokens=100)
    service.time.pass_(minutes=5)
    assert (service.sweep(), spent(service)) == ({}, Budget(runs=1, tokens=100))


def test_what_a_cancelled_call_cost_is_settled_by_the_sweep_where_the_worker_cannot(service: Service) -> None:
    run = service.asked()
    during_the_call(service, lambda: service.cancel(run))
    settle = service.store.settle
    service.store.settle = lambda *_: None  # type: ignore[method-assign]

    service.deliver()
    service.store.settle = settle  # type: ignore[method-assign]
    service.time.pass_(minutes=1)

    assert (stored(service, run).unsettled, spent(service)) == (100, Budget(runs=1))
    assert [service.sweep(), service.sweep()] == [{"settled": 1}, {}]
    assert spent(service) == Budget(runs=1, tokens=100)


def test_a_worker_that_wakes_up_after_its_lease_writes_nothing_of_a_cancelled_run(service: Service) -> None:
    run = service.asked()
    asleep: list[list[Any]] = []

    def cancelled_and_frozen() -> None:
        service.cancel(run)
        service.time.now += transitions.LEASE
        asleep.append(service.items())

    during_the_call(service, cancelled_and_frozen)
    service.generation.deliver(Delivery(run["conversation_id"], run["id"]), TIME)

    assert [service.items()] == asleep


def test_a_run_that_has_ended_is_returned_as_it_is_and_stays_so(service: Service) -> None:
    run = service.asked()
    service.deliver()
    before = service.status(run)

    answer = service.cancel(run)

    assert (answer.status, answer.body) == (200, before.body)
    assert answer.body["message"]["answer"] is not None
    assert service.status(run).body == before.body


def test_a_refused_run_is_returned_as_it_is(service: Service) -> None:
    service.wire(DAILY_RUNS="0")
    run = service.asked()

    answer = service.cancel(run)

    assert (answer.status, answer.body["run"]) == (200, run)


def test_an_open_run_of_an_expired_conversation_has_expired_and_is_not_cancelled(service: Service) -> None:
    run = service.asked()
    service.time.pass_(hours=24)

    answer = service.cancel(run)
    service.sweep()

    assert (answer.status, answer.body["run"]["status"]) == (200, "expired")
    assert outcome(service, run) == ("expired", "expired")


def test_a_run_of_an_archived_conversation_can_be_cancelled(service: Service) -> None:
    run = service.asked()
    body = {"workspace_id": service.workspace_id, "conversation_id": run["conversation_id"], "mutation_id": new_id()}
    assert service.send("conversations_archive", body | {"expected_revision": 2}).status == 200

    assert service.cancel(run).body["run"]["status"] == "cancelled"


def test_the_same_cancellation_again_is_a_replay_that_writes_nothing(service: Service) -> None:
    run = service.asked()
    mutation_id = new_id()

    first = service.cancel(run, mutation_id=mutation_id)
    before = service.items()
    again = service.cancel(run, mutation_id=mutation_id)

    assert (again.status, again.replayed, again.body) == (200, True, first.body)
    assert service.items() == before


@pytest.mark.parametrize("ended", [False, True])
def test_its_mutation_can_be_used_for_nothing_else(service: Service, *, ended: bool) -> None:
    run = service.asked()
    if ended:
        service.deliver()
    mutation_id = new_id()
    service.cancel(run, mutation_id=mutation_id)

    other = service.asked()

    assert service.cancel(other, mutation_id=mutation_id).code == "mutation_conflict"
    assert outcome(service, other) == ("queued", None)


def test_another_cancellation_finds_the_run_cancelled(service: Service) -> None:
    run = service.asked()

    answers = [service.cancel(run), service.cancel(run)]

    assert [(answer.status, answer.replayed, answer.body["run"]["status"]) for answer in answers] == [
        (200, False, "cancelled")
    ] * 2


def test_a_finish_that_gets_ahead_of_a_cancellation_wins_and_the_result_shows_its_answer(service: Service) -> None:
    run = service.asked()
    just_before_the_write(service, service.deliver)

    answer = service.cancel(run)

    assert (answer.status, answer.body["run"]["status"]) == (200, "completed")
    assert answer.body["message"]["answer"] is not None
    assert spent(service) == Budget(runs=1, tokens=100)


def test_only_its_owner_can_cancel_a_run_and_to_others_it_does_not_exist(service: Service) -> None:
    run = service.asked()
    colleague, viewer = service.member(new_id(), "owner"), service.member(new_id(), "viewer")

    theirs = service.cancel(run, token=colleague)
    nothing = service.cancel(run, token=colleague, run_id=new_id(), conversation_id=new_id())
    unknown = service.cancel(run, run_id=new_id())

    assert (theirs.status, theirs.code) == (404, "not_found")
    assert {**theirs.body, "request_id": ""} == {**nothing.body, "request_id": ""}
    assert (unknown.status, service.cancel(run, token=viewer).code) == (404, "role_required")
    assert outcome(service, run) == ("queued", None)


def test_a_run_of_a_deleted_conversation_is_not_found(service: Service) -> None:
    run = service.asked()
    names = {"workspace_id": service.workspace_id, "conversation_id": run["conversation_id"]}
    service.send("conversations_delete", names | {"mutation_id": new_id()})

    assert service.cancel(run).code == "not_found"


def test_its_mutation_is_forgotten_with_the_conversation(service: Service) -> None:
    run = service.asked()
    service.cancel(run)
    service.time.now += timedelta(hours=24)

    service.sweep()

    assert not [item for item in service.items() if item["pk"]["S"].startswith("MUTATION#")]

"""Once a minute: every accepted run is brought to its end, every conversation's content to its, whatever was lost."""

from typing import Any

import pytest
from harness.service import Service

from infra.local.aws_faults import Call, Cancel, Fault, Refuse, always
from research.edges.schedule import Schedule, SweepBroken
from research.operations import sweep
from research.operations.ports import Delivery
from research.rules import transitions
from research.words import records
from research.words.records import Budget, Run
from tests.edges.invocations import TIME, left_by_a_worker, outcome, spent, stored


@pytest.fixture
def service(service: Service) -> Service:
    """The service, whose store never waits."""
    service.wiring.store._calls._pause = lambda _seconds: None
    return service


def six(service: Service) -> list[Any]:
    """Six runs of one conversation, waiting for their messages."""
    conversation = service.create().body["conversation"]
    return [service.request(conversation | {"revision": revision}).body["run"] for revision in range(1, 7)]


def due(service: Service) -> list[Any]:
    return [ref for page in service.store.due(service.time.now, 25) for ref in page]


def lose_messages(service: Service) -> None:
    while received := service.sqs.receive_message(QueueUrl=service.queues.url).get("Messages"):
        service.sqs.delete_message(QueueUrl=service.queues.url, ReceiptHandle=received[0]["ReceiptHandle"])


def test_a_lost_message_is_sent_again_after_half_a_minute_and_again_if_need_be(service: Service) -> None:
    run = service.asked()
    lose_messages(service)

    service.time.pass_(seconds=29)
    early = service.sweep()
    service.time.pass_(seconds=1)
    first = service.sweep()
    lose_messages(service)
    at_once = service.sweep()
    service.time.pass_(seconds=30)
    second = service.sweep()
    service.deliver()

    assert (early, first, at_once, second) == ({}, {"sent": 1}, {}, {"sent": 1})
    assert outcome(service, run) == ("completed", None)


def test_a_worker_that_died_before_its_call_is_replaced_once_its_lease_has_lapsed(service: Service) -> None:
    run = service.asked()
    lose_messages(service)
    left_by_a_worker(service, run, started=False)

    service.time.pass_(seconds=149)
    early = service.sweep()
    service.time.pass_(seconds=1)
    swept = service.sweep()
    service.deliver()

    assert (early, swept) == ({}, {"released": 1})
    assert (outcome(service, run), stored(service, run).attempts) == (("completed", None), 0)
    assert len(service.model.prompts) == 1


def test_a_worker_that_died_in_its_call_leaves_an_unconfirmed_generation_that_is_never_repeated(
    service: Service,
) -> None:
    run = service.asked()
    left_by_a_worker(service, run, started=True)

    service.time.pass_(seconds=179)
    early = service.sweep()
    service.deliver()
    service.time.pass_(seconds=1)
    swept = service.sweep()
    service.generation.deliver(Delivery(run["conversation_id"], run["id"]), TIME)

    assert (early, swept) == ({}, {"generation_unconfirmed": 1})
    assert outcome(service, run) == ("failed", "generation_unconfirmed")
    assert service.model.prompts == []


@pytest.mark.parametrize("held", ["queued", "claimed", "in its call"])
def test_a_run_that_is_open_after_24_hours_ends_as_expired(service: Service, held: str) -> None:
    run = service.asked()
    if held != "queued":
        left_by_a_worker(service, run, started=held == "in its call")
    service.time.pass_(hours=24)

    swept = service.sweep()

    ended = stored(service, run)
    assert swept == {"expired": 1, "erased": 1, "forgotten": 2}
    assert (ended.status, ended.failure_code, ended.due_at) == ("expired", "expired", None)
    assert service.deliver() == 1
    assert service.model.prompts == []


def test_tokens_that_the_worker_could_not_settle_cost_no_answer_and_are_settled_once(service: Service) -> None:
    run = service.asked()

    def busy_counter(call: Call) -> Fault | None:
        counts = [item for item in call.body.get("TransactItems", ()) if "BUDGET#" in str(item.get("Update"))]
        return Cancel(("None", "ThrottlingError")) if counts else None

    with service.aws.faults(busy_counter):
        service.generation.deliver(Delivery(run["conversation_id"], run["id"]), TIME)
    unsettled = spent(service)
    service.time.pass_(seconds=60)

    assert (outcome(service, run), unsettled) == (("completed", None), Budget(runs=1))
    assert [service.sweep(), service.sweep()] == [{"settled": 1}, {}]
    assert spent(service) == Budget(runs=1, tokens=100)
    assert stored(service, run).due_at is None


def test_tokens_spent_at_midnight_count_towards_the_day_on_which_the_run_was_accepted(service: Service) -> None:
    service.time.pass_(hours=11, minutes=59)
    service.asked()
    service.time.pass_(minutes=2)

    service.deliver()

    assert spent(service) == Budget(runs=1, tokens=100)


def test_two_sweeps_that_saw_the_same_due_work_do_no_harm(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    lost, dead, unconfirmed = (service.asked() for _ in range(3))
    lose_messages(service)
    left_by_a_worker(service, dead, started=False)
    left_by_a_worker(service, unconfirmed, started=True)
    service.time.pass_(seconds=200)
    refs = due(service)
    seen = service.store.fetch(*refs)

    first = service.sweep()
    runs = [stored(service, run) for run in (lost, dead, unconfirmed)]
    with monkeypatch.context() as late:
        late.setattr(service.store, "due", lambda *_: [refs])
        late.setattr(service.store, "fetch", lambda *_: seen)
        service.sweep()

    assert first == {"sent": 1, "released": 1, "generation_unconfirmed": 1}
    assert [stored(service, run) for run in (lost, dead, unconfirmed)] == runs
    service.deliver()
    assert [outcome(service, run)[0] for run in (lost, dead, unconfirmed)] == ["completed", "completed", "failed"]
    assert len(service.model.prompts) == 2


def test_an_entry_of_the_index_that_is_out_of_date_does_nothing(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = service.asked()
    ref = records.run(run["conversation_id"], run["id"])
    service.deliver()
    gone = records.run(run["conversation_id"], "gone")
    conversation = service.store.fetch(alive := records.conversation(run["conversation_id"]))[alive]
    assert conversation is not None
    mutation = records.mutation(service.workspace_id, service.principal_id, conversation.mutation_id)
    project = records.project(service.workspace_id, service.project_id)
    head = records.evidence(service.workspace_id, service.project_id, service.published.evidence[0].evidence_id)
    before = service.items()

    monkeypatch.setattr(service.store, "due", lambda *_: [[ref, alive, gone, mutation, project, head]])

    assert service.sweep() == {}
    assert service.items() == before


def test_one_sweep_goes_through_page_after_page(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweep, "PAGE", 1)
    runs = six(service)
    lose_messages(service)
    service.time.pass_(seconds=30)

    swept = service.sweep()
    service.deliver()

    assert swept == {"sent": 6}
    assert [outcome(service, run) for run in runs] == [("completed", None)] * 6


def test_what_there_is_no_time_for_is_left_to_the_next_sweep(service: Service) -> None:
    runs = six(service)
    lose_messages(service)
    service.time.pass_(seconds=30)

    def slow(call: Call) -> None:
        if call.action == "PutItem":
            service.time.pass_(seconds=20)

    with service.aws.faults(slow):
        first = service.wiring.sweep().sweep()
    second = service.wiring.sweep().sweep()
    service.deliver()

    assert (first.counts, first.finished) == ({"sent": 3}, False)
    assert (second.counts["sent"] >= 3, second.finished) == (True, True)
    assert [outcome(service, run) for run in runs] == [("completed", None)] * 6


def test_a_record_on_which_the_sweep_breaks_holds_up_no_other_and_fails_it_in_the_end(service: Service) -> None:
    broken, *whole = six(service)
    lose_messages(service)
    service.time.pass_(seconds=30)

    def refused(call: Call) -> Fault | None:
        its = call.action == "PutItem" and call.body["Item"]["sk"]["S"] == f"RUN#{broken['id']}"
        return Refuse("ValidationException") if its else None

    with service.aws.faults(refused), pytest.raises(SweepBroken):
        Schedule(service.wiring.sweep())({}, None)
    service.deliver()

    assert {outcome(service, run) for run in whole} == {("completed", None)}
    assert outcome(service, broken) == ("queued", None)
    assert service.sweep() == {"sent": 1}


def test_a_run_whose_workers_die_before_the_call_again_and_again_is_given_up(service: Service) -> None:
    run = service.asked()
    deeds = []
    for _ in range(transitions.MAX_CLAIMS):
        lose_messages(service)
        left_by_a_worker(service, run, started=False)
        service.time.pass_(seconds=150)
        deeds.append(service.sweep())

    assert deeds == [{"released": 1}] * (transitions.MAX_CLAIMS - 1) + [{"provider_unavailable": 1}]
    assert outcome(service, run) == ("failed", "provider_unavailable")
    assert stored(service, run).due_at is None


def test_texts_that_a_withdrawal_left_behind_are_erased_five_minutes_after(service: Service) -> None:
    name = service.published.evidence[0].evidence_id
    ref = records.evidence(service.workspace_id, service.project_id, name)
    head = service.store.fetch(ref)[ref]
    assert head is not None
    service.put(ref, head.withdrawn(service.time.now))  # and here its process died

    service.time.pass_(minutes=4)
    early = service.sweep()
    service.time.pass_(minutes=1)
    swept = [service.sweep(), service.sweep()]

    text = records.evidence_text(service.workspace_id, service.project_id, name, 1)
    assert (early, swept) == ({}, [{"withdrawn": 1}, {}])
    assert service.store.fetch(text)[text] is None


def test_evidence_that_a_deletion_left_behind_is_erased_five_minutes_after(service: Service) -> None:
    ref = records.project(service.workspace_id, service.project_id)
    project = service.store.fetch(ref)[ref]
    assert project is not None
    service.put(ref, project.deleted(service.time.now))  # and here its process died

    service.time.pass_(minutes=5)
    swept = [service.sweep(), service.sweep()]

    assert swept == [{"deleted": 1}, {}]
    assert not [item for item in service.items() if item["sk"]["S"].startswith(("EVIDENCE#", "REVISION#"))]


def test_one_run_that_cannot_be_written_now_does_not_keep_the_others_from_their_end(service: Service) -> None:
    runs = [service.asked() for _ in range(3)]
    lose_messages(service)
    service.time.pass_(hours=24)

    def stuck(call: Call) -> Fault | None:
        throttled = call.action == "PutItem" and call.body["Item"]["sk"]["S"] == f"RUN#{runs[0]['id']}"
        return Refuse("TransactionConflictException") if throttled else None

    with service.aws.faults(stuck):
        first = service.sweep()
    second = service.sweep()

    assert (first, second) == ({"expired": 2, "busy": 1, "erased": 3, "forgotten": 6}, {"expired": 1})


def test_a_sweep_that_fails_fails_aloud_and_one_with_nothing_to_do_does_nothing(service: Service) -> None:
    schedule = Schedule(service.wiring.sweep())
    before = service.items()

    assert (schedule({}, None), service.items()) == ({}, before)
    with (
        service.aws.faults(always("Query", Refuse("ValidationException"))),
        pytest.raises(Exception, match="Validation"),
    ):
        schedule({}, None)


def test_a_run_that_the_sweep_has_to_look_at_is_found_by_its_time_alone(service: Service) -> None:
    service.asked()

    assert due(service) == []
    service.time.pass_(seconds=30)
    (ref,) = due(service)
    assert ref.kind is Run

"""Asking: acceptance, replay, conflicts, refused runs, and the answer."""

from collections.abc import Callable
from typing import Any

import pytest
from harness.model import quoting, reply
from harness.service import TEXTS, Service, new_id

from research.words import ids, records
from research.words.records import Budget, Conversation, Member


def test_a_question_is_accepted_answered_and_cited(service: Service) -> None:
    conversation = service.create().body["conversation"]
    accepted = service.request(conversation).body
    service.deliver()
    status = service.status(accepted["run"]).body
    read = service.get(conversation["id"]).body

    assert (accepted["run"]["status"], accepted["run"]["generation"], accepted["message"]) == ("queued", 1, None)
    assert (accepted["run"]["conversation_revision"], accepted["conversation_revision"]) == (2, 2)
    assert status["run"] == accepted["run"] | {
        "status": "completed", "model_id": "scripted", "model_version": "scripted-1",
    }  # fmt: skip
    assert status["conversation_revision"] == 3
    assert status["message"]["answer"]["answer"]["evidence"] == service.context()["evidence"][:1]
    assert [message["role"] for message in read["messages"]] == ["user", "assistant"]
    assert read["messages"][1] == status["message"]
    assert read["conversation"]["revision"] == 3


def test_every_passage_is_a_slice_of_the_evidence_it_cites(service: Service) -> None:
    service.model.script = [reply(quoting(("ev_2", "a thin whine"), ("ev_3", "SENT a   new stand")))]
    run = service.asked()
    service.deliver()

    cited = service.citations(run).body["citations"]

    passages = cited["answer"]["passages"]
    assert [passage["text"] for passage in passages] == ["a thin whine", "sent a new stand"]
    assert [TEXTS[1][passages[0]["start"] : passages[0]["end"]]] == ["a thin whine"]
    assert [passage["title"] for passage in passages] == ["About e2", "About e3"]
    assert [source["title"] for source in cited["sources"]] == ["About e1", "About e2", "About e3"]


def test_a_run_without_an_answer_has_no_citations(service: Service) -> None:
    run = service.asked()

    citations = service.citations(run)

    assert citations.body == {
        "run_id": run["id"], "message_id": None, "availability": "available", "citations": None,
    }  # fmt: skip


def test_the_same_request_sent_twice_is_one_run_and_one_generation(service: Service) -> None:
    conversation = service.create().body["conversation"]
    body = service.asking(conversation)

    first = service.send("assistant_request", body)
    again = service.send("assistant_request", body)
    service.deliver()
    later = service.send("assistant_request", body)

    assert (first.replayed, again.replayed, later.replayed) == (False, True, True)
    assert again.body == first.body
    assert later.body == service.status(first.body["run"]).body
    assert later.body["run"]["status"] == "completed"
    assert len(service.model.prompts) == 1
    assert len(service.get(conversation["id"]).body["runs"]) == 1


def test_a_request_with_another_body_under_the_same_mutation_is_a_conflict(service: Service) -> None:
    body = service.asking(service.create().body["conversation"])
    service.send("assistant_request", body)

    other = service.send("assistant_request", body | {"question": "And the noise?"})
    other_kind = service.send("sentiment_request", body | {"request_kind": "sentiment"})

    assert (other.status, other.code) == (409, "mutation_conflict")
    assert (other_kind.status, other_kind.code) == (409, "mutation_conflict")


def test_a_stale_revision_is_answered_with_the_current_one(service: Service) -> None:
    conversation = service.create().body["conversation"]
    service.request(conversation)

    stale = service.request(conversation)

    assert (stale.status, stale.code, stale.body["current_revision"]) == (409, "revision_conflict", 2)


def test_a_stale_request_leaves_its_mutation_free_to_be_used(service: Service) -> None:
    conversation = service.create().body["conversation"]
    service.request(conversation)
    mutation_id = new_id()
    stale = service.request(conversation, mutation_id=mutation_id)

    current = service.request(conversation | {"revision": stale.body["current_revision"]}, mutation_id=mutation_id)

    assert (current.status, current.body["run"]["generation"]) == (200, 2)


def test_a_parent_must_be_a_message_of_the_same_conversation(service: Service) -> None:
    other = service.asked()
    conversation = service.create().body["conversation"]

    unknown = service.request(conversation, parent_message_id=new_id())
    elsewhere = service.request(conversation, parent_message_id=ids.question_id(other["id"]))

    assert [unknown.code, elsewhere.code] == ["parent_not_found", "parent_not_found"]


def test_a_follow_up_brings_the_thread_it_answers_and_a_new_thread_none(service: Service) -> None:
    conversation = service.create().body["conversation"]
    service.request(conversation, question="How long does the battery last?")
    service.deliver()
    read = service.get(conversation["id"]).body
    answer = read["messages"][1]["id"]

    service.request(read["conversation"], parent_message_id=answer, question="And in winter?")
    service.deliver()
    read = service.get(conversation["id"]).body
    service.request(read["conversation"], question="How loud is it?")
    service.deliver()

    _, follow_up, new_thread = service.model.prompts
    assert "How long does the battery last?" in follow_up.contents
    assert "The reviewers describe it in their own words." in follow_up.contents
    assert "How long does the battery last?" not in new_thread.contents


def test_an_archived_conversation_takes_no_requests_and_stays_readable(service: Service) -> None:
    conversation = service.create().body["conversation"]
    ref = records.conversation(conversation["id"])
    stored = service.store.fetch(ref)[ref]
    assert isinstance(stored, Conversation)
    service.put(ref, stored.model_copy(update={"archived_at": service.time.now, "revision": 2}))

    refused = service.request(conversation | {"revision": 2})
    read = service.get(conversation["id"]).body["conversation"]

    assert (refused.status, refused.code) == (409, "conversation_archived")
    assert (read["archived"], read["availability"], read["title"]) == (True, "archived", "Battery")


def close_project(service: Service) -> None:
    service.put(
        records.member(service.workspace_id, service.principal_id),
        Member(role="owner", capabilities=("agent:research",), projects=()),
    )


def withdraw(service: Service) -> None:
    pinned = service.context()["evidence"][0]
    ref = records.evidence(service.workspace_id, service.project_id, pinned["evidence_id"])
    head = service.store.fetch(ref)[ref]
    assert head is not None
    service.put(ref, head.model_copy(update={"withdrawn_at": service.time.now}))


def spend(service: Service) -> None:
    service.put(records.budget(service.workspace_id, "2026-11-30"), Budget(tokens=1_000))
    service.wire(DAILY_TOKENS="1000")


REFUSALS: dict[str, Callable[[Service], Any]] = {
    "access_changed": close_project,
    "source_unavailable": withdraw,
    "context_changed": lambda service: service.publish("It lasts six hours.", names=["e1"]),
    "not_configured": lambda service: service.wire(GEMINI_API_KEY=""),
    "budget_exhausted": spend,
}


@pytest.mark.parametrize("code", REFUSALS)
def test_a_request_that_cannot_be_taken_is_a_refused_run_and_no_error(service: Service, code: str) -> None:
    conversation = service.create().body["conversation"]
    body = service.asking(conversation)
    REFUSALS[code](service)

    refused = service.send("assistant_request", body)
    again = service.send("assistant_request", body)
    read = service.get(conversation["id"]).body

    assert refused.status == 200
    run = refused.body["run"]
    assert (run["status"], run["failure_code"], run["generation"]) == ("unavailable", code, 1)
    assert (run["conversation_revision"], refused.body["conversation_revision"]) == (1, 1)
    assert refused.body["availability"]["reason"] == code
    assert refused.body["availability"]["configured"] is (code != "not_configured")
    assert (again.replayed, again.body) == (True, refused.body)
    assert service.status(run).body == refused.body
    assert (read["runs"], read["messages"], read["conversation"]["revision"]) == ([], [], 1)
    assert service.deliver() == 0


def test_a_question_that_does_not_fit_beside_its_evidence_is_refused(service: Service) -> None:
    # 188,000 are for evidence and question: 8 texts of 20,000 and one of 1,500 take 186,700 with their origins.
    large = service.publish(*("x" * 20_000 for _ in range(8)), "y" * 1_500)
    conversation = service.create(context=service.context(large)).body

    fits = service.request(conversation["conversation"], question="q" * 100).body["run"]
    too_large = service.request(conversation["conversation"] | {"revision": 2}, question="q" * 2_000).body["run"]

    assert conversation["availability"]["reason"] is None
    assert fits["status"] == "queued"
    assert (too_large["status"], too_large["failure_code"]) == ("unavailable", "input_too_large")


def test_the_twenty_first_question_is_refused_and_the_conversation_lists_twenty(service: Service) -> None:
    conversation = service.create().body["conversation"]
    for number in range(1, 21):
        accepted = service.request(conversation).body
        assert (accepted["run"]["generation"], accepted["run"]["status"]) == (number, "queued")
        service.deliver()
        conversation = service.get(conversation["id"]).body["conversation"]

    refused = service.request(conversation).body
    read = service.get(conversation["id"]).body

    assert (refused["run"]["failure_code"], refused["run"]["generation"]) == ("conversation_full", 21)
    assert (len(read["runs"]), len(read["messages"])) == (20, 40)
    assert read["availability"]["reason"] == "conversation_full"
    assert read["conversation"]["revision"] == 41


def test_the_last_run_of_the_day_is_accepted_and_says_that_it_was_the_last(service: Service) -> None:
    service.wire(DAILY_RUNS="1")
    conversation = service.create().body["conversation"]

    accepted = service.request(conversation).body
    refused = service.request(conversation | {"revision": 2}).body
    service.time.pass_(hours=13)
    tomorrow = service.request(conversation | {"revision": 2}).body

    assert (accepted["run"]["status"], accepted["availability"]["reason"]) == ("queued", "budget_exhausted")
    assert refused["run"]["failure_code"] == "budget_exhausted"
    assert tomorrow["run"]["status"] == "queued"


def test_a_run_that_the_day_refuses_says_when_the_next_one_begins(service: Service) -> None:
    service.wire(DAILY_RUNS="1")
    conversation = service.create().body["conversation"]
    accepted = service.request(conversation)
    body = service.asking(conversation | {"revision": 2})

    refused = service.send("assistant_request", body)
    again = service.send("assistant_request", body)
    looked_up = service.status(refused.body["run"])

    answers = (accepted, refused, again, looked_up)
    assert [answer.headers.get("retry-after") for answer in answers] == [None, *["Tue, 01 Dec 2026 00:00:00 GMT"] * 3]


def test_a_workspace_may_have_limits_of_its_own(service: Service) -> None:
    service.put(records.workspace(service.workspace_id), records.Workspace(name="Acme", daily_runs=0))

    assert service.create().body["availability"]["reason"] == "budget_exhausted"


def test_tokens_spent_count_towards_the_day(service: Service) -> None:
    service.wire(DAILY_TOKENS="100")
    run = service.asked()
    service.deliver()

    ref = records.budget(service.workspace_id, "2026-11-30")

    assert service.store.fetch(ref)[ref] == Budget(runs=1, tokens=100)
    assert service.status(run).body["availability"]["reason"] == "budget_exhausted"


def test_sentiment_is_asked_for_by_an_operation_of_its_own(service: Service) -> None:
    conversation = service.create().body["conversation"]
    body = service.asking(conversation, request_kind="sentiment")
    label = {"source": "ev_1", "label": "positive", "uncertainty": ""}
    service.model.script = [reply(quoting(("ev_1", TEXTS[0]), sentiment=[label]))]

    accepted = service.send("sentiment_request", body).body
    service.deliver()
    labels = service.status(accepted["run"]).body["message"]["answer"]["sentiment"]

    assert accepted["run"]["request_kind"] == "sentiment"
    assert [label["label"] for label in labels] == ["positive", "unknown", "unknown"]


def test_several_runs_of_a_conversation_may_be_open_at_once(service: Service) -> None:
    conversation = service.create().body["conversation"]
    first = service.request(conversation).body["run"]
    second = service.request(conversation | {"revision": 2}).body["run"]

    service.deliver()
    read = service.get(conversation["id"]).body

    assert [run["id"] for run in read["runs"]] == [first["id"], second["id"]]
    assert [run["status"] for run in read["runs"]] == ["completed", "completed"]
    assert [message["role"] for message in read["messages"]] == ["user", "user", "assistant", "assistant"]
    assert read["conversation"]["revision"] == 5

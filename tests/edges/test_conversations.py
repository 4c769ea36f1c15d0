"""Opening a conversation on exact revisions of evidence, and reading it back."""

from datetime import timedelta

import pytest
from harness.service import TEXTS, Service, new_id

from research.words import records
from research.words.records import Member, Project


def test_a_new_conversation_is_pinned_to_its_context_for_exactly_24_hours(service: Service) -> None:
    created = service.create(title="Fans", language="fr")

    assert created.status == 200
    assert created.body == {
        "conversation": {
            "id": created.body["conversation"]["id"],
            "workspace_id": service.workspace_id,
            "revision": 1,
            "title": "Fans",
            "context": service.context(),
            "language": "fr",
            "archived": False,
            "availability": "available",
            "created_at": "2026-11-30T12:00:00.000Z",
            "expires_at": "2026-12-01T12:00:00.000Z",
        },
        "messages": [],
        "runs": [],
        "availability": {"configured": True, "reason": None, "processor": "Google Gemini", "retention_hours": 24},
    }
    assert service.get(created.body["conversation"]["id"]).body == created.body


def test_an_id_is_read_in_either_case_and_answered_in_lower_case(service: Service) -> None:
    created = service.create(workspace_id=service.workspace_id.upper(), mutation_id=new_id().upper())

    assert created.body["conversation"]["workspace_id"] == service.workspace_id


def test_a_create_that_is_sent_again_makes_no_second_conversation(service: Service) -> None:
    body = service.creation()

    first = service.send("conversations_create", body)
    again = service.send("conversations_create", body | {"mutation_id": body["mutation_id"].upper()})

    assert (first.replayed, again.replayed) == (False, True)
    assert again.body == first.body


def test_a_mutation_used_with_another_body_or_for_another_operation_is_a_conflict(service: Service) -> None:
    body = service.creation()
    conversation = service.send("conversations_create", body).body["conversation"]

    other_body = service.send("conversations_create", body | {"title": "Another"})
    other_operation = service.request(conversation, mutation_id=body["mutation_id"])

    assert (other_body.status, other_body.code) == (409, "mutation_conflict")
    assert (other_operation.status, other_operation.code) == (409, "mutation_conflict")


def test_two_members_may_use_the_same_mutation_id(service: Service) -> None:
    body = service.creation()
    colleague = service.member(new_id(), "editor")

    mine = service.send("conversations_create", body)
    theirs = service.send("conversations_create", body, token=colleague)

    assert not theirs.replayed
    assert mine.body["conversation"]["id"] != theirs.body["conversation"]["id"]


def test_a_create_that_failed_does_not_use_up_its_mutation(service: Service) -> None:
    body = service.creation()
    refused = service.send("conversations_create", body | {"context": {**body["context"], "project_id": new_id()}})

    assert refused.status == 404
    assert service.send("conversations_create", body).status == 200


@pytest.mark.parametrize(
    ("member", "pointer"),
    [
        ("project_id", "/context/project_id"),
        ("corpus_snapshot_id", "/context/corpus_snapshot_id"),
    ],
)
def test_an_unknown_part_of_the_context_is_not_found_at_its_pointer(
    service: Service, member: str, pointer: str
) -> None:
    refused = service.create(context={**service.context(), member: new_id()})

    assert (refused.status, refused.code) == (404, "not_found")
    assert [error["pointer"] for error in refused.body["errors"]] == [pointer]


def test_a_project_revision_that_was_never_published_is_not_found(service: Service) -> None:
    refused = service.create(context={**service.context(), "project_revision": 2})

    assert refused.code == "not_found"
    assert refused.body["errors"][0]["pointer"] == "/context/project_revision"


def test_unknown_evidence_and_an_unknown_revision_are_not_found(service: Service) -> None:
    known = service.context()["evidence"]
    unknown = service.create(
        context={**service.context(), "evidence": [*known[:1], {"evidence_id": new_id(), "revision": 1}]}
    )
    ahead = service.create(context={**service.context(), "evidence": [{**known[0], "revision": 2}]})

    assert (unknown.code, unknown.body["errors"][0]["pointer"]) == ("not_found", "/context/evidence/1/evidence_id")
    assert (ahead.code, ahead.body["errors"][0]["pointer"]) == ("not_found", "/context/evidence/0/revision")


def test_an_older_published_revision_of_the_project_may_be_pinned(service: Service) -> None:
    first = service.published
    service.publish("Something else entirely, in a review of its own.", names=["e9"])

    created = service.create(context=service.context(first))

    assert created.status == 200
    assert created.body["conversation"]["context"]["project_revision"] == 1


def test_evidence_that_came_after_the_pinned_publication_is_not_part_of_it(service: Service) -> None:
    first = service.published
    later = service.publish("Something else entirely, in a review of its own.", names=["e9"])
    mixed = {**service.context(first), "evidence": service.context(later)["evidence"]}

    assert service.create(context=mixed).code == "not_found"


def test_evidence_with_a_newer_revision_is_a_conflict_that_names_the_current_one(service: Service) -> None:
    service.publish("The battery lasts six hours now.", names=["e1"])

    refused = service.create()

    assert (refused.status, refused.code) == (409, "context_changed")
    pinned = service.context()["evidence"][0]
    assert refused.body["current"] == {"evidence_id": pinned["evidence_id"], "revision": 2}
    assert refused.body["errors"][0]["pointer"] == "/context/evidence/0/revision"


def test_withdrawn_evidence_cannot_be_selected(service: Service) -> None:
    withdraw(service, 1)

    refused = service.create()

    assert (refused.status, refused.code) == (409, "source_unavailable")
    assert refused.body["errors"][0]["pointer"] == "/context/evidence/1"


def test_a_project_that_is_not_open_to_the_member_looks_as_if_it_did_not_exist(service: Service) -> None:
    outsider = service.member(new_id(), "editor", projects=(new_id(),))

    closed = service.create(token=outsider)
    missing = service.create(token=outsider, context={**service.context(), "project_id": new_id()})

    closed.body.pop("request_id"), missing.body.pop("request_id")
    assert closed.body == missing.body
    assert closed.status == 404


def test_evidence_too_large_for_any_question_is_known_when_the_conversation_is_created(service: Service) -> None:
    large = service.publish(*("x" * 20_000 for _ in range(10)))

    created = service.create(context=service.context(large))

    assert created.status == 200
    assert created.body["availability"]["reason"] == "input_too_large"


def test_reading_follows_the_owners_access_to_the_project(service: Service) -> None:
    conversation = service.create().body["conversation"]
    ref = records.member(service.workspace_id, service.principal_id)
    service.put(ref, Member(role="owner", capabilities=("agent:research",), projects=()))
    closed = service.get(conversation["id"]).body
    service.put(ref, Member(role="owner", capabilities=("agent:research",)))
    opened = service.get(conversation["id"]).body

    assert (closed["conversation"]["availability"], closed["conversation"]["title"]) == ("access_changed", None)
    assert closed["availability"]["reason"] == "access_changed"
    assert (opened["conversation"]["availability"], opened["conversation"]["title"]) == ("available", "Battery")


def test_a_withdrawn_source_hides_answers_and_keeps_questions(service: Service) -> None:
    run = service.asked()
    service.deliver()
    before = service.get(run["conversation_id"]).body
    withdraw(service, 2)
    after = service.get(run["conversation_id"]).body

    assert [message["role"] for message in after["messages"]] == ["user", "assistant"]
    assert before["messages"][1]["answer"] is not None
    assert after["messages"][1]["answer"] is None
    assert after["messages"][0]["question"] == "How long does the battery last?"
    assert after["conversation"]["availability"] == "source_unavailable"
    assert service.citations(run).body["citations"] is None
    assert service.status(run).body["message"]["answer"] is None


def test_a_deleted_project_makes_its_sources_unavailable(service: Service) -> None:
    conversation = service.create().body["conversation"]
    ref = records.project(service.workspace_id, service.project_id)
    service.put(ref, Project(name="Fans", revision=1, deleted_at=service.time.now))

    assert service.get(conversation["id"]).body["conversation"]["availability"] == "source_unavailable"
    assert service.create().code == "not_found"


def test_a_newer_revision_of_evidence_leaves_answers_readable_and_refuses_requests(service: Service) -> None:
    run = service.asked()
    service.deliver()
    service.publish(TEXTS[0] + " It has grown weaker since.", names=["e1"])

    read = service.get(run["conversation_id"]).body
    refused = service.request(read["conversation"]).body

    assert read["conversation"]["availability"] == "available"
    assert read["messages"][1]["answer"] is not None
    assert read["availability"]["reason"] == "context_changed"
    assert (refused["run"]["status"], refused["run"]["failure_code"]) == ("unavailable", "context_changed")


def test_other_imports_into_the_project_change_nothing(service: Service) -> None:
    conversation = service.create().body["conversation"]
    service.publish("Something else entirely, in a review of its own.", names=["e9"])

    assert service.get(conversation["id"]).body["availability"]["reason"] is None


def test_an_import_that_is_not_yet_published_changes_nothing(service: Service) -> None:
    conversation = service.create().body["conversation"]
    pinned = service.context()["evidence"][0]
    ref = records.evidence(service.workspace_id, service.project_id, pinned["evidence_id"])
    head = service.store.fetch(ref)[ref]
    assert head is not None
    staged = head.latest.model_copy(update={"revision": 2, "since": 2})
    service.put(ref, head.model_copy(update={"latest": staged, "previous": head.latest}))

    assert service.get(conversation["id"]).body["availability"]["reason"] is None
    assert service.create().status == 200


def withdraw(service: Service, place: int) -> None:
    """Mark the evidence at this place of the context as withdrawn."""
    pinned = service.context()["evidence"][place]
    ref = records.evidence(service.workspace_id, service.project_id, pinned["evidence_id"])
    head = service.store.fetch(ref)[ref]
    assert head is not None
    service.put(ref, head.model_copy(update={"withdrawn_at": service.time.now + timedelta(0)}))

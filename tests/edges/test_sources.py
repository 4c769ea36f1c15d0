"""Importing sources through the API, and withdrawing them: what is written, what is published, what is erased."""

from typing import Any

import pytest
from harness.service import TEXTS, Response, Service, new_id

from research.words import records
from research.words.records import Project
from tests.edges.invocations import outcome, stored
from tests.edges.rest_events import BOTH
from tests.edges.source_calls import (
    editing,
    everything,
    head,
    imported,
    listed,
    project,
    reading,
    withdrawing,
    withdrawn,
)


def a_source(number: int = 1, **changes: Any) -> dict[str, Any]:
    return {"id": f"e{number}", "text": TEXTS[number - 1], "title": f"About e{number}", **changes}


@pytest.fixture
def service(service: Service) -> Service:
    return editing(service)


def ids(response: Response) -> list[str]:
    return [pinned["evidence_id"] for pinned in response.body["evidence"]]


def test_new_changed_unchanged_and_withdrawn_sources_are_one_publication(service: Service) -> None:
    e1, e2, e3 = (pinned.evidence_id for pinned in service.published.evidence)
    withdrawn(service, e3)

    answer = imported(service, a_source(1), a_source(2, text="Quieter now."), a_source(3), {"id": "e4", "text": "New."})

    assert answer.status == 200
    fourth = answer.body["evidence"][2]["evidence_id"]
    assert answer.body == {
        "project_id": service.project_id,
        "project_revision": 2,
        "corpus_snapshot_id": answer.body["corpus_snapshot_id"],
        "new": 1,
        "changed": 1,
        "unchanged": 1,
        "withdrawn": 1,
        "evidence": [
            {"evidence_id": e1, "revision": 1},
            {"evidence_id": e2, "revision": 2},
            {"evidence_id": fourth, "revision": 1},
        ],
    }
    assert answer.body["corpus_snapshot_id"] == listed(service).body["corpus_snapshot_id"]
    assert answer.body["corpus_snapshot_id"] != service.published.corpus_snapshot_id
    assert reading(service, fourth).body["text"] == "New."


@pytest.mark.parametrize("origin", ["title", "url", "author", "published_at", "language"])
def test_another_origin_makes_a_new_revision_as_another_text_does(service: Service, origin: str) -> None:
    answer = imported(service, a_source(1, **{origin: "2026"}))

    assert (answer.body["changed"], answer.body["evidence"][0]["revision"]) == (1, 2)
    assert reading(service, ids(answer)[0], 2).body[origin] == "2026"


def test_when_nothing_has_changed_nothing_is_published_and_no_number_is_used_up(service: Service) -> None:
    before = project(service)

    answer = imported(service, a_source(1), a_source(2), a_source(3))

    assert (answer.body["unchanged"], answer.body["project_revision"]) == (3, 1)
    assert answer.body["corpus_snapshot_id"] == service.published.corpus_snapshot_id
    assert project(service) == before
    assert imported(service, a_source(1, text="Changed.")).body["project_revision"] == 2


def test_one_id_twice_in_a_call_is_invalid_at_its_place(service: Service) -> None:
    refused = imported(service, a_source(1), a_source(2), a_source(1, text="Other words."))

    assert (refused.status, refused.code) == (400, "invalid_request")
    assert [error["pointer"] for error in refused.body["errors"]] == ["/sources/2/id"]
    assert project(service).revision == 1


def test_one_text_twice_without_an_id_is_one_piece_of_evidence_in_whatever_portion_it_comes(service: Service) -> None:
    others = [{"text": f"Review {number}."} for number in range(45)]

    answer = imported(service, {"text": "Twice."}, {"text": "Twice."}, *others, {"text": "Twice."})

    assert (answer.body["new"], answer.body["changed"], len(answer.body["evidence"])) == (46, 0, 48)
    assert ids(answer)[0] == ids(answer)[1] == ids(answer)[-1]


@pytest.mark.parametrize("count", [1, 100])
def test_up_to_a_hundred_sources_are_taken_in_one_call(service: Service, count: int) -> None:
    answer = imported(service, *({"text": f"Review {number}."} for number in range(count)))

    assert (answer.status, answer.body["new"]) == (200, count)


def test_none_and_more_than_a_hundred_are_invalid(service: Service) -> None:
    answers = [imported(service), imported(service, *({"text": f"Review {number}."} for number in range(101)))]

    assert [answer.code for answer in answers] == ["invalid_request"] * 2
    assert [answer.body["errors"][0]["pointer"] for answer in answers] == ["/sources"] * 2


@pytest.mark.parametrize("character", ["x", "\U0001f32c"])
def test_a_text_has_at_most_20_000_code_points(service: Service, character: str) -> None:
    longest = imported(service, {"text": character * 20_000})
    longer = imported(service, {"text": character * 20_001})
    empty = imported(service, {"text": ""})

    assert reading(service, ids(longest)[0]).body["size"] == 20_000
    assert [answer.body["errors"][0]["pointer"] for answer in (longer, empty)] == ["/sources/0/text"] * 2


def test_writing_sources_takes_a_capability_of_its_own_and_more_than_a_viewers_role(service: Service) -> None:
    evidence_id = service.published.evidence[0].evidence_id
    viewer = service.member(new_id(), "viewer", capabilities=BOTH)
    researcher = service.member(new_id(), "owner")

    reading_only = [imported(service, {"text": "New."}, token=viewer), withdrawn(service, evidence_id, token=viewer)]
    incapable = [
        imported(service, {"text": "New."}, token=researcher),
        withdrawn(service, evidence_id, token=researcher),
    ]

    assert [answer.code for answer in reading_only] == ["role_required"] * 2
    assert [answer.body["capability"] for answer in incapable] == ["agent:sources"] * 2


def test_a_project_that_is_unknown_closed_or_deleted_is_not_found(service: Service) -> None:
    closed = service.member(new_id(), "editor", capabilities=BOTH, projects=(new_id(),))
    evidence_id = service.published.evidence[0].evidence_id
    answers = [
        imported(service, {"text": "New."}, project_id=new_id()),
        withdrawn(service, evidence_id, project_id=new_id()),
        imported(service, {"text": "New."}, token=closed),
        withdrawn(service, evidence_id, token=closed),
    ]
    ref = records.project(service.workspace_id, service.project_id)
    service.put(ref, project(service).model_copy(update={"deleted_at": service.time.now}))
    answers += [imported(service, {"text": "New."}), withdrawn(service, evidence_id)]

    assert {answer.code for answer in answers} == {"not_found"}
    assert len({str({**answer.body, "request_id": ""}) for answer in answers}) == 1


def test_withdrawing_erases_text_and_origin_of_every_revision(service: Service) -> None:
    imported(service, a_source(1, text="Six hours by now.", url="https://example.org/e1", author="Ann"))
    evidence_id, _, third = (pinned.evidence_id for pinned in service.published.evidence)

    answer = withdrawn(service, evidence_id, third)

    assert answer.body == {"project_id": service.project_id, "evidence_ids": [evidence_id, third]}
    held = everything(service)
    assert [
        words for words in (TEXTS[0], TEXTS[2], "Six hours", "About e1", "example.org", "Ann") if words in held
    ] == []
    assert TEXTS[1] in held
    assert reading(service, evidence_id).code == reading(service, evidence_id, 2).code == "source_unavailable"


def test_withdrawn_sources_hide_answers_at_the_next_read_and_end_what_is_queued(service: Service) -> None:
    answered = service.asked()
    service.deliver()
    queued = service.asked()
    service.model.prompts.clear()

    withdrawn(service, service.published.evidence[1].evidence_id)

    read = service.get(answered["conversation_id"]).body
    assert (read["conversation"]["availability"], read["messages"][1]["answer"]) == ("source_unavailable", None)
    service.deliver()
    assert outcome(service, queued) == ("failed", "source_unavailable")
    assert (stored(service, queued).call_started_at, service.model.prompts) == (None, [])


def test_withdrawing_twice_is_no_error_and_a_replay_is_one(service: Service) -> None:
    evidence_id = service.published.evidence[0].evidence_id
    body = withdrawing(service, evidence_id, evidence_id.upper())
    first, again = (service.send("sources_withdraw", body) for _ in range(2))
    service.time.pass_(hours=1)
    before = head(service, evidence_id)
    another = withdrawn(service, evidence_id)

    assert first.body == again.body == another.body
    assert (first.replayed, again.replayed, another.replayed) == (False, True, False)
    assert head(service, evidence_id) == before


def test_up_to_a_hundred_pieces_of_evidence_are_withdrawn_in_one_call(service: Service) -> None:
    evidence = ids(imported(service, *({"text": f"Review {number}."} for number in range(100))))

    longer = withdrawn(service, *evidence, new_id())
    longest = withdrawn(service, *evidence)

    assert (longer.code, longer.body["errors"][0]["pointer"]) == ("invalid_request", "/evidence_ids")
    assert longest.body["evidence_ids"] == evidence
    assert "Review" not in everything(service)


def test_unknown_evidence_is_not_found_at_its_place_and_then_nothing_is_withdrawn(service: Service) -> None:
    known = service.published.evidence[0].evidence_id

    other = new_id()
    service.put(records.project(service.workspace_id, other), Project(name="Other"))

    refused = withdrawn(service, known, new_id(), known)
    elsewhere = withdrawn(service, known, project_id=other)

    assert [error["pointer"] for error in elsewhere.body["errors"]] == ["/evidence_ids/0"]
    assert (refused.status, refused.code) == (404, "not_found")
    assert [error["pointer"] for error in refused.body["errors"]] == ["/evidence_ids/1"]
    assert reading(service, known).status == 200


def test_what_was_withdrawn_stays_so_whatever_is_imported(service: Service) -> None:
    evidence_id = service.published.evidence[0].evidence_id
    withdrawn(service, evidence_id)

    answers = [imported(service, a_source(1)), imported(service, a_source(1, text="Other words."), a_source(2))]

    assert [(answer.body["withdrawn"], evidence_id in ids(answer)) for answer in answers] == [(1, False)] * 2
    assert "Other words." not in everything(service)
    assert reading(service, evidence_id).code == "source_unavailable"

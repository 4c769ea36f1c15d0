"""Finding one's way from a workspace to a text: projects, and their evidence page by page."""

from typing import Any

import pytest
from harness.service import TEXTS, Service, new_id

from research.words import records
from research.words.records import Edition, Evidence, Project
from research.words.sources import Source
from tests.edges.source_calls import editing, found, listed, pages, project, reading, withdrawn


def import_(service: Service, count: int, **origin: Any) -> list[str]:
    rows = [
        Source(id=f"{origin.get('language')} {number}", text=f"Review {number}.", **origin) for number in range(count)
    ]
    publication = service.wiring.importing().publish(service.workspace_id, service.project_id, rows)
    return [pinned.evidence_id for pinned in publication.evidence]


def test_from_a_workspace_alone_to_a_conversation(service: Service) -> None:
    (project,) = found(service, "projects_list").body["projects"]
    evidence = found(service, "evidence_list", project_id=project["id"]).body
    pins = [{name: row[name] for name in ("evidence_id", "revision")} for row in evidence["evidence"]]
    names = ("project_id", "project_revision", "corpus_snapshot_id")

    created = service.create(context={name: evidence[name] for name in names} | {"evidence": pins})

    assert project == {
        "id": service.project_id,
        "name": "Fans",
        "revision": 1,
        "corpus_snapshot_id": service.published.corpus_snapshot_id,
    }
    assert (created.status, created.body["availability"]["reason"]) == (200, None)
    assert [row["id"] for row in found(service, "conversations_list").body["conversations"]] == [
        created.body["conversation"]["id"]
    ]


def test_projects_are_those_open_to_the_caller_by_id_and_nothing_tells_of_others(service: Service) -> None:
    others = sorted(new_id() for _ in range(6))
    for other in others:
        service.put(records.project(service.workspace_id, other), Project(name=f"Project {other}"))
    service.put(records.project(service.workspace_id, others[2]), Project(name="Gone", deleted_at=service.time.now))
    mine = (others[4], others[1], others[2], new_id())
    member = service.member(new_id(), "viewer", projects=mine)

    every = pages(service, "projects_list", "projects", limit=2)
    some = pages(service, "projects_list", "projects", limit=1, token=member)
    none = found(service, "projects_list", token=service.member(new_id(), "editor", projects=()))

    assert [row["id"] for page in every for row in page] == sorted({service.project_id, *others} - {others[2]})
    assert [row["id"] for page in some for row in page] == [others[1], others[4]]
    assert len(some) <= len(mine)
    assert none.body == {"projects": [], "next_cursor": None}


def test_a_project_before_its_first_publication_is_at_revision_0(service: Service) -> None:
    empty = new_id()
    service.put(records.project(service.workspace_id, empty), Project(name="Empty"))

    (row,) = [row for row in found(service, "projects_list").body["projects"] if row["id"] == empty]
    evidence = found(service, "evidence_list", project_id=empty).body

    assert (row["revision"], row["corpus_snapshot_id"]) == (0, None)
    assert (evidence["project_revision"], evidence["corpus_snapshot_id"], evidence["evidence"]) == (0, None, [])


@pytest.mark.parametrize("limit", [1, 7, 24, 25, 26, 100])
def test_pages_of_evidence_have_no_gaps_and_no_repeats(service: Service, limit: int) -> None:
    import_(service, 22)

    rows = pages(service, "evidence_list", "evidence", project_id=service.project_id, limit=limit)

    ids = [row["evidence_id"] for page in rows for row in page]
    assert (len(ids), ids) == (25, sorted(set(ids)))
    assert all(len(page) == limit for page in rows[:-1])


def test_a_list_goes_on_where_dynamodb_ends_a_page_for_its_size(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    import_(service, 22)
    monkeypatch.setattr("moto.dynamodb.models.table.RESULT_SIZE_LIMIT", 1_000)

    rows = pages(service, "evidence_list", "evidence", project_id=service.project_id, limit=100)

    assert len(rows) == 2
    assert len({row["evidence_id"] for page in rows for row in page}) == 25


def test_evidence_of_one_language_is_found_among_others_whatever_the_case(service: Service) -> None:
    import_(service, 120, language="de")
    french = import_(service, 8, language="fr-CA")

    rows = pages(service, "evidence_list", "evidence", project_id=service.project_id, language="FR-ca", limit=3)

    assert [row["evidence_id"] for page in rows for row in page] == sorted(french)
    assert {row["language"] for page in rows for row in page} == {"fr-CA"}
    assert max(len(page) for page in rows) == 3
    assert pages(service, "evidence_list", "evidence", project_id=service.project_id, language="it") == [[]]


def test_a_summary_of_evidence_says_where_it_is_from_and_how_long_it_is(service: Service) -> None:
    origin = {"title": "T", "url": "https://example.org", "author": "A", "published_at": "2026", "language": "en"}
    (evidence_id,) = import_(service, 1, **origin)

    summary = {"evidence_id": evidence_id, "revision": 1, "size": 9, **origin}

    assert summary in listed(service).body["evidence"]
    assert reading(service, evidence_id).body == {**summary, "current_revision": 1, "text": "Review 0."}


def test_withdrawn_and_unpublished_evidence_is_left_out(service: Service) -> None:
    e1, e2, e3 = (pinned.evidence_id for pinned in service.published.evidence)
    withdrawn(editing(service), e1)
    ref = records.evidence(service.workspace_id, service.project_id, new_id())
    service.put(ref, Evidence(latest=Edition(revision=1, since=9, size=1)))

    assert [row["evidence_id"] for row in listed(service).body["evidence"]] == sorted([e2, e3])


@pytest.mark.parametrize("limit", [0, 101, 1.5, "1", None])
@pytest.mark.parametrize("operation", ["projects_list", "evidence_list", "conversations_list"])
def test_a_page_has_1_to_100_rows(service: Service, operation: str, limit: Any) -> None:
    names = {"project_id": service.project_id} if operation == "evidence_list" else {}

    refused = found(service, operation, limit=limit, **names)

    assert (refused.code, refused.body["errors"][0]["pointer"]) == ("invalid_request", "/limit")
    assert [found(service, operation, limit=bound, **names).status for bound in (1, 100)] == [200, 200]


def test_an_older_revision_is_readable_and_says_which_is_current(service: Service) -> None:
    evidence_id = service.published.evidence[0].evidence_id
    service.publish("Six hours.", names=["e1"])

    older, current, ahead = (reading(service, evidence_id, revision) for revision in (1, 2, 3))

    assert (older.body["text"], older.body["revision"], older.body["current_revision"]) == (TEXTS[0], 1, 2)
    assert (current.body["text"], current.body["current_revision"]) == ("Six hours.", 2)
    assert ahead.code == "not_found"


def test_a_revision_that_is_not_published_is_not_found_and_a_withdrawn_one_is_gone(service: Service) -> None:
    e1, e2, _ = (pinned.evidence_id for pinned in service.published.evidence)
    ref = records.evidence(service.workspace_id, service.project_id, e1)
    head = service.store.fetch(ref)[ref]
    assert head is not None
    staged = head.latest.model_copy(update={"revision": 2, "since": 9})
    service.put(ref, Evidence(latest=staged, previous=head.latest))
    text_ref = records.evidence_text(service.workspace_id, service.project_id, e1, 2)
    service.put(text_ref, records.EvidenceText(text="Staged."))
    withdrawn(editing(service), e2)

    answers = [reading(service, e1, 2), reading(service, new_id()), reading(service, e2, 2), reading(service, e2)]

    assert [(answer.status, answer.code) for answer in answers] == [(404, "not_found")] * 3 + [
        (409, "source_unavailable")
    ]
    assert reading(service, e1).body["current_revision"] == 1


def test_a_closed_or_deleted_project_has_no_evidence_to_read(service: Service) -> None:
    evidence_id = service.published.evidence[0].evidence_id
    closed = service.member(new_id(), "editor", projects=(new_id(),))
    answers = [listed(service, token=closed), reading(service, evidence_id, token=closed)]
    gone = project(service).model_copy(update={"deleted_at": service.time.now})
    service.put(records.project(service.workspace_id, service.project_id), gone)
    answers += [listed(service), reading(service, evidence_id), listed(service, project_id=new_id())]

    assert {answer.code for answer in answers} == {"not_found"}
    assert len({str({**answer.body, "request_id": ""}) for answer in answers}) == 1

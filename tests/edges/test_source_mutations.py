"""A mutation of sources acts once, whatever is sent again, comes at the same time or dies half way."""

from types import SimpleNamespace
from typing import Any

import pytest
from harness.service import Response, Service, new_id

from infra.local.aws_faults import THROTTLED, LoseReply, always, in_turn
from research.words import records
from research.words.records import Project
from tests.edges.source_calls import (
    editing,
    everything,
    imported,
    importing,
    listed,
    project,
    reading,
    withdrawing,
    withdrawn,
)


@pytest.fixture
def service(service: Service, monkeypatch: pytest.MonkeyPatch) -> Service:
    """The service, its store never waiting, its owner an editor of sources."""
    monkeypatch.setattr("botocore.endpoint.time", SimpleNamespace(sleep=lambda _seconds: None))
    service.evidence._calls._pause = lambda _seconds: None
    return editing(service)


def just_before_the_publication(service: Service, act: Any) -> None:
    """Have somebody else act once, right before the transaction that brings the next snapshot."""
    waiting = [act]

    def overtake(params: Any, **_: Any) -> None:
        if waiting and b"SNAPSHOT#" in params["body"]:
            waiting.pop()()

    service.evidence._calls.client.meta.events.register("before-call.dynamodb.TransactWriteItems", overtake)


def ids(response: Response) -> list[str]:
    return [pinned["evidence_id"] for pinned in response.body["evidence"]]


def test_an_import_that_is_sent_again_returns_what_was_recorded(service: Service) -> None:
    body = importing(service, {"text": "New."}, {"id": "e1", "text": "Six hours."})
    first = service.send("sources_import", body)
    imported(service, {"id": "e2", "text": "Quieter now."})

    again = service.send("sources_import", body | {"mutation_id": body["mutation_id"].upper()})

    assert (first.replayed, again.replayed, again.body) == (False, True, first.body)
    assert project(service).revision == 3


def test_a_mutation_of_sources_used_for_something_else_is_a_conflict(service: Service) -> None:
    body = importing(service, {"text": "New."})
    evidence_id = ids(service.send("sources_import", body))[0]

    other_body = service.send("sources_import", body | {"sources": [{"text": "Other."}]})
    other_operation = withdrawn(service, evidence_id, mutation_id=body["mutation_id"])
    creating = service.create(mutation_id=body["mutation_id"])

    assert [answer.code for answer in (other_body, other_operation, creating)] == ["mutation_conflict"] * 3
    assert reading(service, evidence_id).status == 200


def test_an_import_that_changes_nothing_is_remembered_too(service: Service) -> None:
    imported(service, {"id": "n", "text": "New."})
    body = importing(service, {"id": "n", "text": "New."})
    first = service.send("sources_import", body)
    imported(service, {"id": "n", "text": "Newer."})

    again = service.send("sources_import", body)

    assert (first.body["unchanged"], again.replayed, again.body) == (1, True, first.body)
    assert project(service).revision == 3


def test_of_two_imports_under_one_mutation_the_later_publishes_nothing(service: Service) -> None:
    other = new_id()
    service.put(records.project(service.workspace_id, other), Project(name="Other"))
    body = importing(service, {"text": "Mine."})
    theirs: list[Response] = []
    just_before_the_publication(
        service, lambda: theirs.append(service.send("sources_import", body | {"project_id": other}))
    )

    mine = service.send("sources_import", body)

    assert (theirs[0].status, mine.code) == (200, "mutation_conflict")
    assert (project(service).revision, project(service).importing) == (1, None)
    assert len(listed(service).body["evidence"]) == 3


def test_an_import_whose_reply_was_lost_is_made_once(service: Service) -> None:
    with service.aws.faults(in_turn("TransactWriteItems", LoseReply(), LoseReply())):
        answer = imported(service, {"text": "New."})

    assert (answer.status, answer.replayed, answer.body["new"], answer.body["project_revision"]) == (200, False, 1, 2)


def test_a_withdrawal_that_died_half_way_is_finished_when_it_is_sent_again(service: Service) -> None:
    first, second, _ = (pinned.evidence_id for pinned in service.published.evidence)
    body = withdrawing(service, first, second)
    with service.aws.faults(always("BatchWriteItem", THROTTLED)):
        died = service.send("sources_withdraw", body)
    hidden = reading(service, first)
    other = service.send("sources_withdraw", body | {"evidence_ids": [second]})

    again = service.send("sources_withdraw", body)

    assert (died.code, hidden.code, other.code) == ("busy", "source_unavailable", "mutation_conflict")
    assert (again.status, again.replayed, service.send("sources_withdraw", body).replayed) == (200, False, True)
    assert [title for title in ("About e1", "About e2") if title in everything(service)] == []


def test_a_mutation_is_free_again_after_a_day(service: Service) -> None:
    body = importing(service, {"text": "New."})
    evidence_id = ids(service.send("sources_import", body))[0]
    service.time.pass_(hours=24)

    answer = withdrawn(service, evidence_id, mutation_id=body["mutation_id"])
    again = withdrawn(service, evidence_id, mutation_id=body["mutation_id"])

    assert [(sent.status, sent.replayed) for sent in (answer, again)] == [(200, False), (200, True)]

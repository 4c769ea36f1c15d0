"""A source withdrawn, a source changed, a project closed, a member removed: each before, after, and restored."""

from typing import Any

import pytest
from harness.service import TEXTS, Service, new_id

from research.words import ids, records
from tests.edges.invocations import outcome, stored
from tests.edges.rest_events import BOTH
from tests.edges.source_calls import editing, everything, found, imported, project, reading, withdrawn

QUESTION = "How long does the battery last?"
OPEN: dict[str, Any] = {
    "availability": "available",
    "reason": None,
    "title": "Battery",
    "messages": [QUESTION, "an answer"],
    "status": "an answer",
    "citations": TEXTS[0],
    "list": "Battery",
    "text": TEXTS[0],
}
DENIED = dict.fromkeys(OPEN, "access_denied")


@pytest.fixture
def service(service: Service) -> Service:
    return editing(service)


def answered(service: Service) -> Any:
    run = service.asked()
    service.deliver()
    return run


def seen(service: Service, run: Any) -> dict[str, Any]:
    """What the owner of an answered run reads of it, by every way of reading there is."""
    read, status, cited = service.get(run["conversation_id"]), service.status(run), service.citations(run)
    rows = found(service, "conversations_list")
    text = reading(service, service.published.evidence[0].evidence_id)
    if {answer.status for answer in (read, status, cited, rows)} != {200}:
        return dict.fromkeys(OPEN, read.code)
    citations = cited.body["citations"]
    return {
        "availability": read.body["conversation"]["availability"],
        "reason": read.body["availability"]["reason"],
        "title": read.body["conversation"]["title"],
        "messages": [message["question"] or _answer(message) for message in read.body["messages"]],
        "status": _answer(status.body["message"]),
        "citations": citations and citations["answer"]["passages"][0]["text"],
        "list": rows.body["conversations"][0]["title"],
        "text": text.body["text"] if text.status == 200 else text.code,
    }


def _answer(message: Any) -> str | None:
    return "an answer" if message and message["answer"] else None


def asking_again(service: Service, run: Any) -> Any:
    """What a new request to the run's conversation meets: a failure code, or a problem's."""
    names = {"id": run["conversation_id"], "revision": 3}
    refused = service.request(names)
    return refused.body["run"]["failure_code"] if refused.status == 200 else refused.code


def queued_run_ends(service: Service, run: Any) -> tuple[str, str | None]:
    """How a queued run ends when it is delivered; nothing is asked of the provider."""
    prompts = len(service.model.prompts)
    service.deliver()
    ended = stored(service, run)
    assert (len(service.model.prompts), ended.call_started_at) == (prompts, None)
    return ended.status, ended.failure_code


def change_member(service: Service, **fields: Any) -> None:
    given = {"role": "owner", "capabilities": BOTH, **fields}
    service.put(records.member(service.workspace_id, service.principal_id), records.Member(**given))


def remove_member(service: Service) -> None:
    service.evidence.erase([records.member(service.workspace_id, service.principal_id)])


def test_a_withdrawn_source_takes_every_answer_with_it_for_good(service: Service) -> None:
    run, queued = answered(service), service.asked()
    before = seen(service, run)

    withdrawn(service, service.published.evidence[0].evidence_id)

    gone = {"availability": "source_unavailable", "reason": "source_unavailable", "text": "source_unavailable"}
    after = OPEN | gone | {"messages": [QUESTION, None], "status": None, "citations": None}
    assert (before, seen(service, run)) == (OPEN, after)
    assert asking_again(service, run) == "source_unavailable"
    assert service.create().code == "source_unavailable"
    assert queued_run_ends(service, queued) == ("failed", "source_unavailable")
    imported(service, {"id": "e1", "text": TEXTS[0], "title": "About e1"})
    assert seen(service, run) == after
    assert TEXTS[0] not in everything(service)


def test_a_changed_source_leaves_what_was_answered_and_takes_no_new_request(service: Service) -> None:
    run, queued = answered(service), service.asked()
    before = seen(service, run)

    imported(service, {"id": "e1", "text": "It lasts six hours by now.", "title": "About e1"})

    after = OPEN | {"reason": "context_changed"}
    assert (before, seen(service, run)) == (OPEN, after)
    assert asking_again(service, run) == "context_changed"
    assert service.create().body["current"]["revision"] == 2
    assert queued_run_ends(service, queued) == ("failed", "context_changed")
    imported(service, {"id": "e1", "text": TEXTS[0], "title": "About e1"})
    assert (seen(service, run), asking_again(service, run)) == (after, "context_changed")


def test_a_closed_project_hides_all_that_was_said_until_it_is_open_again(service: Service) -> None:
    run, queued = answered(service), service.asked()
    before = seen(service, run)

    change_member(service, projects=(new_id(),))

    hidden = {"availability": "access_changed", "reason": "access_changed", "text": "not_found"}
    after = OPEN | hidden | {"title": None, "messages": [], "status": None, "citations": None, "list": None}
    assert (before, seen(service, run)) == (OPEN, after)
    assert asking_again(service, run) == "access_changed"
    assert (service.create().code, found(service, "projects_list").body["projects"]) == ("not_found", [])
    assert queued_run_ends(service, queued) == ("failed", "access_changed")
    change_member(service, projects=(service.project_id,))
    assert (seen(service, run), asking_again(service, run)) == (OPEN, None)


def test_a_removed_member_is_refused_everything_until_restored(service: Service) -> None:
    run, queued = answered(service), service.asked()
    before = seen(service, run)

    remove_member(service)

    assert (before, seen(service, run)) == (OPEN, DENIED)
    assert (asking_again(service, run), service.create().code) == ("access_denied", "access_denied")
    assert queued_run_ends(service, queued) == ("failed", "access_changed")
    change_member(service)
    assert (seen(service, run), asking_again(service, run)) == (OPEN, None)
    assert outcome(service, queued) == ("failed", "access_changed")


def test_a_deleted_project_takes_its_answers_with_it(service: Service) -> None:
    run, queued = answered(service), service.asked()
    before = seen(service, run)

    gone = project(service).model_copy(update={"deleted_at": service.time.now})
    service.put(records.project(service.workspace_id, service.project_id), gone)

    hidden = {"availability": "source_unavailable", "reason": "source_unavailable", "text": "not_found"}
    after = OPEN | hidden | {"messages": [QUESTION, None], "status": None, "citations": None}
    assert (before, seen(service, run)) == (OPEN, after)
    assert asking_again(service, run) == "source_unavailable"
    assert queued_run_ends(service, queued) == ("failed", "source_unavailable")


@pytest.mark.parametrize("fields", [{"role": "viewer"}, {"capabilities": BOTH[1:]}], ids=["role", "capability"])
def test_a_member_who_may_only_read_or_not_even_that_has_no_run_generated(
    service: Service, fields: dict[str, Any]
) -> None:
    run, queued = answered(service), service.asked()

    change_member(service, **fields)

    readable = seen(service, run) == OPEN
    assert (readable, asking_again(service, run)) in ((True, "role_required"), (False, "capability_required"))
    assert queued_run_ends(service, queued) == ("failed", "access_changed")
    change_member(service)
    assert (seen(service, run), asking_again(service, run)) == (OPEN, None)


def test_restored_access_opens_a_conversation_only_while_it_lasts(service: Service) -> None:
    run = answered(service)
    change_member(service, projects=())
    service.time.pass_(hours=24)
    change_member(service)

    hidden: dict[str, Any] = {"title": None, "messages": [], "status": None, "citations": None, "list": None}
    assert seen(service, run) == OPEN | hidden | {"availability": "expired", "reason": "expired"}


def test_a_revoked_token_is_refused_and_a_new_one_of_the_same_member_reads_on(service: Service) -> None:
    run, queued = answered(service), service.asked()
    before = seen(service, run)

    service.time.pass_(minutes=1)
    service.token, old = service.issue(service.principal_id), service.token
    token_ref = records.token(service.principal_id, ids.token_digest(old))
    service.put(token_ref, records.Token(expires_at=service.time.now, revoked_at=service.time.now))

    assert service.get(run["conversation_id"], token=old).code == "unauthenticated"
    assert (before, seen(service, run)) == (OPEN, OPEN)
    service.deliver()
    assert outcome(service, queued) == ("completed", None)

"""Who may call what, and that a refusal tells nobody whether there was anything to find."""

from datetime import timedelta
from typing import Any

import pytest
from harness.service import Response, Service, new_id

from research.words import ids, records
from research.words.catalogue import BY_NAME
from research.words.records import Token
from tests.edges.rest_events import BOTH, bodies

NOBODY = "00000000-0000-4000-8000-000000000000"


def said(response: Response) -> Any:
    """All that a refusal says but the request's own id."""
    headers = {name: content for name, content in response.headers.items() if name != "request-id"}
    return response.status, headers, {**response.body, "request_id": ""}


WRITES = [name for name, operation in BY_NAME.items() if not operation.read_only]
READS = [name for name, operation in BY_NAME.items() if operation.read_only]


def test_no_token_and_every_kind_of_invalid_token_are_refused_alike(service: Service) -> None:
    member = service.principal_id
    tokens = {
        "missing": None,
        "malformed": "not-a-token",
        "cut short": service.token[:-1],
        "of nobody": ids.new_token(new_id()),
        "of a member, but never issued": ids.new_token(member),
        "expired": service.issue(member, life=timedelta()),
        "revoked": service.issue(member, revoked_at=service.time.now),
        "another's principal": service.token.replace(service.token[4:36], new_id().replace("-", "")),
    }

    for operation, body in bodies(service).items():
        answers = {name: said(service.send(operation, body, token=token)) for name, token in tokens.items()}

        assert {status for status, _, _ in answers.values()} == {401}
        assert all(answer == answers["missing"] for answer in answers.values())
        assert answers["missing"][1]["www-authenticate"] == "Bearer"


def test_a_token_expires_at_its_instant_and_not_before(service: Service) -> None:
    token = service.issue(service.principal_id, life=timedelta(minutes=5))
    service.time.pass_(minutes=5, milliseconds=-1)
    before = service.create(token=token)
    service.time.pass_(milliseconds=1)

    assert (before.status, service.create(token=token).status) == (200, 401)


def test_a_token_that_is_revoked_is_refused_at_the_next_call(service: Service) -> None:
    digest = ids.token_digest(service.token)
    before = service.create()
    revoked = Token(expires_at=service.time.now + timedelta(days=1), revoked_at=service.time.now)
    service.put(records.token(service.principal_id, digest), revoked)

    assert (before.status, service.create().status) == (200, 401)


def test_an_unknown_workspace_and_one_of_others_are_refused_alike(service: Service) -> None:
    stranger = service.issue(new_id())

    for operation, body in bodies(service).items():
        theirs = service.send(operation, body, token=stranger)
        unknown = service.send(operation, {**body, "workspace_id": NOBODY}, token=stranger)
        mistaken = service.send(operation, {**body, "workspace_id": NOBODY})

        assert (theirs.status, theirs.code) == (403, "access_denied")
        assert said(theirs) == said(unknown) == said(mistaken)


def test_without_the_capability_every_operation_is_refused_and_the_capability_named(service: Service) -> None:
    for operation, body in bodies(service).items():
        needed = BY_NAME[operation].capability
        others = tuple(capability for capability in BOTH if capability != needed)
        refused = service.send(operation, body, token=service.member(new_id(), "owner", capabilities=others))

        assert (refused.status, refused.code) == (403, "capability_required")
        assert refused.body["capability"] == needed


def test_a_member_who_has_become_a_viewer_reads_what_is_theirs_and_writes_nothing(service: Service) -> None:
    every = bodies(service)
    service.member(service.principal_id, "viewer", capabilities=BOTH)

    answers = {operation: service.send(operation, body) for operation, body in every.items()}

    assert {answers[operation].code for operation in WRITES} == {"role_required"}
    assert {answers[operation].status for operation in WRITES} == {403}
    assert {operation for operation in answers if answers[operation].status == 200} == set(READS)


@pytest.mark.parametrize("role", ["owner", "editor"])
def test_no_write_is_refused_to_owners_and_editors(service: Service, role: str) -> None:
    every = bodies(service)
    service.member(service.principal_id, role, capabilities=BOTH)

    assert 403 not in [service.send(operation, every[operation]).status for operation in WRITES]


@pytest.mark.parametrize("role", ["owner", "editor", "viewer"])
def test_another_members_conversation_and_run_look_like_missing_ones(service: Service, role: str) -> None:
    colleague = service.member(new_id(), role)
    for operation, body in bodies(service).items():
        if "conversation_id" not in body or (role == "viewer" and operation in WRITES):
            continue
        theirs = service.send(operation, body, token=colleague)
        missing = service.send(operation, {**body, "conversation_id": NOBODY}, token=colleague)
        mine_but_missing = service.send(operation, {**body, "conversation_id": NOBODY})

        assert (theirs.status, theirs.code) == (404, "not_found")
        assert said(theirs) == said(missing) == said(mine_but_missing)


def test_a_run_is_found_only_in_its_own_conversation(service: Service) -> None:
    every = bodies(service)
    other = service.create().body["conversation"]

    for operation in ("assistant_status", "citations_get"):
        elsewhere = service.send(operation, {**every[operation], "conversation_id": other["id"]})
        missing = service.send(operation, {**every[operation], "run_id": NOBODY})

        assert (elsewhere.status, elsewhere.code) == (404, "not_found")
        assert said(elsewhere) == said(missing)


def test_a_conversation_is_not_found_in_another_workspace_of_its_owner(service: Service) -> None:
    body = bodies(service)["conversations_get"]
    elsewhere = new_id()
    service.put(records.workspace(elsewhere), records.Workspace(name="Another"))
    member = records.Member(role="owner", capabilities=("agent:research",))
    service.put(records.member(elsewhere, service.principal_id), member)

    assert service.send("conversations_get", {**body, "workspace_id": elsewhere}).status == 404


def test_refused_calls_leave_nothing_behind(service: Service) -> None:
    every = bodies(service)
    viewer, stranger = service.member(new_id(), "viewer", capabilities=BOTH), service.issue(new_id())
    before = sorted(service.items(), key=repr)

    for operation in WRITES:
        for token in (None, "nothing", viewer, stranger):
            service.send(operation, every[operation], token=token)

    assert sorted(service.items(), key=repr) == before

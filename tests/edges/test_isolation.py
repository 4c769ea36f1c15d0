"""Every operation in every situation of its caller: the exact answer, and refusals that tell nothing of what exists."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
from harness.service import Response, Service, new_id

from research.words import ids, records
from research.words.catalogue import BY_NAME
from research.words.problems import TABLE
from research.words.records import Member, Token, Workspace
from tests.edges.rest_events import BOTH, bodies
from tests.edges.source_calls import project

KINDS = {
    "open": ["conversations_create"],
    "read": ["conversations_get", "assistant_status", "citations_get"],
    "ask": ["assistant_request", "sentiment_request", "assistant_cancel"],
    "archive": ["conversations_archive"],
    "delete": ["conversations_delete"],
    "list": ["projects_list", "conversations_list"],
    "find": ["evidence_list", "evidence_get"],
    "change": ["sources_import", "sources_withdraw"],
}
SITUATIONS = {
    #                        open   read   ask    archive delete list   find   change
    "own":                  "ok     ok     ok     ok      ok     ok     ok     ok",
    "another member's":     "ok     none   none   none    none   ok     ok     ok",
    "a viewer's colleague": "role   none   role   role    role   ok     ok     role",
    "another workspace's":  "none   none   none   none    none   ok     none   none",
    "unknown":              "none   none   none   none    none   denied none   none",
    "no token":             "token  token  token  token   token  token  token  token",
    "expired token":        "token  token  token  token   token  token  token  token",
    "revoked token":        "token  token  token  token   token  token  token  token",
    "not a member":         "denied denied denied denied  denied denied denied denied",
    "removed member":       "denied denied denied denied  denied denied denied denied",
    "role lowered":         "role   ok     role   role    role   ok     ok     role",
    "no capability":        "unable unable unable unable  unable unable unable unable",
    "only agent:sources":   "unable unable unable unable  unable unable unable ok",
    "only agent:research":  "ok     ok     ok     ok      ok     ok     ok     unable",
    "project closed":       "none   closed closed closed  ok     ok     none   none",
    "project deleted":      "none   gone   gone   gone    ok     ok     none   none",
}  # fmt: skip
CODES = {
    "ok": "ok",
    "none": "not_found",
    "role": "role_required",
    "token": "unauthenticated",
    "denied": "access_denied",
    "unable": "capability_required",
    "closed": "access_changed",
    "gone": "source_unavailable",
}
ALONE = ("assistant_request", "sentiment_request", "conversations_archive")
"""What changes the revision of its conversation and is therefore called on one of its own."""
NAMES = {"conversation_id", "run_id", "project_id", "evidence_id", "evidence_ids", "context"}


@dataclass(frozen=True, slots=True)
class Call:
    """What is sent, and by whom."""

    body: dict[str, Any]
    token: str | None = ""


def expected(situation: str) -> dict[str, str]:
    codes = dict(zip(KINDS, SITUATIONS[situation].split(), strict=True))
    return {name: CODES[codes[kind]] for kind, names in KINDS.items() for name in names}


def own(service: Service, **fields: Any) -> None:
    """The owner's membership rewritten."""
    given = {"role": "owner", "capabilities": BOTH, **fields}
    service.put(records.member(service.workspace_id, service.principal_id), Member(**given))


def unchanged(_service: Service) -> None:
    return None


def by_the_owner(_service: Service, body: dict[str, Any]) -> Call:
    return Call(body)


def elsewhere(service: Service, body: dict[str, Any]) -> Call:
    """The same caller in another workspace of theirs."""
    workspace_id = new_id()
    service.put(records.workspace(workspace_id), Workspace(name="Another"))
    service.put(records.member(workspace_id, service.principal_id), Member(role="owner", capabilities=BOTH))
    return Call(body | {"workspace_id": workspace_id})


def revoke(service: Service) -> None:
    token = Token(expires_at=service.time.now + timedelta(days=1), revoked_at=service.time.now)
    service.put(records.token(service.principal_id, ids.token_digest(service.token)), token)


def delete_project(service: Service) -> None:
    gone = project(service).model_copy(update={"deleted_at": service.time.now})
    service.put(records.project(service.workspace_id, service.project_id), gone)


def remove(service: Service) -> None:
    service.evidence.erase([records.member(service.workspace_id, service.principal_id)])


def unknown(body: dict[str, Any], *names: str) -> dict[str, Any]:
    """The same call about things, and what `names` names, that do not exist."""
    return {name: _unknown(name, content) if name in NAMES | {*names} else content for name, content in body.items()}


def _unknown(name: str, content: Any) -> Any:
    if name == "context":
        return content | {"project_id": new_id(), "corpus_snapshot_id": new_id()}
    return [new_id() for _ in content] if isinstance(content, list) else new_id()


CHANGES: dict[str, Callable[[Service], Any]] = {
    "own": unchanged,
    "revoked token": revoke,
    "removed member": remove,
    "role lowered": lambda service: own(service, role="viewer"),
    "no capability": lambda service: own(service, capabilities=()),
    "only agent:sources": lambda service: own(service, capabilities=BOTH[1:]),
    "only agent:research": lambda service: own(service, capabilities=BOTH[:1]),
    "project closed": lambda service: own(service, projects=(new_id(),)),
    "project deleted": delete_project,
}
CALLS: dict[str, Callable[[Service, dict[str, Any]], Call]] = {
    "another member's": lambda service, body: Call(body, service.member(new_id(), "owner", capabilities=BOTH)),
    "a viewer's colleague": lambda service, body: Call(body, service.member(new_id(), "viewer", capabilities=BOTH)),
    "another workspace's": elsewhere,
    "unknown": lambda _service, body: Call(unknown(body, *([] if NAMES & body.keys() else ["workspace_id"]))),
    "no token": lambda _service, body: Call(body, None),
    "expired token": lambda service, body: Call(body, service.issue(service.principal_id, life=timedelta())),
    "not a member": lambda service, body: Call(body, service.issue(new_id())),
}


def told(response: Response) -> str:
    """The code of a refusal; of a result `ok`, or what it says is in the way of requests and answers."""
    availability = response.body.get("availability")
    reason = availability["reason"] if isinstance(availability, dict) else availability
    return response.code if response.status != 200 or reason in (None, "available") else str(reason)


def said(response: Response) -> Any:
    """All that a refusal says but the request's own id."""
    headers = {name: content for name, content in response.headers.items() if name != "request-id"}
    return response.status, headers, {**response.body, "request_id": ""}


def test_every_operation_is_in_the_matrix_and_every_situation_is_brought_about() -> None:
    assert sorted(name for names in KINDS.values() for name in names) == sorted(BY_NAME)
    assert sorted([*CHANGES, *CALLS]) == sorted(SITUATIONS)


@pytest.mark.parametrize("situation", SITUATIONS)
def test_each_operation_gives_exactly_this_answer_and_a_refusal_the_same_of_what_does_not_exist(
    service: Service, situation: str
) -> None:
    prepared = bodies(service) | {name: bodies(service)[name] for name in ALONE}
    CHANGES.get(situation, unchanged)(service)
    calls = {name: CALLS.get(situation, by_the_owner)(service, prepared[name]) for name in BY_NAME}

    answers = {name: service.send(name, call.body, token=call.token) for name, call in calls.items()}

    assert {name: told(answer) for name, answer in answers.items()} == expected(situation)
    for name, answer in answers.items():
        if answer.status != 200:
            names = ["workspace_id"] if answer.code == "access_denied" else []
            nothing = service.send(name, unknown(calls[name].body, *names), token=calls[name].token)
            assert (said(nothing), answer.status) == (said(answer), TABLE[answer.code].status)

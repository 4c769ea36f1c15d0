"""Lists page by page: the caller's own conversations, and what a cursor is good for."""

import base64
from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest
from harness.service import Service, new_id
from hypothesis import given
from hypothesis import strategies as st

from research.operations import cursors
from research.words import records
from research.words.problems import Problem
from research.words.records import Member, Project, Workspace
from tests.edges.source_calls import found, pages


def conversation_ids(service: Service, **arguments: Any) -> list[str]:
    return [row["id"] for page in pages(service, "conversations_list", "conversations", **arguments) for row in page]


def created(service: Service, count: int, **changes: Any) -> list[str]:
    """The ids of new conversations, a second apart, the newest first."""
    names = []
    for _ in range(count):
        service.time.pass_(seconds=1)
        names.append(service.create(**changes).body["conversation"]["id"])
    return names[::-1]


def test_a_caller_sees_its_own_conversations_newest_first(service: Service) -> None:
    theirs = service.member(new_id(), "viewer")
    editor = service.member(new_id(), "editor")
    mine = created(service, 5)
    others = created(service, 2, token=editor)

    assert [conversation_ids(service, limit=limit) for limit in (1, 2, 5, 100)] == [mine] * 4
    assert (conversation_ids(service, token=editor), conversation_ids(service, token=theirs)) == (others, [])


def test_a_summary_says_what_the_conversation_is_and_how_far(service: Service) -> None:
    run = service.asked()
    service.deliver()

    assert found(service, "conversations_list").body == {
        "conversations": [
            {
                "id": run["conversation_id"],
                "revision": 3,
                "title": "Battery",
                "project_id": service.project_id,
                "language": "en",
                "runs": 1,
                "archived": False,
                "expired": False,
                "created_at": "2026-11-30T12:00:00.000Z",
                "expires_at": "2026-12-01T12:00:00.000Z",
            }
        ],
        "next_cursor": None,
    }


def test_a_title_is_shown_only_while_the_conversation_and_its_project_are_open(service: Service) -> None:
    conversation_id = service.create().body["conversation"]["id"]
    ref = records.member(service.workspace_id, service.principal_id)
    member = Member(role="owner", capabilities=("agent:research",))

    def told() -> tuple[Any, Any]:
        (row,) = found(service, "conversations_list").body["conversations"]
        assert row["id"] == conversation_id
        return row["title"], row["expired"]

    service.put(ref, member.model_copy(update={"projects": (new_id(),)}))
    closed = told()
    service.put(ref, member)
    opened = told()
    service.time.pass_(hours=24)

    assert (closed, opened, told()) == ((None, False), ("Battery", False), (None, True))


def test_a_forgotten_conversation_is_gone_from_the_list_though_it_is_still_stored(service: Service) -> None:
    older, newer = created(service, 1), created(service, 1)
    service.time.pass_(hours=48, seconds=-1)

    assert conversation_ids(service) == newer
    assert conversation_ids(service, limit=1) == newer
    assert [item for item in service.items() if older[0] in item["pk"]["S"]] != []


def test_a_deleted_conversation_is_gone_and_a_cursor_that_pointed_at_it_goes_on(service: Service) -> None:
    names = created(service, 5)
    cursor = found(service, "conversations_list", limit=2).body["next_cursor"]
    for name in names[1:3]:
        found(service, "conversations_delete", conversation_id=name, mutation_id=new_id())

    rest = found(service, "conversations_list", cursor=cursor).body["conversations"]

    assert [row["id"] for row in rest] == names[3:]
    assert conversation_ids(service) == [names[0], *names[3:]]


def test_each_cursor_is_good_for_its_own_list_alone(service: Service) -> None:
    created(service, 2)
    elsewhere, other = new_id(), new_id()
    both = Member(role="owner", capabilities=("agent:research",))
    service.evidence.keep(
        [
            (records.workspace(elsewhere), Workspace(name="Another")),
            (records.member(elsewhere, service.principal_id), both),
            (records.project(service.workspace_id, other), Project(name="Other")),
        ]
    )
    lists: dict[str, tuple[str, dict[str, Any]]] = {
        "projects": ("projects_list", {}),
        "projects elsewhere": ("projects_list", {"workspace_id": elsewhere}),
        "evidence": ("evidence_list", {"project_id": service.project_id}),
        "evidence in English": ("evidence_list", {"project_id": service.project_id, "language": "en"}),
        "evidence of another project": ("evidence_list", {"project_id": other}),
        "conversations": ("conversations_list", {}),
        "conversations elsewhere": ("conversations_list", {"workspace_id": elsewhere}),
        "a colleague's": ("conversations_list", {"token": service.member(new_id(), "viewer")}),
    }
    given = {
        name: found(service, *lists[name][:1], **lists[name][1], limit=1).body["next_cursor"]
        for name in ("projects", "evidence", "conversations")
    }

    accepted = {
        (cursor, name)
        for cursor in given
        for name, (operation, arguments) in lists.items()
        if found(service, operation, **arguments, cursor=given[cursor]).status == 200
    }

    assert None not in given.values()
    assert accepted == {(name, name) for name in given}


@pytest.mark.parametrize("cursor", ["", "x", "====", "Zebrafink", "é", "\x00", "A" * 1000, "e30="])
@pytest.mark.parametrize("operation", ["projects_list", "evidence_list", "conversations_list"])
def test_what_is_no_cursor_is_invalid_at_its_place_once_the_caller_is_known(
    service: Service, operation: str, cursor: str
) -> None:
    names = {"project_id": service.project_id} if operation == "evidence_list" else {}
    stranger = service.issue(new_id())
    expired = service.issue(service.principal_id, life=timedelta())
    incapable = service.member(new_id(), "owner", capabilities=())

    def code(**changes: Any) -> str:
        return found(service, operation, cursor=cursor, **names, **changes).code

    refused = found(service, operation, cursor=cursor, **names)
    assert (refused.code, [error["pointer"] for error in refused.body["errors"]]) == ("invalid_request", ["/cursor"])
    assert (code(token=expired), code(token=stranger)) == ("unauthenticated", "access_denied")
    assert code(token=incapable) == "capability_required"


@given(st.text(min_size=1, max_size=60), st.lists(st.text(max_size=10) | st.none(), max_size=3), st.data())
def test_a_cursor_is_read_back_and_any_change_to_it_is_noticed(
    place: str, words: list[str | None], data: st.DataObject
) -> None:
    cursor = cursors.write(place, *words)
    assert cursor is not None
    position = data.draw(st.integers(0, len(cursor) - 1))
    character = data.draw(st.characters().filter(lambda drawn: drawn != cursor[position]))
    changed = [cursor[:position] + character + cursor[position + 1 :], cursor + character, cursor[:-1], f"{cursor}="]

    assert cursors.read(cursor, *words) == place
    for other in changed:
        with pytest.raises(Problem):
            cursors.read(other, *words)


def test_a_cursor_that_was_made_up_by_our_own_rule_leads_nowhere_else(service: Service) -> None:
    created(service, 3)
    listing = ("conversations", service.workspace_id, service.principal_id)
    nowhere = base64.urlsafe_b64encode(cursors._check(b"", listing)).decode().rstrip("=")
    beyond = cursors.write("~", *listing)

    assert found(service, "conversations_list", cursor=nowhere).code == "invalid_request"
    assert len(found(service, "conversations_list", cursor=beyond).body["conversations"]) == 3


def test_pages_of_every_size_follow_each_other(service: Service) -> None:
    created(service, 7)

    for limit in range(1, 9):
        rows = conversation_ids(service, limit=limit)
        stamps = [row["created_at"] for row in found(service, "conversations_list").body["conversations"]]

        assert len(rows) == len(set(rows)) == 7
        assert all(newer > older for newer, older in pairwise(stamps))

"""What an administrator sets up, as the API meets it from the next call on."""

import json
from datetime import timedelta
from typing import Any

import pytest
from harness.service import TEXTS, Service

from infra.administration import Administration, Impossible
from research.operations.ports import Lost
from research.words import ids, records
from research.words.problems import Problem
from research.words.records import Budget, Member, Token, Workspace
from research.words.sources import Source

EDITOR = Member(role="editor", capabilities=("agent:research",))
NOBODY = "00000000-0000-4000-8000-000000000000"


@pytest.fixture
def admin(service: Service) -> Administration:
    return Administration(service.evidence, service.time)


def newcomer(service: Service, admin: Administration, member: Member = EDITOR) -> tuple[str, str]:
    """A new member of the service's workspace, and a token of its own."""
    workspace_id = admin.create_workspace("Elsewhere")  # the one of `service` is in no list
    principal_id = admin.add_member(workspace_id, None, EDITOR)
    admin.add_member(service.workspace_id, principal_id, member)
    return principal_id, admin.issue_token(principal_id, timedelta(days=1), "").text


def test_workspaces_are_listed_by_id(admin: Administration) -> None:
    made = {admin.create_workspace("Acme"): "Acme", admin.create_workspace("Bolt"): "Bolt"}

    assert [(name, entry.name) for name, entry in admin.workspaces()] == sorted(made.items())
    assert {name: admin.workspace(name) for name in made} == {name: Workspace(name=made[name]) for name in made}


def test_lists_go_on_behind_their_first_page(admin: Administration) -> None:
    workspace_id = admin.create_workspace("Acme")
    made = {admin.add_member(workspace_id, None, EDITOR) for _ in range(205)}

    assert [name for name, _ in admin.members(workspace_id)] == sorted(made)


def test_from_an_empty_table_to_a_conversation(service: Service, admin: Administration) -> None:
    workspace_id = admin.create_workspace("Acme")
    project_id = admin.create_project(workspace_id, "Fans")
    published = admin.import_sources(workspace_id, project_id, [Source(text=text) for text in TEXTS])
    token = admin.issue_token(admin.add_member(workspace_id, None, EDITOR), timedelta(days=1), "").text

    context = {**service.context(published), "project_id": project_id}
    opened = service.create(token=token, workspace_id=workspace_id, context=context)

    assert (opened.status, admin.project(workspace_id, project_id).revision) == (200, 1)


def test_a_token_is_good_until_it_expires_or_is_revoked_and_only_its_digest_is_kept(
    service: Service, admin: Administration
) -> None:
    principal_id, token = newcomer(service, admin)
    issued = admin.issue_token(principal_id, timedelta(hours=1), "laptop")

    def code(text: str) -> str:
        return service.send("projects_list", {"workspace_id": service.workspace_id}, token=text).code

    assert (code(token), code(issued.text)) == ("ok", "ok")
    assert issued.digest == ids.token_digest(issued.text)
    assert issued.record == Token(expires_at=service.time.now + timedelta(hours=1), label="laptop")
    assert issued.text not in json.dumps(service.items(), default=str)

    digest, revoked = admin.revoke_token(principal_id, issued.digest[:10])
    assert (digest, revoked.revoked_at, code(issued.text)) == (issued.digest, service.time.now, "unauthenticated")
    at_first = service.time.now
    service.time.pass_(hours=25)
    assert code(token) == "unauthenticated"
    assert admin.revoke_token(principal_id, issued.digest)[1].revoked_at == at_first


def test_a_digest_that_begins_as_two_do_revokes_neither(service: Service, admin: Administration) -> None:
    principal_id, _ = newcomer(service, admin)
    admin.issue_token(principal_id, timedelta(days=1), "")

    with pytest.raises(Impossible, match="2 of this principal's tokens"):
        admin.revoke_token(principal_id, "")

    assert {token.revoked_at for _, token in admin.tokens(principal_id)} == {None}


def test_nobodys_token_is_issued_and_a_former_members_are_listed_and_revoked(
    service: Service, admin: Administration
) -> None:
    workspace_id = admin.create_workspace("Acme")
    principal_id = admin.add_member(workspace_id, None, EDITOR)
    issued = admin.issue_token(principal_id, timedelta(days=1), "")
    admin.remove_member(workspace_id, principal_id)

    with pytest.raises(Impossible):
        admin.issue_token(principal_id, timedelta(days=1), "")
    assert [digest for digest, _ in admin.tokens(principal_id)] == [issued.digest]
    assert admin.revoke_token(principal_id, issued.digest)[1].revoked_at == service.time.now


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"role": "viewer"}, "role_required"),
        ({"capabilities": ()}, "capability_required"),
        ({"capabilities": ("agent:sources",)}, "capability_required"),
        ({"projects": ()}, "not_found"),
        ({"projects": None, "role": "owner"}, "ok"),
    ],
)
def test_a_changed_member_is_met_as_such_from_the_next_call_on(
    service: Service, admin: Administration, changes: dict[str, Any], code: str
) -> None:
    principal_id, token = newcomer(service, admin)
    assert service.create(token=token).code == "ok"

    changed = admin.change_member(service.workspace_id, principal_id, **changes)

    assert changed == EDITOR.model_copy(update=changes)
    assert service.create(token=token).code == code


def test_a_removed_member_loses_the_workspace_and_finds_its_conversation_again_when_restored(
    service: Service, admin: Administration
) -> None:
    principal_id, token = newcomer(service, admin)
    conversation = service.create(token=token).body["conversation"]

    admin.remove_member(service.workspace_id, principal_id)
    assert service.get(conversation["id"], token=token).code == "access_denied"
    admin.add_member(service.workspace_id, principal_id, EDITOR)
    assert service.get(conversation["id"], token=token).body["conversation"]["title"] == "Battery"


def test_a_member_is_never_replaced_by_adding_it_again(service: Service, admin: Administration) -> None:
    with pytest.raises(Impossible, match="is a member already"):
        admin.add_member(service.workspace_id, service.principal_id, Member(role="viewer"))

    assert admin.member(service.workspace_id, service.principal_id).role == "owner"


def test_only_projects_that_are_there_can_be_opened_to_a_member(service: Service, admin: Administration) -> None:
    admin.delete_project(service.workspace_id, service.project_id)

    for project_id in (NOBODY, service.project_id):
        with pytest.raises(Impossible):
            admin.add_member(service.workspace_id, None, EDITOR.model_copy(update={"projects": (project_id,)}))
        with pytest.raises(Impossible):
            admin.change_member(service.workspace_id, service.principal_id, projects=(project_id,))
    assert [name for name, _ in admin.members(service.workspace_id)] == [service.principal_id]


def test_limits_of_its_own_stop_a_workspace_and_what_it_used_is_told_by_day(
    service: Service, admin: Administration
) -> None:
    conversation = service.create().body["conversation"]
    admin.set_budget(service.workspace_id, daily_runs=1)

    first = service.request(conversation).body
    assert first["run"]["status"] == "queued"
    later = {**conversation, "revision": first["conversation_revision"]}
    assert service.request(later).body["run"]["failure_code"] == "budget_exhausted"
    assert admin.used(service.workspace_id, None) == ("2026-11-30", Budget(runs=1))
    assert admin.used(service.workspace_id, "2026-11-29") == ("2026-11-29", Budget())
    assert admin.set_budget(service.workspace_id, daily_runs=None) == Workspace(name="Acme")
    assert service.request(later).body["run"]["status"] == "queued"


def test_withdrawn_evidence_is_erased_and_its_answers_become_unreadable(
    service: Service, admin: Administration
) -> None:
    conversation = service.create().body["conversation"]
    first, *rest = [pinned.evidence_id for pinned in service.published.evidence]

    for _ in range(2):  # to do it again changes nothing
        admin.withdraw(service.workspace_id, service.project_id, [first])

    assert service.get(conversation["id"]).body["conversation"]["availability"] == "source_unavailable"
    ref = records.evidence(service.workspace_id, service.project_id, first)
    head = service.evidence.fetch(ref)[ref]
    assert head is not None
    assert (head.withdrawn_at, head.latest.title, head.latest.digest) == (service.time.now, None, "")
    kept = {ref.ids[-2] for ref in _texts(service, [first, *rest])}
    assert kept == set(rest)


def _texts(service: Service, evidence_ids: list[str]) -> list[Any]:
    refs = [records.evidence_text(service.workspace_id, service.project_id, name, 1) for name in evidence_ids]
    return list(service.evidence.fetch(*refs))


def test_unknown_evidence_withdraws_nothing_of_the_rest(service: Service, admin: Administration) -> None:
    known = service.published.evidence[0].evidence_id

    with pytest.raises(Impossible, match=NOBODY):
        admin.withdraw(service.workspace_id, service.project_id, [known, NOBODY])

    assert len(_texts(service, [known])) == 1


def test_a_deleted_project_is_closed_and_empty_and_stays_so(service: Service, admin: Administration) -> None:
    conversation = service.create().body["conversation"]

    assert admin.delete_project(service.workspace_id, service.project_id) == len(TEXTS)
    deleted_at = service.time.now
    service.time.pass_(minutes=1)
    assert admin.delete_project(service.workspace_id, service.project_id) == 0

    assert admin.project(service.workspace_id, service.project_id).deleted_at == deleted_at
    assert service.get(conversation["id"]).body["conversation"]["availability"] == "source_unavailable"
    assert _texts(service, [pinned.evidence_id for pinned in service.published.evidence]) == []
    with pytest.raises(Impossible, match="was deleted"):
        admin.import_sources(service.workspace_id, service.project_id, [Source(text="More.")])


def test_a_project_that_is_deleted_during_its_import_shows_nothing_of_it(
    service: Service, admin: Administration
) -> None:
    def rows() -> Any:
        for number in range(80):
            if number == 60:
                admin.delete_project(service.workspace_id, service.project_id)
            yield Source(text=f"Text {number}.")

    with pytest.raises(Problem) as refused:
        admin.import_sources(service.workspace_id, service.project_id, rows())

    assert refused.value.code == "not_found"
    assert admin.project(service.workspace_id, service.project_id).revision == 1


def test_two_who_change_the_same_thing_for_ever_are_said_to(
    service: Service, admin: Administration, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lost(*_: Any) -> None:
        raise Lost

    monkeypatch.setattr(service.evidence, "change_project", lost)
    monkeypatch.setattr(service.evidence, "withdraw", lost)

    with pytest.raises(Impossible, match="nothing was deleted"):
        admin.delete_project(service.workspace_id, service.project_id)
    with pytest.raises(Impossible, match="Send the same command again"):
        admin.withdraw(service.workspace_id, service.project_id, [service.published.evidence[0].evidence_id])


def test_what_is_not_there_is_said_and_nothing_is_made(service: Service, admin: Administration) -> None:
    before = service.items()

    for impossible in (
        lambda: admin.workspace(NOBODY),
        lambda: admin.set_budget(NOBODY, daily_runs=1),
        lambda: admin.create_project(NOBODY, "Fans"),
        lambda: admin.projects(NOBODY),
        lambda: admin.project(service.workspace_id, NOBODY),
        lambda: admin.delete_project(service.workspace_id, NOBODY),
        lambda: admin.import_sources(service.workspace_id, NOBODY, [Source(text="Text.")]),
        lambda: admin.add_member(NOBODY, None, EDITOR),
        lambda: admin.members(NOBODY),
        lambda: admin.change_member(service.workspace_id, NOBODY, role="owner"),
        lambda: admin.remove_member(service.workspace_id, NOBODY),
        lambda: admin.issue_token(NOBODY, timedelta(days=1), ""),
        lambda: admin.tokens(NOBODY),
    ):
        with pytest.raises(Impossible):
            impossible()

    assert service.items() == before

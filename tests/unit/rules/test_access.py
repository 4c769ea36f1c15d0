"""Who may call, and in which order that is found out."""

from datetime import UTC, datetime, timedelta
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.rules import access
from research.words.catalogue import BY_NAME, OPERATIONS, Operation
from research.words.problems import Problem
from research.words.records import Member, Role, Token

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
MOMENT = timedelta(milliseconds=1)
READING, WRITING = BY_NAME["conversations_get"], BY_NAME["assistant_request"]
RESEARCH = ("agent:research",)

members = st.builds(
    Member,
    role=st.sampled_from(get_args(Role)),
    capabilities=st.lists(st.sampled_from(["agent:research", "agent:sources"]), unique=True).map(tuple),
    projects=st.none() | st.lists(st.sampled_from(["p1", "p2"]), unique=True).map(tuple),
)


def refusal(member: Member | None, name: str) -> str | None:
    try:
        access.authorize(member, BY_NAME[name])
    except Problem as problem:
        return problem.code
    return None


def test_a_token_is_good_until_the_instant_at_which_it_expires() -> None:
    access.authenticate(Token(expires_at=NOW + MOMENT), NOW)

    with pytest.raises(Problem, match="unauthenticated"):
        access.authenticate(Token(expires_at=NOW), NOW)


@pytest.mark.parametrize("token", [None, Token(expires_at=NOW + timedelta(days=1), revoked_at=NOW)])
def test_an_unknown_and_a_revoked_token_are_not_told_apart(token: Token | None) -> None:
    with pytest.raises(Problem) as refused:
        access.authenticate(token, NOW)

    assert refused.value == Problem("unauthenticated")


def test_a_viewer_reads_and_does_not_write() -> None:
    viewer = Member(role="viewer", capabilities=RESEARCH)

    assert access.authorize(viewer, READING) == viewer
    with pytest.raises(Problem, match="role_required"):
        access.authorize(viewer, WRITING)


@pytest.mark.parametrize("role", ["owner", "editor"])
def test_owners_and_editors_write(role: Role) -> None:
    member = Member(role=role, capabilities=RESEARCH)

    assert access.authorize(member, WRITING) == member


def test_the_capability_that_is_missing_is_named() -> None:
    with pytest.raises(Problem) as refused:
        access.authorize(Member(role="owner", capabilities=("agent:sources",)), READING)

    assert refused.value == Problem("capability_required", facts={"capability": "agent:research"})


@given(st.none() | members, st.sampled_from(OPERATIONS))
def test_membership_comes_before_capability_and_that_before_role(member: Member | None, operation: Operation) -> None:
    refused = refusal(member, operation.name)

    if member is None:
        assert refused == "access_denied"
    elif operation.capability not in member.capabilities:
        assert refused == "capability_required"
    elif member.role == "viewer" and not operation.read_only:
        assert refused == "role_required"
    else:
        assert refused is None


def test_a_member_without_a_list_of_projects_has_all_of_them_and_one_with_an_empty_list_none() -> None:
    assert access.project_open(Member(role="viewer"), "p1")
    assert access.project_open(Member(role="viewer", projects=("p1",)), "p1")
    assert not access.project_open(Member(role="owner", projects=("p2",)), "p1")
    assert not access.project_open(Member(role="owner", projects=()), "p1")


@given(st.none() | members)
def test_a_member_may_have_an_answer_generated_exactly_if_it_could_ask_now(member: Member | None) -> None:
    could_ask = refusal(member, "assistant_request") is None and member is not None

    assert access.may_generate(member, WRITING, "p1") == (
        could_ask and member is not None and access.project_open(member, "p1")
    )

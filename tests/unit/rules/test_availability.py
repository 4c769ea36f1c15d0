"""What a conversation is good for now: the order of the reasons, and what a read may show."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.rules import availability
from research.rules.availability import Surroundings
from research.rules.budget import Limits
from research.words.contract import Context, EvidenceRef, FailureCode
from research.words.records import Budget, Conversation, Edition, Evidence, Member, Project, RunEntry

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
PROJECT_ID = "aaaaaaaa-0000-4000-8000-000000000000"
OTHER_ID = "bbbbbbbb-0000-4000-8000-000000000000"
PINNED = tuple(EvidenceRef(evidence_id=f"cccccccc-0000-4000-8000-00000000000{n}", revision=1) for n in (1, 2))
HEAD = Evidence(latest=Edition(revision=1, since=1, size=100))
ORDER = (
    "expired",
    "access_changed",
    "source_unavailable",
    "context_changed",
    "conversation_full",
    "not_configured",
    "input_too_large",
    "budget_exhausted",
)
"""The documented order of what a request may meet."""

AVAILABLE = Surroundings(
    now=NOW,
    conversation=Conversation(
        id=OTHER_ID,
        workspace_id=OTHER_ID,
        principal_id=OTHER_ID,
        revision=1,
        context=Context(project_id=PROJECT_ID, project_revision=1, corpus_snapshot_id=OTHER_ID, evidence=PINNED),
        language="en",
        input_size=5_800,
        mutation_id=OTHER_ID,
        created_at=NOW - timedelta(hours=23),
        expires_at=NOW + timedelta(hours=1),
    ),
    member=Member(role="owner"),
    project=Project(name="Fans", revision=1),
    evidence={pinned.evidence_id: HEAD for pinned in PINNED},
    budget=Budget(runs=9, tokens=99),
    limits=Limits(10, 100),
    configured=True,
)


def with_head(around: Surroundings, head: Evidence | None) -> Surroundings:
    return replace(around, evidence={**around.evidence, PINNED[1].evidence_id: head})


def with_conversation(around: Surroundings, **changes: object) -> Surroundings:
    return replace(around, conversation=around.conversation.model_copy(update=changes))


def made(reason: str, around: Surroundings) -> Surroundings:
    """The surroundings with one more thing that stands in the way."""
    head = around.evidence[PINNED[1].evidence_id]
    assert head is not None
    match reason:
        case "expired":
            return with_conversation(around, expires_at=NOW)
        case "access_changed":
            return replace(around, member=Member(role="owner", projects=(OTHER_ID,)))
        case "source_unavailable":
            return with_head(around, head.model_copy(update={"withdrawn_at": NOW}))
        case "context_changed":
            newer = Edition(revision=2, since=1, size=100)
            return with_head(around, head.model_copy(update={"latest": newer, "previous": head.latest}))
        case "conversation_full":
            return with_conversation(around, runs=tuple(RunEntry(run_id=str(n), mutation_id=str(n)) for n in range(20)))
        case "not_configured":
            return replace(around, configured=False)
        case "input_too_large":
            return with_conversation(around, input_size=200_000)
        case "budget_exhausted":
            return replace(around, budget=Budget(runs=10, tokens=0))
        case "archived":
            return with_conversation(around, archived_at=NOW)
    raise AssertionError(reason)


def with_all(reasons: frozenset[str]) -> Surroundings:
    around = AVAILABLE
    for reason in reasons:
        around = made(reason, around)
    return around


def test_nothing_stands_in_the_way_of_a_conversation_that_is_available() -> None:
    assert availability.reason(AVAILABLE, question_size=2_000) is None
    assert availability.changed(AVAILABLE) is None
    assert availability.state(AVAILABLE) == "available"


@given(st.frozensets(st.sampled_from(ORDER), min_size=1))
def test_the_reason_is_the_first_of_the_documented_order_whatever_else_holds(reasons: frozenset[str]) -> None:
    around = with_all(reasons)

    assert availability.reason(around) == min(reasons, key=ORDER.index)


@given(st.frozensets(st.sampled_from((*ORDER, "archived"))))
def test_what_is_checked_again_before_the_call_is_what_may_change_after_acceptance(reasons: frozenset[str]) -> None:
    changes = [reason for reason in ORDER[:4] if reason in reasons]

    assert availability.changed(with_all(reasons)) == (changes[0] if changes else None)


@given(st.frozensets(st.sampled_from((*ORDER, "archived"))))
def test_a_read_is_decided_by_life_access_and_sources_alone(reasons: frozenset[str]) -> None:
    hiding = ("expired", "access_changed", "source_unavailable", "archived")
    states = [state for state in hiding if state in reasons]

    assert availability.state(with_all(reasons)) == (states[0] if states else "available")


def test_every_reason_is_a_failure_code_of_the_contract() -> None:
    assert set(ORDER) < set(get_args(FailureCode))


def test_a_conversation_expires_at_the_very_millisecond() -> None:
    end = AVAILABLE.conversation.expires_at

    assert not replace(AVAILABLE, now=end - timedelta(milliseconds=1)).expired
    assert replace(AVAILABLE, now=end).expired


@pytest.mark.parametrize("project", [None, Project(name="Fans", revision=1, deleted_at=NOW)])
def test_the_sources_of_a_project_that_is_gone_are_unavailable(project: Project | None) -> None:
    assert availability.reason(replace(AVAILABLE, project=project)) == "source_unavailable"


def test_evidence_that_is_not_there_is_unavailable() -> None:
    assert availability.reason(with_head(AVAILABLE, None)) == "source_unavailable"


def test_an_edition_that_is_staged_and_not_published_changes_nothing() -> None:
    staged = Evidence(latest=Edition(revision=2, since=2, size=100), previous=HEAD.latest)

    assert availability.reason(with_head(AVAILABLE, staged)) is None
    published = replace(with_head(AVAILABLE, staged), project=Project(name="Fans", revision=2))
    assert availability.reason(published) == "context_changed"


def test_a_publication_that_leaves_the_pinned_evidence_alone_changes_nothing() -> None:
    assert availability.reason(replace(AVAILABLE, project=Project(name="Fans", revision=9))) is None


def test_the_question_counts_towards_the_input() -> None:
    tight = with_conversation(AVAILABLE, input_size=187_000)

    assert availability.reason(tight, question_size=1_000) is None
    assert availability.reason(tight, question_size=1_001) == "input_too_large"


def test_what_a_workspace_used_today_decides_even_where_no_counter_was_made_yet() -> None:
    assert availability.reason(replace(AVAILABLE, budget=None)) is None
    assert availability.reason(replace(AVAILABLE, budget=None, limits=Limits(0, 100))) == "budget_exhausted"

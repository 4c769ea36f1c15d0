"""Whether a selection of evidence can be pinned, and what is said of one that cannot."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.rules import context
from research.words.contract import Context, EvidenceRef
from research.words.problems import FieldError, Problem
from research.words.records import Edition, Evidence, Member, Project, Snapshot

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
PROJECT_ID = "aaaaaaaa-0000-4000-8000-000000000000"
SNAPSHOT_ID = "bbbbbbbb-0000-4000-8000-000000000000"
OTHER_ID = "cccccccc-0000-4000-8000-000000000000"
MEMBER = Member(role="editor")
PROJECT = Project(name="Fans", revision=3, corpus_snapshot_id=SNAPSHOT_ID)
SNAPSHOT = Snapshot(corpus_snapshot_id=SNAPSHOT_ID, created_at=NOW)
UNKNOWN = "Unknown, not open to you, or not part of the rest of the context."


def edition(revision: int, since: int) -> Edition:
    return Edition(revision=revision, since=since, size=10)


def chosen(*revisions: int, project_revision: int = 3) -> Context:
    return Context(
        project_id=PROJECT_ID,
        project_revision=project_revision,
        corpus_snapshot_id=SNAPSHOT_ID,
        evidence=tuple(
            EvidenceRef(evidence_id=f"dddddddd-0000-4000-8000-00000000000{place}", revision=revision)
            for place, revision in enumerate(revisions)
        ),
    )


def check(selection: Context, *heads: Evidence | None, **changes: Any) -> Sequence[Edition]:
    read = {"member": MEMBER, "project": PROJECT, "snapshot": SNAPSHOT, **changes}
    return context.check(selection, heads=heads, **read)


def refusal(selection: Context, *heads: Evidence | None, **changes: Any) -> Problem:
    with pytest.raises(Problem) as refused:
        check(selection, *heads, **changes)
    return refused.value


CURRENT = Evidence(latest=edition(2, since=3), previous=edition(1, since=1))
WITHDRAWN = Evidence(latest=edition(1, since=1), withdrawn_at=NOW)


def test_current_evidence_is_pinned_in_the_order_in_which_it_was_selected() -> None:
    first, second = Evidence(latest=edition(1, since=1)), CURRENT

    assert check(chosen(1, 2), first, second) == [edition(1, since=1), edition(2, since=3)]


def test_an_edition_that_is_not_yet_published_is_not_seen() -> None:
    staged = Evidence(latest=edition(2, since=4), previous=edition(1, since=1))

    assert check(chosen(1), staged) == [edition(1, since=1)]
    assert refusal(chosen(2), staged).errors[0].pointer == "/context/evidence/0/revision"
    assert refusal(chosen(1), Evidence(latest=edition(1, since=4))).errors[0].pointer == (
        "/context/evidence/0/evidence_id"
    )


@pytest.mark.parametrize(
    ("changes", "pointer"),
    [
        ({"project": None}, "/context/project_id"),
        ({"project": PROJECT.model_copy(update={"deleted_at": NOW})}, "/context/project_id"),
        ({"member": MEMBER.model_copy(update={"projects": (OTHER_ID,)})}, "/context/project_id"),
        ({"snapshot": None}, "/context/project_revision"),
        ({"project": PROJECT.model_copy(update={"revision": 2})}, "/context/project_revision"),
        ({"snapshot": Snapshot(corpus_snapshot_id=OTHER_ID, created_at=NOW)}, "/context/corpus_snapshot_id"),
    ],
)
def test_what_is_unknown_closed_or_elsewhere_is_not_found_at_its_pointer(changes: dict[str, Any], pointer: str) -> None:
    assert refusal(chosen(2), CURRENT, **changes) == Problem("not_found", errors=(FieldError(pointer, UNKNOWN),))


def test_evidence_that_came_after_the_pinned_publication_is_no_part_of_it() -> None:
    earlier = chosen(1, 2, project_revision=2)

    refused = refusal(earlier, Evidence(latest=edition(1, since=1)), CURRENT)

    assert refused == Problem("not_found", errors=(FieldError("/context/evidence/1/revision", UNKNOWN),))


def test_an_earlier_publication_may_be_pinned_while_its_evidence_is_current() -> None:
    assert check(chosen(1, project_revision=1), Evidence(latest=edition(1, since=1))) == [edition(1, since=1)]


def test_withdrawn_evidence_is_named() -> None:
    fault = FieldError("/context/evidence/1", "This evidence was withdrawn.")

    assert refusal(chosen(2, 1), CURRENT, WITHDRAWN) == Problem("source_unavailable", errors=(fault,))


def test_a_revision_that_was_overtaken_is_answered_with_the_current_one() -> None:
    refused = refusal(chosen(1), CURRENT)

    assert refused == Problem(
        "context_changed",
        errors=(FieldError("/context/evidence/0/revision", "Its current revision is 2."),),
        facts={"current": {"evidence_id": "dddddddd-0000-4000-8000-000000000000", "revision": 2}},
    )


FAULTS = {
    "not_found": (1, None),
    "source_unavailable": (1, WITHDRAWN),
    "context_changed": (1, CURRENT),
    "": (2, CURRENT),
}
"""In the order in which they are reported, and last what is no fault."""


@given(st.lists(st.sampled_from(list(FAULTS)), min_size=1, max_size=6))
def test_the_unknown_is_reported_before_the_withdrawn_and_that_before_the_overtaken(faults: list[str]) -> None:
    selection = chosen(*(FAULTS[fault][0] for fault in faults))
    heads = [FAULTS[fault][1] for fault in faults]
    expected = next((code for code in FAULTS if code and code in faults), None)

    if expected is None:
        assert len(check(selection, *heads)) == len(faults)
    else:
        refused = refusal(selection, *heads)
        assert refused.code == expected
        assert refused.errors[0].pointer.startswith(f"/context/evidence/{faults.index(expected)}")

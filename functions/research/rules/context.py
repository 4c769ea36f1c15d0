"""Whether a selection of evidence can be pinned: everything published, open, of one piece, and current."""

from collections.abc import Sequence

from research.rules import access
from research.words.contract import Context, EvidenceRef
from research.words.problems import FieldError, Problem
from research.words.records import Edition, Evidence, Member, Project, Snapshot


def check(
    chosen: Context,
    member: Member,
    project: Project | None,
    snapshot: Snapshot | None,
    heads: Sequence[Evidence | None],
) -> list[Edition]:
    """The edition of each selected evidence, in order.

    Raises `not_found` for what is unknown, not open to the member or not part of the rest, then `source_unavailable`
    for withdrawn evidence, then `context_changed` for a revision that is no longer current, each with its pointer.
    """
    if project is None or project.deleted_at is not None or not access.project_open(member, chosen.project_id):
        raise _unknown("/context/project_id")
    if snapshot is None or chosen.project_revision > project.revision:
        raise _unknown("/context/project_revision")
    if snapshot.corpus_snapshot_id != chosen.corpus_snapshot_id:
        raise _unknown("/context/corpus_snapshot_id")
    editions = [
        _edition(place, pinned, head, project, chosen.project_revision)
        for place, (pinned, head) in enumerate(zip(chosen.evidence, heads, strict=True))
    ]
    _not_withdrawn(heads)
    _current(chosen, editions)
    return editions


def _edition(place: int, pinned: EvidenceRef, head: Evidence | None, project: Project, revision: int) -> Edition:
    """The published edition; a pinned revision that never was, or came after the pinned publication, is unknown."""
    edition = head.visible(project) if head else None
    if edition is None:
        raise _unknown(f"/context/evidence/{place}/evidence_id")
    not_yet = pinned.revision == edition.revision and edition.since > revision
    if pinned.revision > edition.revision or not_yet:
        raise _unknown(f"/context/evidence/{place}/revision")
    return edition


def _not_withdrawn(heads: Sequence[Evidence | None]) -> None:
    for place, head in enumerate(heads):
        if head is not None and head.withdrawn_at is not None:
            fault = FieldError(f"/context/evidence/{place}", "This evidence was withdrawn.")
            raise Problem("source_unavailable", errors=(fault,))


def _current(chosen: Context, editions: Sequence[Edition]) -> None:
    for place, (pinned, edition) in enumerate(zip(chosen.evidence, editions, strict=True)):
        if pinned.revision < edition.revision:
            fault = FieldError(f"/context/evidence/{place}/revision", f"Its current revision is {edition.revision}.")
            current = {"evidence_id": pinned.evidence_id, "revision": edition.revision}
            raise Problem("context_changed", errors=(fault,), facts={"current": current})


def _unknown(pointer: str) -> Problem:
    fault = FieldError(pointer, "Unknown, not open to you, or not part of the rest of the context.")
    return Problem("not_found", errors=(fault,))

"""Importing evidence: new texts, changed texts as new revisions, then one publication that shows them all at once."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from research.operations.ports import Store
from research.words import ids, records
from research.words.clock import Clock
from research.words.contract import EvidenceRef
from research.words.records import Edition, Evidence, EvidenceText, Project, Record, Ref, Snapshot
from research.words.sources import Source

PORTION = 50
"""Sources read and written at a time."""


@dataclass(frozen=True, slots=True)
class Publication:
    """What an import made visible: `evidence` in the order of its sources."""

    project_revision: int
    corpus_snapshot_id: str
    evidence: tuple[EvidenceRef, ...]


class Sources:
    """Evidence of one project at a time."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    def publish(self, workspace_id: str, project_id: str, sources: Sequence[Source]) -> Publication:
        """Import these and publish. Unchanged texts keep their revision. Raises Lost if another import was first."""
        project_ref = records.project(workspace_id, project_id)
        project = self._store.fetch(project_ref)[project_ref]
        if project is None:
            raise LookupError("no such project")
        pinned: list[EvidenceRef] = []
        for start in range(0, len(sources), PORTION):
            pinned += self._stage(project_ref, project, sources[start : start + PORTION])
        after = project.model_copy(update={"revision": project.revision + 1, "corpus_snapshot_id": ids.new()})
        snapshot = Snapshot(corpus_snapshot_id=str(after.corpus_snapshot_id), created_at=self._clock())
        self._store.publish_project(project_ref, project, after, snapshot)
        return Publication(after.revision, snapshot.corpus_snapshot_id, tuple(pinned))

    def _stage(self, project_ref: Ref[Project], project: Project, sources: Sequence[Source]) -> Iterator[EvidenceRef]:
        """Write what is new or changed, invisible until the project reaches its next revision."""
        refs = [_head_ref(project_ref, source) for source in sources]
        found = self._store.fetch(*refs)
        entries: dict[Ref[Any], Record] = {}
        for ref, source in zip(refs, sources, strict=True):
            head = found[ref]
            staged = _staged(head, source, project.revision)
            if staged != head:
                text = EvidenceText.model_validate(source.model_dump(exclude={"id"}))
                entries[records.evidence_text(*_names(ref), staged.latest.revision)] = text
                entries[ref] = staged
            yield EvidenceRef(evidence_id=ref.ids[-1], revision=staged.latest.revision)
        self._store.keep(list(entries.items()))


def _head_ref(project_ref: Ref[Project], source: Source) -> Ref[Evidence]:
    workspace_id, project_id = project_ref.ids
    evidence_id = ids.evidence_id(project_id, source.id or f"sha256:{_digest(source)}")
    return records.evidence(workspace_id, project_id, evidence_id)


def _names(head: Ref[Evidence]) -> tuple[str, str, str]:
    workspace_id, project_id, evidence_id = head.ids
    return workspace_id, project_id, evidence_id


def _digest(source: Source) -> str:
    """What makes two imports of one evidence the same: text and origin."""
    return hashlib.sha256(source.model_dump_json(exclude={"id"}).encode()).hexdigest()


def _staged(head: Evidence | None, source: Source, project_revision: int) -> Evidence:
    """The head with this source as its latest edition; an edition that was never published is replaced."""
    published = head.visible(project_revision) if head else None
    digest = _digest(source)
    if head and published and published.digest == digest and head.withdrawn_at is None:
        return head if head.latest == published else Evidence(latest=published)
    edition = Edition(
        revision=published.revision + 1 if published else 1,
        since=project_revision + 1,
        size=len(source.text),
        digest=digest,
    )
    return Evidence(latest=edition, previous=published)

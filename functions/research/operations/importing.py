"""Importing evidence into a project: staged in portions that nobody sees, then published all at once or not at all."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import islice

from research.operations.ports import Busy, EvidenceStore, Lost, Remembered
from research.words import ids, records
from research.words.clock import Clock
from research.words.contract import EvidenceRef
from research.words.problems import Problem
from research.words.records import Edition, Evidence, EvidenceText, Project, Ref, Snapshot
from research.words.sources import Source

PORTION = 40
"""Sources staged in one transaction: two writes each, and the check that the import is still ours."""

LEASE = timedelta(minutes=5)
"""How long an import may be silent before another may begin; each portion extends it."""

TRIES = 4

_AT_REST = {"importing": None, "importer": None, "import_until": None}
"""A project that waits for no import."""


@dataclass(slots=True)
class Tally:
    """What an import found: `evidence` are the editions of its sources, in their order, withdrawn ones left out."""

    new: int = 0
    changed: int = 0
    unchanged: int = 0
    withdrawn: int = 0
    evidence: list[EvidenceRef] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Publication:
    """What an import made visible; where nothing had changed, what was visible already."""

    project_revision: int
    corpus_snapshot_id: str
    tally: Tally

    @property
    def evidence(self) -> list[EvidenceRef]:
        """What each source is now, in their order, withdrawn ones left out."""
        return self.tally.evidence


Remember = Callable[[Publication], Remembered]
"""What is to be remembered of a publication, and where."""


class Importing:
    """Imports into the projects of one table."""

    def __init__(self, store: EvidenceStore, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    def publish(
        self, workspace_id: str, project_id: str, sources: Iterable[Source], remember: Remember | None = None
    ) -> Publication:
        """Import these sources. Unchanged texts keep their revision, withdrawn evidence stays withdrawn.

        `remember` says under which mutation, written in the same transaction; raises Lost if that has acted already.
        Raises `not_found`, and `import_in_progress` while another import of the project is under way, or once another
        has given this one up. Whatever else is raised, by `sources` too, nothing has been published.
        """
        ref = records.project(workspace_id, project_id)
        project = self._begin(ref)
        tally = Tally()
        try:
            portions = iter(sources)
            while portion := list(islice(portions, PORTION)):
                project = self._stage(ref, project, portion, tally)
            return self._end(ref, project, tally, remember)
        except BaseException:
            self._abandon(ref, project)
            raise

    def _begin(self, ref: Ref[Project]) -> Project:
        """The project with a revision number that no import has had. One that fell silent is given up."""
        before, now = self._project(ref), self._clock()
        if before.importing and before.import_until and now < before.import_until:
            raise Problem("import_in_progress")
        after = _given_up(before)
        number = max(after.revision, *after.abandoned, 0) + 1
        after = after.model_copy(update={"importing": number, "importer": ids.new(), "import_until": now + LEASE})
        try:
            self._store.change_project(ref, before, after)
        except Lost:
            raise Problem("import_in_progress") from None
        return after

    def _stage(self, ref: Ref[Project], project: Project, portion: Sequence[Source], tally: Tally) -> Project:
        """Stage one portion; decided anew if evidence of it was withdrawn meanwhile."""
        for _ in range(TRIES):
            staged = _Portion(ref, project, portion)
            staged.decide(self._store.fetch(*staged.heads))
            after = project.model_copy(update={"import_until": self._clock() + LEASE})
            try:
                self._store.stage(ref, project, after, staged.changes)
            except Lost:
                self._still_ours(ref, project)
                continue
            staged.count(tally)
            return after
        raise Problem("busy")

    def _end(self, ref: Ref[Project], project: Project, tally: Tally, remember: Remember | None) -> Publication:
        try:
            return self._ended(ref, project, tally, remember)
        except Lost:
            self._still_ours(ref, project)
            raise  # so it was the mutation, which has acted meanwhile

    def _ended(self, ref: Ref[Project], project: Project, tally: Tally, remember: Remember | None) -> Publication:
        if project.corpus_snapshot_id and not (tally.new or tally.changed):
            same = Publication(project.revision, project.corpus_snapshot_id, tally)
            at_rest = project.model_copy(update=_AT_REST)
            self._store.publish_project(ref, project, at_rest, None, remember and remember(same))
            return same
        snapshot = Snapshot(corpus_snapshot_id=ids.new(), created_at=self._clock())
        shown = {"revision": project.importing, "corpus_snapshot_id": snapshot.corpus_snapshot_id}
        after = project.model_copy(update={**_AT_REST, **shown})
        publication = Publication(after.revision, snapshot.corpus_snapshot_id, tally)
        self._store.publish_project(ref, project, after, snapshot, remember and remember(publication))
        return publication

    def _abandon(self, ref: Ref[Project], project: Project) -> None:
        try:
            self._store.change_project(ref, project, _given_up(project))
        except (Lost, Busy):
            return  # another import has given this one up already, or the next one will

    def _still_ours(self, ref: Ref[Project], project: Project) -> None:
        if self._project(ref).importer != project.importer:
            raise Problem("import_in_progress")

    def _project(self, ref: Ref[Project]) -> Project:
        project = self._store.fetch(ref)[ref]
        if project is None or project.deleted_at is not None:
            raise Problem("not_found", "No such project is open to you.")
        return project


class _Portion:
    """Some sources of one import, each evidence once, and what is to be written for them."""

    def __init__(self, project_ref: Ref[Project], project: Project, sources: Sequence[Source]) -> None:
        self._project = project
        self._sources = {_head_ref(project_ref, source): source for source in sources}
        self._order = [_head_ref(project_ref, source) for source in sources]
        self._found: dict[Ref[Evidence], Evidence | None] = {}
        self._staged: dict[Ref[Evidence], Evidence] = {}
        self.heads = list(self._sources)

    @property
    def changes(self) -> Iterator[tuple[Ref[Evidence], Evidence | None, Evidence, EvidenceText]]:
        """Head, head before, head after and text of what is new or changed."""
        for ref, after in self._staged.items():
            before = self._found[ref]
            if after != before:
                yield ref, before, after, EvidenceText.model_validate(self._sources[ref].model_dump(exclude={"id"}))

    def decide(self, found: records.Found) -> None:
        """Work out the head of each evidence that is not withdrawn."""
        for ref, source in self._sources.items():
            head = self._found[ref] = found[ref]
            if head is None or head.withdrawn_at is None:
                self._staged[ref] = _staged(head, source, self._project)

    def count(self, tally: Tally) -> None:
        """Add what was staged to the tally."""
        for ref in self._order:
            if ref in self._staged:
                tally.evidence.append(EvidenceRef(evidence_id=ref.ids[-1], revision=self._staged[ref].latest.revision))
        for ref in self._sources:
            after, before = self._staged.get(ref), self._found[ref]
            if before is not None and before.latest.since == self._project.importing:
                continue  # an earlier portion brought it, and counted it
            if after is None:
                tally.withdrawn += 1
            elif after.latest.since != self._project.importing:
                tally.unchanged += 1
            elif before is None or before.visible(self._project) is None:
                tally.new += 1
            else:
                tally.changed += 1


def _given_up(project: Project) -> Project:
    """The project with no import under way; what one had staged stays out of sight for good."""
    lost = (*project.abandoned, project.importing) if project.importing else project.abandoned
    return project.model_copy(update={**_AT_REST, "abandoned": lost})


def _head_ref(project_ref: Ref[Project], source: Source) -> Ref[Evidence]:
    workspace_id, project_id = project_ref.ids
    evidence_id = ids.evidence_id(project_id, source.id or f"sha256:{_digest(source)}")
    return records.evidence(workspace_id, project_id, evidence_id)


def _digest(source: Source) -> str:
    """What makes two imports of one evidence the same: text and origin."""
    return hashlib.sha256(source.model_dump_json(exclude={"id"}).encode()).hexdigest()


def _staged(head: Evidence | None, source: Source, project: Project) -> Evidence:
    """The head with this source as its latest edition; an edition that was never published is replaced."""
    published = head.visible(project) if head else None
    digest = _digest(source)
    if head and published and published.digest == digest:
        return head if head.latest == published else Evidence(latest=published)
    edition = Edition(
        revision=published.revision + 1 if published else 1,
        since=project.importing or 0,
        size=len(source.text),
        digest=digest,
        **source.model_dump(exclude={"id", "text"}),
    )
    return Evidence(latest=edition, previous=published)

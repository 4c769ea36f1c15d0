"""What a team keeps: workspaces, members, tokens, projects and their evidence, and the day's budget."""

from datetime import datetime, timedelta
from typing import Literal

from research.words.clock import Instant
from research.words.records.record import Record

Role = Literal["owner", "editor", "viewer"]

UNDER_WAY = timedelta(minutes=5)
"""How long whoever withdraws or deletes has to erase what it said, before the sweep does."""


class Token(Record):
    """An access token, by the SHA-256 of its text."""

    expires_at: Instant
    label: str = ""
    revoked_at: Instant | None = None


class Workspace(Record):
    """A tenant. Its own daily limits, where set, stand before the deployment's."""

    name: str
    daily_runs: int | None = None
    daily_tokens: int | None = None


class WorkspaceEntry(Record):
    """A workspace's line in the list of all of them, which only administrators read."""

    name: str


class Member(Record):
    """A principal in a workspace; `projects` None means all of them."""

    role: Role
    capabilities: tuple[str, ...] = ()
    projects: tuple[str, ...] | None = None


class Project(Record):
    """The head of a project: raising `revision` is what publishes an import, all at once.

    `importing` is the revision that an import under way will publish, `importer` a random name that tells it from one
    which begins at the same instant, and `import_until` how long it is waited for. One that is given up leaves its
    number in `abandoned`, so that nothing it staged is ever shown. A deleted project is due until its evidence is
    erased.
    """

    name: str
    revision: int = 0
    corpus_snapshot_id: str | None = None
    deleted_at: Instant | None = None
    due_at: Instant | None = None
    importing: int | None = None
    importer: str | None = None
    import_until: Instant | None = None
    abandoned: tuple[int, ...] = ()

    def deleted(self, now: datetime) -> "Project":
        """The project closed for good, its evidence to be erased; one that was deleted before stays so since then."""
        return self.model_copy(update={"deleted_at": self.deleted_at or now, "due_at": now + UNDER_WAY})

    def shows(self, since: int) -> bool:
        """Whether what became visible with this project revision is visible now."""
        return since <= self.revision and since not in self.abandoned


class Snapshot(Record):
    """What one publication made visible, by project revision."""

    corpus_snapshot_id: str
    created_at: Instant


class Origin(Record):
    """Where a source text is from, as its importer gave it."""

    title: str | None = None
    url: str | None = None
    author: str | None = None
    published_at: str | None = None
    language: str | None = None


class Edition(Origin):
    """One revision of a piece of evidence, visible from project revision `since` on.

    `size` is the text's length in code points; `digest`, of text and origin, shows an import that nothing has changed.
    """

    revision: int
    since: int
    size: int
    digest: str = ""


class Evidence(Record):
    """The head of one piece of evidence: its latest edition, and the one before it.

    An import writes the latest edition before it is published, so until the project shows it the previous one is what
    is visible. A withdrawn head is due until its texts are erased.
    """

    latest: Edition
    previous: Edition | None = None
    withdrawn_at: Instant | None = None
    due_at: Instant | None = None

    def visible(self, project: Project) -> Edition | None:
        """The edition that is published now, or None before the first."""
        return self.latest if project.shows(self.latest.since) else self.previous

    def withdrawn(self, now: datetime) -> "Evidence":
        """The withdrawn head: which revisions there were, and nothing of what they said or where they were from."""

        def bare(edition: Edition) -> Edition:
            return Edition(revision=edition.revision, since=edition.since, size=edition.size)

        return Evidence(
            latest=bare(self.latest),
            previous=bare(self.previous) if self.previous else None,
            withdrawn_at=self.withdrawn_at or now,
            due_at=now + UNDER_WAY,
        )


class EvidenceText(Origin):
    """One revision of a source text with its origin."""

    text: str


class Budget(Record):
    """What a workspace has used of one UTC day."""

    runs: int = 0
    tokens: int = 0

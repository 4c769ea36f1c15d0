"""Setting up workspaces, projects, members, tokens, evidence and budgets: what `research admin` does to a table."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, TypeVar

from research.operations.erasing import erase_project
from research.operations.importing import Importing, Publication
from research.operations.ports import EvidenceStore, Listing, Lost
from research.rules.budget import day
from research.words import ids, records
from research.words.clock import Clock
from research.words.records import Evidence, Member, Project, Record, Ref, Token, Workspace, WorkspaceEntry
from research.words.sources import Source

CAPABILITIES = ("agent:research", "agent:sources")
TRIES = 4
_PAGE = 100

R = TypeVar("R", bound=Record)


class Impossible(Exception):
    """What a command asks for cannot be done; the message says why, and what to do next."""


@dataclass(frozen=True, slots=True)
class Issued:
    """A new token: its text is shown once and kept nowhere."""

    text: str
    digest: str
    record: Token


class Administration:
    """The use cases of an administrator, who needs no token: access to the table is what makes one.

    Each raises Impossible about a workspace, project, member, token or evidence that is not there.
    """

    def __init__(self, store: EvidenceStore, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    def create_workspace(self, name: str) -> str:
        """A new workspace; its id."""
        workspace_id = ids.new()
        self._store.keep(
            [
                (records.workspace(workspace_id), Workspace(name=name)),
                (records.workspace_entry(workspace_id), WorkspaceEntry(name=name)),
            ]
        )
        return workspace_id

    def workspaces(self) -> list[tuple[str, WorkspaceEntry]]:
        """Every workspace by id."""
        return list(self._all(Listing(WorkspaceEntry, ())))

    def workspace(self, workspace_id: str) -> Workspace:
        """One workspace."""
        return self._existing(records.workspace(workspace_id), "workspace")

    def set_budget(self, workspace_id: str, **limits: int | None) -> Workspace:
        """The workspace with `daily_runs` or `daily_tokens` of its own; None is the deployment's limit again."""
        changed = self.workspace(workspace_id).model_copy(update=limits)
        return self._put(records.workspace(workspace_id), changed)

    def used(self, workspace_id: str, of_day: str | None) -> tuple[str, records.Budget]:
        """A UTC day, today unless given, and what the workspace has used of it."""
        ref = records.budget(workspace_id, of_day or day(self._clock()))
        return ref.ids[-1], self._store.fetch(ref)[ref] or records.Budget()

    def create_project(self, workspace_id: str, name: str) -> str:
        """A new, empty project; its id."""
        self.workspace(workspace_id)
        project_id = ids.new()
        self._put(records.project(workspace_id, project_id), Project(name=name))
        return project_id

    def projects(self, workspace_id: str) -> list[tuple[str, Project]]:
        """Every project of the workspace by id, deleted ones too."""
        self.workspace(workspace_id)
        return list(self._all(Listing(Project, (workspace_id,))))

    def project(self, workspace_id: str, project_id: str) -> Project:
        """One project, which may be deleted."""
        self.workspace(workspace_id)
        return self._existing(records.project(workspace_id, project_id), "project")

    def check_open(self, workspace_id: str, project_id: str) -> None:
        """Raises Impossible unless there is this project and it is not deleted."""
        if self.project(workspace_id, project_id).deleted_at is not None:
            raise Impossible(f"Project {project_id} was deleted: name another, or create one.")

    def delete_project(self, workspace_id: str, project_id: str) -> int:
        """Close the project for good and erase its evidence; how many pieces that were.

        From the first write on nothing of it can be read. Where erasing is interrupted, the sweep goes on with it.
        """
        self._close(workspace_id, project_id)
        return sum(erase_project(self._store, records.project(workspace_id, project_id)))

    def import_sources(self, workspace_id: str, project_id: str, sources: Iterable[Source]) -> Publication:
        """Import and publish, all of it or nothing. Raises Problem too, and whatever `sources` does."""
        self.check_open(workspace_id, project_id)
        return Importing(self._store, self._clock).publish(workspace_id, project_id, sources)

    def check_evidence(self, workspace_id: str, project_id: str, evidence_ids: Sequence[str]) -> None:
        """Raises Impossible unless all of these are, or were, evidence of the project."""
        self.check_open(workspace_id, project_id)
        refs = [records.evidence(workspace_id, project_id, name) for name in evidence_ids]
        found = self._store.fetch(*refs)
        unknown = [ref.ids[-1] for ref in refs if found[ref] is None]
        if unknown:
            raise Impossible(f"The project has no evidence {', '.join(unknown)}: check the ids. Nothing was withdrawn.")

    def withdraw(self, workspace_id: str, project_id: str, evidence_ids: Sequence[str]) -> None:
        """Withdraw evidence: each text of it erased, and every answer that rests on it unreadable from now on."""
        self.check_evidence(workspace_id, project_id, evidence_ids)
        for name in evidence_ids:
            self._withdraw(records.evidence(workspace_id, project_id, name))

    def add_member(self, workspace_id: str, principal_id: str | None, member: Member) -> str:
        """A member of the workspace, a new principal unless one is given; its id."""
        self.workspace(workspace_id)
        self._check_projects(workspace_id, member.projects)
        ref = records.member(workspace_id, principal_id or ids.new())
        if self._store.fetch(ref)[ref] is not None:
            raise Impossible(f"{ref.ids[-1]} is a member already: change its role, capabilities or projects.")
        self._put(ref, member)
        return ref.ids[-1]

    def members(self, workspace_id: str) -> list[tuple[str, Member]]:
        """Every member of the workspace by principal id."""
        self.workspace(workspace_id)
        return list(self._all(Listing(Member, (workspace_id,))))

    def member(self, workspace_id: str, principal_id: str) -> Member:
        """One member."""
        self.workspace(workspace_id)
        return self._existing(records.member(workspace_id, principal_id), "member")

    def change_member(self, workspace_id: str, principal_id: str, **changes: Any) -> Member:
        """The member with another `role`, `capabilities` or `projects`, from the next call on."""
        changed = self.member(workspace_id, principal_id).model_copy(update=changes)
        self._check_projects(workspace_id, changes.get("projects"))
        return self._put(records.member(workspace_id, principal_id), changed)

    def remove_member(self, workspace_id: str, principal_id: str) -> None:
        """End a membership. Its conversations can be read by nobody, unless it is restored while they last."""
        self.member(workspace_id, principal_id)
        self._store.erase([records.member(workspace_id, principal_id)])

    def issue_token(self, principal_id: str, life: timedelta, label: str) -> Issued:
        """A new token of a principal, who must be a member somewhere: nobody else's would open anything."""
        if not self._is_member(principal_id):
            raise Impossible(f"No workspace has a member {principal_id}. `research admin member add` makes one.")
        text = ids.new_token(principal_id)
        digest = ids.token_digest(text)
        kept = Token(expires_at=self._clock() + life, label=label)
        return Issued(text, digest, self._put(records.token(principal_id, digest), kept))

    def tokens(self, principal_id: str) -> list[tuple[str, Token]]:
        """Every token of a principal by digest; the principal may have lost every membership."""
        found = list(self._all(Listing(Token, (principal_id,))))
        if not found and not self._is_member(principal_id):
            raise Impossible(f"{principal_id} is no member of any workspace and has no token: check the id.")
        return found

    def token(self, principal_id: str, beginning: str) -> tuple[str, Token]:
        """The one token of a principal whose digest begins so, with its digest."""
        matching = [entry for entry in self.tokens(principal_id) if entry[0].startswith(beginning)]
        if len(matching) != 1:
            raise Impossible(f"{len(matching)} of this principal's tokens have a digest that begins so; one is wanted.")
        return matching[0]

    def revoke_token(self, principal_id: str, beginning: str) -> tuple[str, Token]:
        """The token that `token` finds, revoked from the next call on; one that was revoked before stays as it is."""
        digest, token = self.token(principal_id, beginning)
        revoked = token.model_copy(update={"revoked_at": token.revoked_at or self._clock()})
        return digest, self._put(records.token(principal_id, digest), revoked)

    def _close(self, workspace_id: str, project_id: str) -> None:
        for _ in range(TRIES):
            before = self.project(workspace_id, project_id)
            try:
                self._store.change_project(
                    records.project(workspace_id, project_id), before, before.deleted(self._clock())
                )
            except Lost:
                continue
            return
        raise Impossible("An import keeps changing the project: nothing was deleted. Try again when it has ended.")

    def _withdraw(self, ref: Ref[Evidence]) -> None:
        for _ in range(TRIES):
            before = self._existing(ref, "evidence")
            try:
                self._store.withdraw(ref, before, before if before.withdrawn_at else before.withdrawn(self._clock()))
            except Lost:
                continue
            return
        raise Impossible("An import keeps changing this evidence. Send the same command again when it has ended.")

    def _check_projects(self, workspace_id: str, projects: Sequence[str] | None) -> None:
        for project_id in projects or ():
            self.check_open(workspace_id, project_id)

    def _is_member(self, principal_id: str) -> bool:
        """Whether any workspace has this member."""
        refs = [records.member(workspace_id, principal_id) for workspace_id, _ in self.workspaces()]
        return bool(self._store.fetch(*refs))

    def _all(self, listing: Listing[R]) -> Iterator[tuple[str, R]]:
        after = None
        while True:
            page = self._store.page(listing, after, _PAGE)
            for ref, record in page.records:
                yield ref.ids[-1], record
            after = page.next
            if after is None:
                return

    def _existing(self, ref: Ref[R], kind: str) -> R:
        record = self._store.fetch(ref)[ref]
        if record is None:
            raise Impossible(
                f"There is no {kind} {ref.ids[-1]} here: `research admin {kind} list` shows what there is."
            )
        return record

    def _put(self, ref: Ref[R], record: R) -> R:
        self._store.keep([(ref, record)])
        return record

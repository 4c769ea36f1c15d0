"""Setting up workspaces, members, tokens and budgets: what `research admin` does to a table."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, TypeVar

from research.operations.ports import EvidenceStore, Listing
from research.rules.budget import day
from research.words import ids, records
from research.words.clock import Clock
from research.words.records import Budget, Member, Project, Record, Ref, Role, Token, Workspace, WorkspaceEntry

CAPABILITIES = ("agent:research", "agent:sources")
_PAGE = 100

R = TypeVar("R", bound=Record)


class NotThereError(Exception):
    """What a command is about does not exist; the message says what."""


@dataclass(frozen=True, slots=True)
class Issued:
    """A new token: its text is shown once and kept nowhere."""

    token: str
    principal_id: str
    digest: str
    expires_at: Any


class Administration:
    """The use cases of an administrator, who needs no token: access to the table is what makes one."""

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
        """One workspace. Raises NotThereError."""
        return self._existing(records.workspace(workspace_id), "workspace")

    def set_budget(self, workspace_id: str, daily_runs: int | None, daily_tokens: int | None) -> Workspace:
        """The workspace with limits of its own; None leaves the deployment's."""
        workspace = self.workspace(workspace_id)
        limits = {"daily_runs": daily_runs, "daily_tokens": daily_tokens}
        return self._put(records.workspace(workspace_id), workspace.model_copy(update=limits))

    def budget(self, workspace_id: str, of_day: str | None = None) -> Budget:
        """What the workspace has used of a UTC day, today's unless given."""
        self.workspace(workspace_id)
        ref = records.budget(workspace_id, of_day or day(self._clock()))
        return self._store.fetch(ref)[ref] or Budget()

    def create_project(self, workspace_id: str, name: str) -> str:
        """A new, empty project; its id."""
        self.workspace(workspace_id)
        project_id = ids.new()
        self._put(records.project(workspace_id, project_id), Project(name=name))
        return project_id

    def projects(self, workspace_id: str) -> list[tuple[str, Project]]:
        """Every project of the workspace by id, deleted ones too."""
        return list(self._all(Listing(Project, (workspace_id,))))

    def project(self, workspace_id: str, project_id: str) -> Project:
        """One project. Raises NotThereError."""
        return self._existing(records.project(workspace_id, project_id), "project")

    def delete_project(self, workspace_id: str, project_id: str) -> int:
        """Close the project for good and erase its evidence; how many pieces that were.

        From the first write on nothing of it can be read. Erasing may be repeated where it was interrupted.
        """
        ref = records.project(workspace_id, project_id)
        before = self.project(workspace_id, project_id)
        after = before.model_copy(update={"deleted_at": before.deleted_at or self._clock()})
        self._store.change_project(ref, before, after)
        count = 0
        for evidence_id, head in self._all(Listing(records.Evidence, (workspace_id, project_id))):
            self._store.erase_evidence(records.evidence(workspace_id, project_id, evidence_id), head)
            count += 1
        return count

    def add_member(
        self,
        workspace_id: str,
        principal_id: str | None,
        role: Role,
        capabilities: tuple[str, ...],
        projects: tuple[str, ...] | None,
    ) -> str:
        """A member of the workspace, a new principal unless one is given; its id."""
        self.workspace(workspace_id)
        name = principal_id or ids.new()
        member = Member(role=role, capabilities=capabilities, projects=projects)
        self._put(records.member(workspace_id, name), member)
        return name

    def members(self, workspace_id: str) -> list[tuple[str, Member]]:
        """Every member of the workspace by principal id."""
        return list(self._all(Listing(Member, (workspace_id,))))

    def change_member(self, workspace_id: str, principal_id: str, **changes: Any) -> Member:
        """The member with another role, capabilities or projects, from the next call on."""
        ref = records.member(workspace_id, principal_id)
        return self._put(ref, self._existing(ref, "member").model_copy(update=changes))

    def remove_member(self, workspace_id: str, principal_id: str) -> None:
        """End a membership. Its conversations can be read by nobody, unless it is restored while they last."""
        ref = records.member(workspace_id, principal_id)
        self._existing(ref, "member")
        self._store.erase([ref])

    def issue_token(self, principal_id: str, life: timedelta, label: str) -> Issued:
        """A new token of a principal."""
        token = ids.new_token(principal_id)
        digest = ids.token_digest(token)
        kept = Token(expires_at=self._clock() + life, label=label)
        self._put(records.token(principal_id, digest), kept)
        return Issued(token, principal_id, digest, kept.expires_at)

    def tokens(self, principal_id: str) -> list[tuple[str, Token]]:
        """Every token of a principal by digest."""
        return list(self._all(Listing(Token, (principal_id,))))

    def revoke_token(self, principal_id: str, beginning: str) -> str:
        """Revoke the one token whose digest begins so, from the next call on; its digest. Raises NotThereError."""
        matching = [entry for entry in self.tokens(principal_id) if entry[0].startswith(beginning)]
        if len(matching) != 1:
            raise NotThereError(f"{len(matching)} tokens of this principal begin so; give more of the digest.")
        digest, token = matching[0]
        revoked = token.model_copy(update={"revoked_at": token.revoked_at or self._clock()})
        self._put(records.token(principal_id, digest), revoked)
        return digest

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
            raise NotThereError(f"There is no such {kind}.")
        return record

    def _put(self, ref: Ref[R], record: R) -> R:
        self._store.keep([(ref, record)])
        return record

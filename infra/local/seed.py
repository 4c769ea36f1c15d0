"""A first workspace with an owner, a token, a project and its evidence, so that a new stack can be asked at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from research.operations.importing import Importing, Publication
from research.operations.ports import EvidenceStore
from research.words import ids, records
from research.words.records import Member, Project, Token, Workspace, WorkspaceEntry
from research.words.sources import Source

NOTHING: dict[str, Any] = dict.fromkeys(
    ("token", "workspace_id", "project_id", "project_revision", "corpus_snapshot_id", "evidence")
)
"""The facts of a stack in which nothing was made."""

TOKEN_LIFE = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Seed:
    """What was made, with the token's text, which nothing else keeps."""

    token: str
    workspace_id: str
    project_id: str
    publication: Publication

    def facts(self) -> dict[str, Any]:
        """The part of the documented JSON line that says what to ask with and about."""
        return {
            "token": self.token,
            "workspace_id": self.workspace_id,
            "project_id": self.project_id,
            "project_revision": self.publication.project_revision,
            "corpus_snapshot_id": self.publication.corpus_snapshot_id,
            "evidence": [pinned.model_dump() for pinned in self.publication.evidence],
        }


def seed(store: EvidenceStore, importing: Importing, evidence: Sequence[Source], now: datetime) -> Seed:
    """Make all of it in an empty table."""
    workspace_id, project_id, principal_id = ids.new(), ids.new(), ids.new()
    token = ids.new_token(principal_id)
    store.keep(
        [
            (records.workspace(workspace_id), Workspace(name="Local workspace")),
            (records.workspace_entry(workspace_id), WorkspaceEntry(name="Local workspace")),
            (records.project(workspace_id, project_id), Project(name="Sample evidence")),
            (
                records.member(workspace_id, principal_id),
                Member(role="owner", capabilities=("agent:research", "agent:sources")),
            ),
            (
                records.token(principal_id, ids.token_digest(token)),
                Token(expires_at=now + TOKEN_LIFE, label="local"),
            ),
        ]
    )
    return Seed(token, workspace_id, project_id, importing.publish(workspace_id, project_id, evidence))

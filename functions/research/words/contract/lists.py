"""What a caller is given by the operations that list, read and change sources and conversations."""

from research.words.contract.results import Result
from research.words.contract.types import EvidenceRef, Id, Positive, Timestamp


class Listed(Result):
    """One page of a list; `next_cursor` is null on the last."""

    next_cursor: str | None


class ConversationSummary(Result):
    """A conversation of the caller's. The title is null once it has expired or its project is closed to the owner."""

    id: Id
    revision: Positive
    title: str | None
    project_id: Id
    language: str
    runs: int
    archived: bool
    expired: bool
    created_at: Timestamp
    expires_at: Timestamp


class ConversationsListResult(Listed):
    """conversations_list: the caller's own, newest first."""

    conversations: tuple[ConversationSummary, ...]


class ProjectSummary(Result):
    """A project that is open to the caller, at its published revision; 0 and null before the first publication."""

    id: Id
    name: str
    revision: int
    corpus_snapshot_id: Id | None


class ProjectsListResult(Listed):
    """projects_list."""

    projects: tuple[ProjectSummary, ...]


class EvidenceSummary(Result):
    """The published revision of a piece of evidence, without its text; `size` in code points."""

    evidence_id: Id
    revision: Positive
    size: int
    title: str | None
    url: str | None
    author: str | None
    published_at: str | None
    language: str | None


class EvidenceListResult(Listed):
    """evidence_list, with what a conversation's context names beside the evidence."""

    project_id: Id
    project_revision: int
    corpus_snapshot_id: Id | None
    evidence: tuple[EvidenceSummary, ...]


class EvidenceGetResult(EvidenceSummary):
    """evidence_get: one revision with its text; `current_revision` is the published one."""

    current_revision: Positive
    text: str


class DeleteResult(Result):
    """conversations_delete."""

    conversation_id: Id
    deleted: bool


class ImportResult(Result):
    """sources_import. `evidence` names what each source is now, in their order, withdrawn ones left out."""

    project_id: Id
    project_revision: Positive
    corpus_snapshot_id: Id
    new: int
    changed: int
    unchanged: int
    withdrawn: int
    evidence: tuple[EvidenceRef, ...]


class WithdrawResult(Result):
    """sources_withdraw. What was withdrawn before counts too."""

    project_id: Id
    evidence_ids: tuple[Id, ...]

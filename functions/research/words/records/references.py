"""Where each record is, by the ids that name it."""

from research.words.clock import milliseconds
from research.words.records.conversations import (
    Conversation,
    ConversationEntry,
    Mutation,
    Question,
    Refused,
    Run,
    StoredAnswer,
    Title,
)
from research.words.records.record import Ref
from research.words.records.tenancy import (
    Budget,
    Evidence,
    EvidenceText,
    Member,
    Project,
    Snapshot,
    Token,
    Workspace,
    WorkspaceEntry,
)


def token(principal_id: str, digest: str) -> Ref[Token]:
    """An access token."""
    return Ref(Token, (principal_id, digest))


def workspace(workspace_id: str) -> Ref[Workspace]:
    """A workspace."""
    return Ref(Workspace, (workspace_id,))


def workspace_entry(workspace_id: str) -> Ref[WorkspaceEntry]:
    """A workspace's line in the list of all."""
    return Ref(WorkspaceEntry, (workspace_id,))


def member(workspace_id: str, principal_id: str) -> Ref[Member]:
    """A principal's membership of a workspace."""
    return Ref(Member, (workspace_id, principal_id))


def project(workspace_id: str, project_id: str) -> Ref[Project]:
    """A project's head."""
    return Ref(Project, (workspace_id, project_id))


def snapshot(workspace_id: str, project_id: str, revision: int) -> Ref[Snapshot]:
    """What a publication of a project made visible."""
    return Ref(Snapshot, (workspace_id, project_id, str(revision)))


def evidence(workspace_id: str, project_id: str, evidence_id: str) -> Ref[Evidence]:
    """The head of a piece of evidence."""
    return Ref(Evidence, (workspace_id, project_id, evidence_id))


def evidence_text(workspace_id: str, project_id: str, evidence_id: str, revision: int) -> Ref[EvidenceText]:
    """One revision of a piece of evidence."""
    return Ref(EvidenceText, (workspace_id, project_id, evidence_id, str(revision)))


def conversation(conversation_id: str) -> Ref[Conversation]:
    """A conversation's head."""
    return Ref(Conversation, (conversation_id,))


def conversation_entry(of: Conversation) -> Ref[ConversationEntry]:
    """A conversation's line in its owner's list, which is in order of creation."""
    place = f"{milliseconds(of.created_at):015d}#{of.id}"
    return Ref(ConversationEntry, (of.workspace_id, of.principal_id, place))


def title(conversation_id: str) -> Ref[Title]:
    """A conversation's title."""
    return Ref(Title, (conversation_id,))


def run(conversation_id: str, run_id: str) -> Ref[Run]:
    """An accepted run."""
    return Ref(Run, (conversation_id, run_id))


def refused(conversation_id: str, run_id: str) -> Ref[Refused]:
    """A refused run."""
    return Ref(Refused, (conversation_id, run_id))


def question(conversation_id: str, run_id: str) -> Ref[Question]:
    """The question of a run."""
    return Ref(Question, (conversation_id, run_id))


def answer(conversation_id: str, run_id: str) -> Ref[StoredAnswer]:
    """The answer of a run."""
    return Ref(StoredAnswer, (conversation_id, run_id))


def mutation(workspace_id: str, principal_id: str, mutation_id: str) -> Ref[Mutation]:
    """A principal's use of a mutation id in a workspace."""
    return Ref(Mutation, (workspace_id, principal_id, mutation_id))


def budget(workspace_id: str, day: str) -> Ref[Budget]:
    """A workspace's use of one UTC day (`2026-11-30`)."""
    return Ref(Budget, (workspace_id, day))

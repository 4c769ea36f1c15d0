"""What is kept: one frozen value per stored thing, and a typed reference that names where it is.

A reference holds only what a request already carries, so that one batch can fetch everything a call needs.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict

from research.words import ids
from research.words.clock import MEMORY, Instant
from research.words.contract import Answer, Context, FailureCode, RequestKind, RunStatus

Role = Literal["owner", "editor", "viewer"]


class Record(BaseModel):
    """A stored value. Instants are datetimes here and epoch milliseconds in storage."""

    model_config = ConfigDict(frozen=True, extra="ignore")


T = TypeVar("T", bound=Record)


@dataclass(frozen=True, slots=True)
class Ref(Generic[T]):
    """Where one record is: its kind and the ids that name it."""

    kind: type[T]
    ids: tuple[str, ...]


class Found(Mapping[Ref[Any], Any]):
    """What a fetch brought: a record for each reference that exists; the rest read None."""

    def __init__(self, records: Mapping[Ref[Any], Any] | None = None) -> None:
        self._records = dict(records or {})

    def __getitem__(self, ref: Ref[T]) -> T | None:
        return self._records.get(ref)

    def __iter__(self) -> Iterator[Ref[Any]]:
        return iter(self._records)

    def __len__(self) -> int:
        return len(self._records)

    def __or__(self, newer: "Found") -> "Found":
        return Found({**self._records, **newer._records})


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


class Member(Record):
    """A principal in a workspace; `projects` None means all of them."""

    role: Role
    capabilities: tuple[str, ...] = ()
    projects: tuple[str, ...] | None = None


class Project(Record):
    """The head of a project: raising `revision` is what publishes an import, all at once."""

    name: str
    revision: int = 0
    corpus_snapshot_id: str | None = None
    deleted_at: Instant | None = None


class Snapshot(Record):
    """What one publication made visible, by project revision."""

    corpus_snapshot_id: str
    created_at: Instant


class Edition(Record):
    """One revision of a piece of evidence, visible from project revision `since` on.

    `size` is the text's length in code points; `digest`, of text and origin, shows an import that nothing has changed.
    """

    revision: int
    since: int
    size: int
    digest: str = ""


class Evidence(Record):
    """The head of one piece of evidence: its latest edition, and the one before it.

    An import writes the latest edition before it is published, so until the project reaches `latest.since` the
    previous one is what is visible.
    """

    latest: Edition
    previous: Edition | None = None
    withdrawn_at: Instant | None = None

    def visible(self, project_revision: int) -> Edition | None:
        """The edition that a reader of this project revision sees, or None before the first."""
        if self.latest.since <= project_revision:
            return self.latest
        return self.previous


class EvidenceText(Record):
    """One revision of a source text with its origin."""

    text: str
    title: str | None = None
    url: str | None = None
    author: str | None = None
    published_at: str | None = None
    language: str | None = None


class RunEntry(Record):
    """A run's place in its conversation."""

    run_id: str
    mutation_id: str
    parent_message_id: str | None = None


class Conversation(Record):
    """The content-free head of a conversation: pinned context, order of its runs and messages, revision and life.

    `messages` lists `Q:<run id>` and `A:<run id>` in the order in which they became visible. `input_size` is what the
    pinned evidence takes of the input budget, in code points. `due_at` is when the sweep erases its content.
    """

    id: str
    workspace_id: str
    principal_id: str
    revision: int
    context: Context
    language: str
    input_size: int
    mutation_id: str
    created_at: Instant
    expires_at: Instant
    archived_at: Instant | None = None
    due_at: Instant | None = None
    runs: tuple[RunEntry, ...] = ()
    messages: tuple[str, ...] = ()

    @property
    def forgotten_at(self) -> datetime:
        """When even the content-free rest is gone and a read finds nothing."""
        return self.expires_at + MEMORY

    def parents(self) -> dict[str, str | None]:
        """Every message id of the conversation with its parent's."""
        tree: dict[str, str | None] = {}
        entries = {entry.run_id: entry for entry in self.runs}
        for label in self.messages:
            role, _, run_id = label.partition(":")
            question = ids.question_id(run_id)
            if role == "Q":
                tree[question] = entries[run_id].parent_message_id
            else:
                tree[ids.answer_id(run_id)] = question
        return tree


class Title(Record):
    """A conversation's title, apart from its content-free head."""

    text: str


class Run(Record):
    """One request for an answer, with the state of its one generation.

    `fence` counts claims: only the holder of the current one may change a processing run. `call_started_at` is set
    before the provider is called and is what makes a generation unrepeatable. `unsettled` are tokens spent and not yet
    added to the budget. `due_at`, present while anything is left to do, is when the sweep looks at it. Content-free.
    """

    id: str
    workspace_id: str
    conversation_id: str
    principal_id: str
    mutation_id: str
    conversation_revision: int
    generation: int
    request_kind: RequestKind
    status: RunStatus
    failure_code: FailureCode | None = None
    created_at: Instant
    expires_at: Instant
    model_id: str | None = None
    model_version: str | None = None
    parent_message_id: str | None = None
    owner: str | None = None
    fence: int = 0
    attempts: int = 0
    lease_until: Instant | None = None
    call_started_at: Instant | None = None
    unsettled: int | None = None
    due_at: Instant | None = None

    @property
    def stage(self) -> tuple[str, int, datetime | None, int | None]:
        """What a transition relies on: a write happens only if the stored run is still here."""
        return self.status, self.fence, self.call_started_at, self.unsettled


class Refused(Run):
    """A run that was never accepted: kept apart, listed nowhere, found by its id alone."""


class Question(Record):
    """The user message of a run."""

    text: str
    created_at: Instant


class Span(Record):
    """A verified passage: code-point offsets into the text of the context's `source`-th evidence (from 0)."""

    source: int
    start: int
    end: int


class Citations(Record):
    """The spans of an answer and which of them each claim cites: the main answer, findings, suggestions, in order."""

    spans: tuple[Span, ...]
    answer: tuple[int, ...]
    findings: tuple[tuple[int, ...], ...] = ()
    query_suggestions: tuple[tuple[int, ...], ...] = ()


class StoredAnswer(Record):
    """The assistant message of a run, with the spans of its citations."""

    answer: Answer
    citations: Citations
    created_at: Instant


class Mutation(Record):
    """That a mutation was used: for which operation and body, and until when it is remembered."""

    operation: str
    digest: str
    expires_at: Instant


class Budget(Record):
    """What a workspace has used of one UTC day."""

    runs: int = 0
    tokens: int = 0


def token(principal_id: str, digest: str) -> Ref[Token]:
    """An access token."""
    return Ref(Token, (principal_id, digest))


def workspace(workspace_id: str) -> Ref[Workspace]:
    """A workspace."""
    return Ref(Workspace, (workspace_id,))


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

"""What lives for 24 hours: conversations, their runs and messages, and the mutations that made them."""

from datetime import datetime

from pydantic import computed_field

from research.words import ids
from research.words.clock import MEMORY, Instant
from research.words.contract import Answer, Context, FailureCode, RequestKind, RunStatus
from research.words.records.record import Record


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
    deleted_at: Instant | None = None
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


class ConversationEntry(Record):
    """A conversation's line in the list of its owner's, in order of time."""

    conversation_id: str


class Title(Record):
    """A conversation's title, apart from its content-free head."""

    text: str


class Run(Record):
    """One request for an answer, with the state of its one generation.

    `fence` counts claims: only the holder of the current one may change a processing run. `call_started_at` is set
    before the provider is called and is what makes a generation unrepeatable. `spent` are the tokens that the call is
    known to have cost, `unsettled` those of them that are not in the budget yet. `due_at`, present while anything is
    left to do, is when the sweep looks at it. Content-free.
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
    spent: int | None = None
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
    """That a mutation was used: for which operation and body, and until when it is remembered.

    `result` is kept where the mutation made nothing that could be read again: ids and counts, as JSON. When its time is
    over it is due, and the sweep deletes it.
    """

    operation: str
    digest: str
    expires_at: Instant
    result: str | None = None

    @computed_field
    def due_at(self) -> Instant:
        """When the sweep looks at it."""
        return self.expires_at

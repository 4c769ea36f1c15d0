"""One conversation with one run, and one project with one piece of evidence, at each step of their lives."""

from datetime import UTC, datetime, timedelta

from research.operations.ports import Remembered
from research.rules import transitions
from research.rules.budget import Limits
from research.words import records
from research.words.contract import Answer, Claim, Context, EvidenceRef
from research.words.records import (
    Citations,
    Conversation,
    ConversationEntry,
    Edition,
    Evidence,
    EvidenceText,
    Mutation,
    Project,
    Question,
    Ref,
    Refused,
    Run,
    RunEntry,
    Snapshot,
    Span,
    StoredAnswer,
    Title,
)

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
LIMITS = Limits(runs=5, tokens=500)
ID = "aaaaaaaa-0000-4000-8000-000000000000"
PINNED = EvidenceRef(evidence_id=ID, revision=1)

OPENED = Conversation(
    id="conversation",
    workspace_id="workspace",
    principal_id="principal",
    revision=1,
    context=Context(project_id=ID, project_revision=1, corpus_snapshot_id=ID, evidence=(PINNED,)),
    language="en",
    input_size=2_900,
    mutation_id="creation",
    created_at=NOW,
    expires_at=NOW + timedelta(hours=24),
    due_at=NOW + timedelta(hours=24),
)
TITLE = Title(text="Battery")
MUTATION = Mutation(operation="assistant_request", digest="digest", expires_at=OPENED.expires_at)
RUN = Run(
    id="run",
    workspace_id="workspace",
    conversation_id="conversation",
    principal_id="principal",
    mutation_id="request",
    conversation_revision=2,
    generation=1,
    request_kind="question",
    status="queued",
    created_at=NOW,
    expires_at=OPENED.expires_at,
    due_at=NOW + transitions.PICK_UP,
)
REFUSED = Refused(**RUN.model_dump() | {"status": "unavailable", "failure_code": "not_configured"})
ENTRY = RunEntry(run_id="run", mutation_id="request")
ASKED = OPENED.model_copy(update={"revision": 2, "runs": (ENTRY,), "messages": ("Q:run",)})
QUESTION = Question(text="How long does it last?", created_at=NOW)
CLAIMED = transitions.claim(RUN, "worker", NOW) or RUN
STARTED = transitions.start(CLAIMED, "model", NOW) or CLAIMED
COMPLETED = transitions.finish(STARTED, "model-1", 70, NOW)
SETTLED = transitions.settle(COMPLETED)
CLAIM = Claim(statement="Seven hours.", basis="observed", evidence=(PINNED,), uncertainty="")
ANSWER = StoredAnswer(
    answer=Answer(answer=CLAIM, findings=(), sentiment=(), query_suggestions=(), limitations=("One text.",)),
    citations=Citations(spans=(Span(source=0, start=0, end=12),), answer=(0,)),
    created_at=NOW,
)
ARCHIVED = ASKED.model_copy(update={"revision": 3, "archived_at": NOW})
DELETED = ASKED.model_copy(update={"deleted_at": NOW, "due_at": None})
CANCELLED = transitions.fail(STARTED, "cancelled", NOW)
ENTRY_REF = records.conversation_entry(OPENED)
LISTED = ConversationEntry(conversation_id="conversation")

PROJECT = Project(name="Fans", revision=1, corpus_snapshot_id=ID)
IMPORTING = PROJECT.model_copy(update={"importing": 2, "import_until": NOW + timedelta(minutes=5)})
REPUBLISHED = PROJECT.model_copy(update={"revision": 2})
FIRST = Edition(revision=1, since=1, size=12)
HEAD = Evidence(latest=FIRST)
STAGED = Evidence(latest=Edition(revision=2, since=2, size=13), previous=FIRST)
WITHDRAWN = HEAD.withdrawn(NOW)
TEXT = EvidenceText(text="Seven hours.")
NEWER_TEXT = EvidenceText(text="Eight hours.")
SNAPSHOT = Snapshot(corpus_snapshot_id=ID, created_at=NOW)

CONVERSATION_REF = records.conversation("conversation")
RUN_REF = records.run("conversation", "run")
REFUSED_REF = records.refused("conversation", "run")
TITLE_REF = records.title("conversation")
QUESTION_REF = records.question("conversation", "run")
ANSWER_REF = records.answer("conversation", "run")
PROJECT_REF = records.project("workspace", ID)
SNAPSHOT_REF = records.snapshot("workspace", ID, 2)
HEAD_REF, NEW_REF = records.evidence("workspace", ID, ID), records.evidence("workspace", ID, "new")
TEXT_REF = records.evidence_text("workspace", ID, ID, 1)
BUDGET_REF = records.budget("workspace", "2026-11-30")
REQUEST_REF = records.mutation("workspace", "principal", "request")
CLOSING_REF = records.mutation("workspace", "principal", "closing")
CREATION_REF = records.mutation("workspace", "principal", "creation")


def remembered(ref: Ref[Mutation]) -> Remembered:
    """The record that this mutation has acted."""
    return Remembered(ref, MUTATION, NOW)

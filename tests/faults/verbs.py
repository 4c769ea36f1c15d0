"""Every write verb of the store, on fixed records: what is there before it, and the one call that it makes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from research.adapters.store import DynamoStore
from research.rules import transitions
from research.rules.budget import Limits
from research.words import records
from research.words.contract import Answer, Claim, Context, EvidenceRef
from research.words.records import (
    Budget,
    Citations,
    Conversation,
    Mutation,
    Project,
    Question,
    Record,
    Ref,
    Refused,
    Run,
    RunEntry,
    Snapshot,
    Span,
    StoredAnswer,
    Title,
    Workspace,
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
PROJECT = Project(name="Fans", revision=1, corpus_snapshot_id=ID)
REPUBLISHED = PROJECT.model_copy(update={"revision": 2})
SNAPSHOT = Snapshot(corpus_snapshot_id=ID, created_at=NOW)

CONVERSATION_REF = records.conversation("conversation")
RUN_REF = records.run("conversation", "run")
REFUSED_REF = records.refused("conversation", "run")
TITLE_REF = records.title("conversation")
QUESTION_REF = records.question("conversation", "run")
ANSWER_REF = records.answer("conversation", "run")
PROJECT_REF = records.project("workspace", ID)
SNAPSHOT_REF = records.snapshot("workspace", ID, 2)
BUDGET_REF = records.budget("workspace", "2026-11-30")
REQUEST_REF = records.mutation("workspace", "principal", "request")
CREATION_REF = records.mutation("workspace", "principal", "creation")

Entries = Sequence[tuple[Ref[Any], Record]]


@dataclass(frozen=True, slots=True)
class Verb:
    """`rivals` each make one of its conditions false, had somebody else written them first."""

    action: str
    before: Entries
    act: Callable[[DynamoStore], None]
    rivals: Entries = ()


VERBS = {
    "open_conversation": Verb(
        "TransactWriteItems",
        [],
        lambda store: store.open_conversation(OPENED, TITLE, MUTATION),
        [
            (CREATION_REF, MUTATION.model_copy(update={"digest": "another"})),
            (CONVERSATION_REF, OPENED.model_copy(update={"language": "fr"})),
            (TITLE_REF, Title(text="Noise")),
        ],
    ),
    "accept": Verb(
        "TransactWriteItems",
        [(CONVERSATION_REF, OPENED)],
        lambda store: store.accept(OPENED, ASKED, RUN, QUESTION, MUTATION, LIMITS),
        [
            (REQUEST_REF, MUTATION.model_copy(update={"digest": "another"})),
            (CONVERSATION_REF, OPENED.model_copy(update={"revision": 2})),
            (CONVERSATION_REF, OPENED.model_copy(update={"due_at": None})),
            (RUN_REF, CLAIMED),
            (BUDGET_REF, Budget(runs=5)),
            (BUDGET_REF, Budget(tokens=500)),
        ],
    ),
    "refuse": Verb(
        "TransactWriteItems",
        [],
        lambda store: store.refuse(REFUSED, MUTATION, OPENED.forgotten_at),
        [(REQUEST_REF, MUTATION.model_copy(update={"digest": "another"}))],
    ),
    "advance": Verb(
        "PutItem",
        [(RUN_REF, RUN)],
        lambda store: store.advance(RUN, CLAIMED),
        [(RUN_REF, CLAIMED.model_copy(update={"owner": "another"})), (RUN_REF, COMPLETED)],
    ),
    "publish": Verb(
        "TransactWriteItems",
        [(CONVERSATION_REF, ASKED), (RUN_REF, STARTED)],
        lambda store: store.publish(STARTED, COMPLETED, ANSWER, NOW),
        [
            (RUN_REF, transitions.fail(STARTED, "cancelled", NOW)),
            (RUN_REF, STARTED.model_copy(update={"fence": 2})),
            (CONVERSATION_REF, ASKED.model_copy(update={"expires_at": NOW})),
            (CONVERSATION_REF, ASKED.model_copy(update={"due_at": None})),
        ],
    ),
    "settle": Verb(
        "TransactWriteItems",
        [(RUN_REF, COMPLETED), (BUDGET_REF, Budget(runs=1, tokens=5))],
        lambda store: store.settle(COMPLETED, SETTLED),
        [(RUN_REF, SETTLED.model_copy(update={"model_version": "model-2"}))],
    ),
    "erase": Verb(
        "BatchWriteItem",
        [(TITLE_REF, TITLE), (QUESTION_REF, QUESTION), (CONVERSATION_REF, ASKED)],
        lambda store: store.erase([TITLE_REF, QUESTION_REF, ANSWER_REF]),
    ),
    "laid_to_rest": Verb(
        "UpdateItem",
        [(CONVERSATION_REF, ASKED)],
        lambda store: store.laid_to_rest(ASKED),
        [(CONVERSATION_REF, ASKED.model_copy(update={"revision": 3}))],
    ),
    "laid_to_rest, refused": Verb("UpdateItem", [(REFUSED_REF, REFUSED)], lambda store: store.laid_to_rest(REFUSED)),
    "publish_project": Verb(
        "TransactWriteItems",
        [(PROJECT_REF, PROJECT)],
        lambda store: store.publish_project(PROJECT_REF, PROJECT, REPUBLISHED, SNAPSHOT),
        [
            (PROJECT_REF, PROJECT.model_copy(update={"revision": 2, "name": "Lamps"})),
            (PROJECT_REF, PROJECT.model_copy(update={"deleted_at": NOW})),
        ],
    ),
    "keep": Verb(
        "BatchWriteItem",
        [],
        lambda store: store.keep(
            [(records.workspace("workspace"), Workspace(name="Acme")), (PROJECT_REF, PROJECT), (TITLE_REF, TITLE)]
        ),
    ),
}

"""Every write verb of the two stores: what is there before it, the call that it is, and who may get ahead of it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from research.adapters.store import DynamoEvidenceStore, DynamoStore
from research.words.records import Budget, Record, Ref, Title, Workspace
from research.words.records import workspace as workspace_ref
from tests.faults import one_day as day

Entries = Sequence[tuple[Ref[Any], Record]]


class Stores:
    """The conversations' store and the evidence's over one table."""

    def __init__(self, client: Any, table: str, pause: Callable[[float], None]) -> None:
        self.conversations = DynamoStore(client, table, pause)
        self.evidence = DynamoEvidenceStore(client, table, pause)


@dataclass(frozen=True, slots=True)
class Verb:
    """`action` is the first call it makes. `rivals` each make one of its conditions false, had they come first."""

    action: str
    before: Entries
    act: Callable[[Stores], None]
    rivals: Entries = ()


def _with(record: Any, **changes: Any) -> Any:
    return record.model_copy(update=changes)


_USED = _with(day.MUTATION, digest="another")
_CONVERSATION, _RUN, _PROJECT = day.CONVERSATION_REF, day.RUN_REF, day.PROJECT_REF

CONVERSATION_VERBS = {
    "open_conversation": Verb(
        "TransactWriteItems",
        [],
        lambda stores: stores.conversations.open_conversation(day.OPENED, day.TITLE, day.remembered(day.CREATION_REF)),
        [
            (day.CREATION_REF, _USED),
            (_CONVERSATION, _with(day.OPENED, language="fr")),
            (day.TITLE_REF, Title(text="Noise")),
            (day.ENTRY_REF, _with(day.LISTED, conversation_id="another")),
        ],
    ),
    "accept": Verb(
        "TransactWriteItems",
        [(_CONVERSATION, day.OPENED)],
        lambda stores: stores.conversations.accept(
            day.OPENED, day.ASKED, day.RUN, day.QUESTION, day.remembered(day.REQUEST_REF), day.LIMITS
        ),
        [
            (day.REQUEST_REF, _USED),
            (_CONVERSATION, _with(day.OPENED, revision=2)),
            (_CONVERSATION, _with(day.OPENED, due_at=None)),
            (_CONVERSATION, _with(day.OPENED, deleted_at=day.NOW)),
            (_RUN, day.CLAIMED),
            (day.BUDGET_REF, Budget(runs=5)),
            (day.BUDGET_REF, Budget(tokens=500)),
        ],
    ),
    "refuse": Verb(
        "TransactWriteItems",
        [],
        lambda stores: stores.conversations.refuse(
            day.REFUSED, day.remembered(day.REQUEST_REF), day.OPENED.forgotten_at
        ),
        [(day.REQUEST_REF, _USED)],
    ),
    "advance": Verb(
        "PutItem",
        [(_RUN, day.RUN)],
        lambda stores: stores.conversations.advance(day.RUN, day.CLAIMED),
        [(_RUN, _with(day.CLAIMED, owner="another")), (_RUN, day.COMPLETED)],
    ),
    "publish": Verb(
        "TransactWriteItems",
        [(_CONVERSATION, day.ASKED), (_RUN, day.STARTED)],
        lambda stores: stores.conversations.publish(day.STARTED, day.COMPLETED, day.ANSWER, day.NOW),
        [
            (_RUN, day.CANCELLED),
            (_RUN, _with(day.STARTED, fence=2)),
            (_CONVERSATION, _with(day.ASKED, expires_at=day.NOW)),
            (_CONVERSATION, _with(day.ASKED, due_at=None)),
            (_CONVERSATION, day.DELETED),
        ],
    ),
    "cancel": Verb(
        "TransactWriteItems",
        [(_RUN, day.STARTED)],
        lambda stores: stores.conversations.cancel((day.STARTED, day.CANCELLED), day.remembered(day.CLOSING_REF)),
        [(day.CLOSING_REF, _USED), (_RUN, day.COMPLETED)],
    ),
    "cancel, ended before": Verb(
        "TransactWriteItems",
        [(_RUN, day.SETTLED)],
        lambda stores: stores.conversations.cancel(None, day.remembered(day.CLOSING_REF)),
        [(day.CLOSING_REF, _USED)],
    ),
    "archive": Verb(
        "TransactWriteItems",
        [(_CONVERSATION, day.ASKED)],
        lambda stores: stores.conversations.archive(day.ASKED, day.ARCHIVED, day.remembered(day.CLOSING_REF)),
        [(day.CLOSING_REF, _USED), (_CONVERSATION, _with(day.ASKED, revision=3)), (_CONVERSATION, day.DELETED)],
    ),
    "delete_conversation": Verb(
        "TransactWriteItems",
        [
            (_CONVERSATION, day.ASKED),
            (_RUN, day.STARTED),
            (day.ENTRY_REF, day.LISTED),
            (day.TITLE_REF, day.TITLE),
            (day.QUESTION_REF, day.QUESTION),
        ],
        lambda stores: stores.conversations.delete_conversation(
            day.ASKED,
            day.DELETED,
            [(day.STARTED, day.CANCELLED)],
            [day.TITLE_REF, day.QUESTION_REF, day.ANSWER_REF],
            day.remembered(day.CLOSING_REF),
        ),
        [(day.CLOSING_REF, _USED), (_CONVERSATION, _with(day.ASKED, revision=3)), (_RUN, day.COMPLETED)],
    ),
    "settle": Verb(
        "TransactWriteItems",
        [(_RUN, day.COMPLETED), (day.BUDGET_REF, Budget(runs=1, tokens=5))],
        lambda stores: stores.conversations.settle(day.COMPLETED, day.SETTLED),
        [(_RUN, _with(day.SETTLED, model_version="model-2"))],
    ),
    "erase": Verb(
        "BatchWriteItem",
        [(day.TITLE_REF, day.TITLE), (day.QUESTION_REF, day.QUESTION), (_CONVERSATION, day.ASKED)],
        lambda stores: stores.conversations.erase([day.TITLE_REF, day.QUESTION_REF, day.ANSWER_REF]),
    ),
    "forget": Verb(
        "DeleteItem",
        [(day.CLOSING_REF, day.MUTATION)],
        lambda stores: stores.conversations.forget(day.CLOSING_REF, day.MUTATION.expires_at),
    ),
    "laid_to_rest": Verb(
        "UpdateItem",
        [(_CONVERSATION, day.ASKED)],
        lambda stores: stores.conversations.laid_to_rest(day.ASKED),
        [(_CONVERSATION, _with(day.ASKED, revision=3))],
    ),
}

EVIDENCE_VERBS = {
    "change_project": Verb(
        "PutItem",
        [(_PROJECT, day.PROJECT)],
        lambda stores: stores.evidence.change_project(_PROJECT, day.PROJECT, day.IMPORTING),
        [
            (_PROJECT, _with(day.PROJECT, revision=2)),
            (_PROJECT, _with(day.IMPORTING, import_until=day.NOW)),
            (_PROJECT, _with(day.PROJECT, deleted_at=day.NOW)),
        ],
    ),
    "stage": Verb(
        "TransactWriteItems",
        [(_PROJECT, day.IMPORTING), (day.HEAD_REF, day.HEAD), (day.TEXT_REF, day.TEXT)],
        lambda stores: stores.evidence.stage(
            _PROJECT,
            day.IMPORTING,
            _with(day.IMPORTING, import_until=day.NOW + timedelta(minutes=9)),
            [(day.HEAD_REF, day.HEAD, day.STAGED, day.NEWER_TEXT), (day.NEW_REF, None, day.HEAD, day.TEXT)],
        ),
        [
            (_PROJECT, day.PROJECT),
            (_PROJECT, _with(day.IMPORTING, deleted_at=day.NOW)),
            (day.HEAD_REF, day.WITHDRAWN),
            (day.NEW_REF, day.STAGED),
        ],
    ),
    "publish_project": Verb(
        "TransactWriteItems",
        [(_PROJECT, day.IMPORTING)],
        lambda stores: stores.evidence.publish_project(_PROJECT, day.IMPORTING, day.REPUBLISHED, day.SNAPSHOT),
        [(_PROJECT, day.PROJECT), (_PROJECT, _with(day.IMPORTING, deleted_at=day.NOW))],
    ),
    "withdraw": Verb(
        "PutItem",
        [(day.HEAD_REF, day.HEAD), (day.TEXT_REF, day.TEXT)],
        lambda stores: stores.evidence.withdraw(day.HEAD_REF, day.HEAD, day.WITHDRAWN),
        [(day.HEAD_REF, day.STAGED), (day.HEAD_REF, _with(day.WITHDRAWN, withdrawn_at=day.OPENED.expires_at))],
    ),
    "withdraw, interrupted": Verb(
        "BatchWriteItem",
        [(day.HEAD_REF, day.WITHDRAWN), (day.TEXT_REF, day.TEXT)],
        lambda stores: stores.evidence.withdraw(day.HEAD_REF, day.WITHDRAWN, day.WITHDRAWN),
    ),
    "erase_evidence": Verb(
        "BatchWriteItem",
        [(day.HEAD_REF, day.HEAD), (day.TEXT_REF, day.TEXT)],
        lambda stores: stores.evidence.erase_evidence(day.HEAD_REF, day.HEAD),
    ),
    "claim_mutation": Verb(
        "PutItem",
        [],
        lambda stores: stores.evidence.claim_mutation(day.remembered(day.CLOSING_REF)),
        [(day.CLOSING_REF, _with(day.MUTATION, digest="another"))],
    ),
    "finish_mutation": Verb(
        "BatchWriteItem", [], lambda stores: stores.evidence.finish_mutation(day.CLOSING_REF, day.MUTATION)
    ),
    "keep": Verb(
        "BatchWriteItem",
        [],
        lambda stores: stores.evidence.keep(
            [(workspace_ref("workspace"), Workspace(name="Acme")), (_PROJECT, day.PROJECT), (day.TITLE_REF, day.TITLE)]
        ),
    ),
}

VERBS = CONVERSATION_VERBS | EVIDENCE_VERBS

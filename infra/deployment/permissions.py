"""The IAM actions of each function, as plain data: what its code calls, and nothing else.

A test runs the code and holds these against its own calls.
"""

from dataclasses import dataclass

from research.words.catalogue import OPERATIONS

Actions = frozenset[str]


@dataclass(frozen=True, slots=True)
class Permissions:
    """The actions of one function, by what they are allowed on."""

    table: Actions = frozenset()
    index: Actions = frozenset()
    queue: Actions = frozenset()
    dead_letters: Actions = frozenset()
    secret: Actions = frozenset()


READ = "dynamodb:BatchGetItem"
LIST = "dynamodb:Query"
PUT = "dynamodb:PutItem"
UPDATE = "dynamodb:UpdateItem"
DELETE = "dynamodb:DeleteItem"
BATCH = "dynamodb:BatchWriteItem"
"""A transaction has no action of its own: each of its parts is allowed as the single write that it is."""

SEND = "sqs:SendMessage"
POSTPONE = "sqs:ChangeMessageVisibility"
RECEIVE = frozenset({"sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"})
"""What Lambda itself does, under the function's role, to bring it messages."""

REVEAL = "secretsmanager:GetSecretValue"


def _on_table(*actions: str) -> Permissions:
    return Permissions(table=frozenset(actions))


_ASKING = Permissions(table=frozenset({READ, PUT, UPDATE}), queue=frozenset({SEND}))

PERMISSIONS = {
    "conversations_create": _on_table(READ, PUT),
    "conversations_get": _on_table(READ),
    "conversations_list": _on_table(READ, LIST),
    "conversations_archive": _on_table(READ, PUT),
    "conversations_delete": _on_table(READ, PUT, DELETE),
    "assistant_request": _ASKING,
    "assistant_status": _on_table(READ),
    "assistant_cancel": _on_table(READ, PUT),
    "sentiment_request": _ASKING,
    "citations_get": _on_table(READ),
    "projects_list": _on_table(READ, LIST),
    "evidence_list": _on_table(READ, LIST),
    "evidence_get": _on_table(READ),
    "sources_import": _on_table(READ, PUT),
    "sources_withdraw": _on_table(READ, PUT, UPDATE, BATCH),
    "unrouted": Permissions(),
    "generate": Permissions(
        table=frozenset({READ, PUT, UPDATE}), queue=RECEIVE | {POSTPONE}, secret=frozenset({REVEAL})
    ),
    "sweep": Permissions(
        table=frozenset({READ, LIST, PUT, UPDATE, DELETE, BATCH}), index=frozenset({LIST}), queue=frozenset({SEND})
    ),
    "dead_letters": Permissions(table=frozenset({READ, PUT}), dead_letters=RECEIVE),
}
"""By function; what one calls is what its operation does."""

_TOOLS = [PERMISSIONS[operation.name] for operation in OPERATIONS]
PERMISSIONS["mcp_endpoint"] = Permissions(
    table=frozenset().union(*(tool.table for tool in _TOOLS)),
    queue=frozenset().union(*(tool.queue for tool in _TOOLS)),
)

"""Which IAM actions the AWS calls of a function need, and on what: noted as its code makes them."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import fields

from harness.service import Service

from infra.deployment.permissions import Permissions
from infra.local.aws_faults import Call, Fault

SECRET = "team/gemini"  # noqa: S105 (its name)


class Watch:
    """A hook for `LocalAws.faults` that lets everything pass, and knows afterwards what it took."""

    def __init__(self, service: Service) -> None:
        self._table = service.environment["TABLE_NAME"]
        self._queues = {service.queues.url: "queue", service.queues.dead_letters_url: "dead_letters"}
        self._used: dict[str, set[str]] = defaultdict(set)

    def __call__(self, call: Call) -> Fault | None:
        for place, action in self._needed(call):
            self._used[place].add(action)
        return None

    def permissions(self) -> Permissions:
        """What all calls so far needed."""
        return Permissions(**{field.name: frozenset(self._used[field.name]) for field in fields(Permissions)})

    def _needed(self, call: Call) -> Iterator[tuple[str, str]]:
        if call.service == "secretsmanager":
            assert call.body["SecretId"] == SECRET
            yield "secret", f"secretsmanager:{call.action}"
        elif call.service == "sqs":
            yield self._queues[call.body["QueueUrl"]], f"sqs:{call.action}"
        elif call.action == "TransactWriteItems":
            for part in call.body["TransactItems"]:
                ((kind, write),) = part.items()
                assert write["TableName"] == self._table
                yield "table", {"ConditionCheck": "dynamodb:ConditionCheckItem"}.get(kind, f"dynamodb:{kind}Item")
        else:
            assert call.service == "dynamodb", call
            tables = call.body.get("RequestItems") or {call.body["TableName"]: None}
            assert list(tables) == [self._table]
            yield "index" if "IndexName" in call.body else "table", f"dynamodb:{call.action}"

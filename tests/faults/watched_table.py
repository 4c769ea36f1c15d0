"""A table of DynamoDB's and the stores over it, with all that a test wants to know of both."""

from typing import Any

import boto3
from botocore.config import Config

from infra.local.aws import LocalAws
from research.words.records import Ref
from tests.faults.verbs import VERBS, Stores


class Table:
    """A table, empty, the stores over it, how long these paused, and every error code they were answered with."""

    def __init__(self, aws: LocalAws, name: str) -> None:
        self.aws = aws
        self.name = name
        self.pauses: list[float] = []
        self.codes: set[str] = set()
        self.client = boto3.client("dynamodb", config=Config(retries={"mode": "standard", "total_max_attempts": 3}))
        self.client.meta.events.register("response-received.dynamodb", self._note)
        self.stores = Stores(self.client, name, self.pauses.append)
        self.erase()

    def holds(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.client.scan(TableName=self.name, ConsistentRead=True)["Items"]
        return sorted(found, key=lambda item: (item["pk"]["S"], item["sk"]["S"]))

    def prepare(self, name: str, *more: tuple[Ref[Any], Any]) -> None:
        """Nothing but what is there before the verb acts, and this."""
        self.erase()
        self.stores.evidence.keep([*VERBS[name].before, *more])
        self.pauses.clear()

    def outcome(self, name: str, *more: tuple[Ref[Any], Any]) -> list[dict[str, Any]]:
        """What the table holds after the verb has acted on a good day, set up anew for the bad one."""
        self.prepare(name, *more)
        VERBS[name].act(self.stores)
        after = self.holds()
        self.prepare(name, *more)
        return after

    def erase(self) -> None:
        for item in self.holds():
            self.client.delete_item(TableName=self.name, Key={"pk": item["pk"], "sk": item["sk"]})

    def _note(self, parsed_response: Any, **_: Any) -> None:
        self.codes.add((parsed_response or {}).get("Error", {}).get("Code", ""))

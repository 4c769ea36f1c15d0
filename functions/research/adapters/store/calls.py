"""The calls to DynamoDB: what is retried, how often, and what a cancelled transaction says.

botocore's own retries are safe here: a transaction carries one token over all its tries, and a single conditional write
that finds itself already written counts as written. Retried here is what botocore does not retry, a conflict with
another transaction (docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html) and throttling
inside a transaction, and what outlasts its few tries.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from botocore.exceptions import ClientError, HTTPClientError

from research.adapters.store.items import Item
from research.adapters.store.writes import Write
from research.operations.ports import Busy, Lost
from research.words import ids, resources
from research.words.clock import milliseconds

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

_TRIES = 8
_FIRST_PAUSE = 0.02
_LONGEST_PAUSE = 1.0

_PASSING = {
    "TransactionConflict",
    "TransactionConflictException",
    "TransactionInProgressException",
    "ThrottlingError",
    "ThrottlingException",
    "ProvisionedThroughputExceeded",
    "ProvisionedThroughputExceededException",
    "RequestLimitExceeded",
    "InternalServerError",
    "ServiceUnavailable",
}
"""Reasons and error codes that say: not now. After a server's error a write may have been made, and knows itself."""

_BATCH = 100
"""Keys in one BatchGetItem, at most."""

_WRITE_BATCH = 25
"""Requests in one BatchWriteItem, at most."""


class Calls:
    """A DynamoDB client and one table, with the retries that every call here wants. `pause` sleeps for seconds."""

    def __init__(self, client: "DynamoDBClient", table: str, pause: Callable[[float], None]) -> None:
        self.client = client
        self.table = table
        self._pause = pause

    def get(self, keys: Sequence[Item]) -> list[Item]:
        """The items that exist of these keys, in no order, read consistently.

        What a batch leaves out is asked for again. Raises Busy.
        """
        unique = list({_flat(key): key for key in keys}.values())
        batches = [unique[start : start + _BATCH] for start in range(0, len(unique), _BATCH)]
        return [item for batch in batches for item in self._batch(batch)]

    def _batch(self, pending: list[Item]) -> list[Item]:
        read: list[Item] = []
        for _ in self._tries():
            answer = self._passing(partial(self.client.batch_get_item, RequestItems=self._asked(pending)))
            if answer is not None:
                read += answer["Responses"].get(self.table, [])
                pending = answer["UnprocessedKeys"].get(self.table, {}).get("Keys", [])
            if not pending:
                return read
        raise Busy

    def write(self, write: Write) -> None:
        """One conditional write. Raises Lost, unless what stands there is what was to be written, and Busy."""
        client = self.client
        calls: Any = {"Put": client.put_item, "Update": client.update_item, "Delete": client.delete_item}
        asked: Any = {"TableName": self.table, "ReturnValuesOnConditionCheckFailure": "ALL_OLD", **write.parameters}
        try:
            self._retried(lambda: calls[write.action](**asked))
        except ClientError as error:
            if _code(error) != "ConditionalCheckFailedException":
                raise
            _ours_or_lost([write], {0: _item(error.response)})

    def transact(self, writes: Sequence[Write]) -> None:
        """All of these or none. Raises Lost, and Busy."""
        token = ids.new()
        actions: Any = [
            {
                write.action: {
                    "TableName": self.table,
                    "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
                    **write.parameters,
                }
            }
            for write in writes
        ]
        try:
            self._retried(lambda: self.client.transact_write_items(TransactItems=actions, ClientRequestToken=token))
        except ClientError as error:
            reasons = error.response.get("CancellationReasons", [])
            failed = {
                place: _item(reason)
                for place, reason in enumerate(reasons)
                if reason.get("Code") == "ConditionalCheckFailed"
            }
            if not failed:
                raise
            _ours_or_lost(writes, failed)

    def due(self, shard: str, before: datetime, limit: int) -> Iterator[list[Item]]:
        """Keys of one shard's due entries up to `before`, oldest first, in pages of `limit`. Raises Busy."""
        asked: Any = {
            "TableName": self.table,
            "IndexName": resources.DUE_INDEX,
            "KeyConditionExpression": "#shard = :shard AND #at <= :before",
            "ExpressionAttributeNames": {"#shard": resources.DUE_SHARD, "#at": resources.DUE_AT},
            "ExpressionAttributeValues": {":shard": {"S": shard}, ":before": {"N": str(milliseconds(before))}},
            "Limit": limit,
        }
        while True:
            answer = self._retried(partial(self.client.query, **asked))
            yield answer["Items"]
            if "LastEvaluatedKey" not in answer:
                return
            asked["ExclusiveStartKey"] = answer["LastEvaluatedKey"]

    def query(
        self, partition: str, prefix: str, after: str | None, limit: int, *, newest_first: bool
    ) -> tuple[list[Item], bool]:
        """Items of a partition by sort key, behind `prefix + after`, `limit` at most, and whether there may be more.

        DynamoDB ends a page at 1 MB, so that a short one is not the last. Raises Busy.
        """
        asked: dict[str, Any] = {
            "KeyConditionExpression": "#pk = :pk",
            "ExpressionAttributeNames": {"#pk": resources.PARTITION_KEY},
            "ExpressionAttributeValues": {":pk": {"S": partition}},
            "ScanIndexForward": not newest_first,
        }
        if prefix:
            asked["KeyConditionExpression"] += " AND begins_with(#sk, :prefix)"
            asked["ExpressionAttributeNames"]["#sk"] = resources.SORT_KEY
            asked["ExpressionAttributeValues"][":prefix"] = {"S": prefix}
        if after is not None:
            place = {resources.PARTITION_KEY: {"S": partition}, resources.SORT_KEY: {"S": f"{prefix}{after}"}}
            asked["ExclusiveStartKey"] = place
        query = partial(self.client.query, TableName=self.table, ConsistentRead=True, Limit=limit, **asked)
        answer = self._retried(query)
        return answer["Items"], "LastEvaluatedKey" in answer

    def delete(self, keys: Sequence[Item]) -> None:
        """Delete these items, whatever they hold."""
        self._write_all([{"DeleteRequest": {"Key": key}} for key in keys])

    def put_all(self, stored: Sequence[Item]) -> None:
        """Write these items, whatever they replace."""
        self._write_all([{"PutRequest": {"Item": item}} for item in stored])

    def _write_all(self, requests: list[Any]) -> None:
        for start in range(0, len(requests), _WRITE_BATCH):
            pending: Any = requests[start : start + _WRITE_BATCH]
            for _ in self._tries():
                answer = self._passing(partial(self.client.batch_write_item, RequestItems={self.table: pending}))
                if answer is not None:
                    pending = answer["UnprocessedItems"].get(self.table, [])
                if not pending:
                    break
            else:
                raise Busy

    def _asked(self, keys: list[Item]) -> Any:
        return {self.table: {"Keys": keys, "ConsistentRead": True}}

    def _retried(self, call: Callable[[], Any]) -> Any:
        for _ in self._tries():
            answer = self._passing(call)
            if answer is not None:
                return answer
        raise Busy

    def _passing(self, call: Callable[[], Any]) -> Any:
        """What the call returns, or None when it should be tried again."""
        try:
            return call()
        except ClientError as error:
            if not _not_now(error):
                raise
            return None
        except HTTPClientError:
            raise Busy from None  # botocore has tried three times: more would outlast a request

    def _tries(self) -> Iterator[int]:
        """Tries with a pause before each but the first: exponential, with full jitter."""
        for attempt in range(_TRIES):
            if attempt:
                ceiling = min(_LONGEST_PAUSE, _FIRST_PAUSE * 2**attempt)
                self._pause(random.uniform(0, ceiling))  # noqa: S311 (spreads load; nothing secret)
            yield attempt


def _item(holder: Any) -> Item | None:
    """The old image that DynamoDB gives back with a failed condition; None where there was no item."""
    return holder.get("Item") or None


def _ours_or_lost(writes: Sequence[Write], failed: dict[int, Item | None]) -> None:
    """Raise Lost, unless all stands exactly as it was to be: then only the reply was lost on the way."""
    if [write.action for write in writes] == ["Delete"] and failed[0] is None:
        return
    puts = [place for place, write in enumerate(writes) if {"Item", "ConditionExpression"} <= write.parameters.keys()]
    if not puts or any(failed.get(place) != writes[place].parameters["Item"] for place in puts):
        raise Lost


def _not_now(error: ClientError) -> bool:
    reasons = {reason.get("Code") for reason in error.response.get("CancellationReasons", [])}
    if "ConditionalCheckFailed" in reasons:
        return False
    return _code(error) in _PASSING or bool(reasons & _PASSING)


def _code(error: ClientError) -> str:
    return error.response.get("Error", {}).get("Code", "")


def _flat(key: Item) -> tuple[str, ...]:
    return tuple(part["S"] for part in key.values())

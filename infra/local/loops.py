"""What AWS does round the functions: delivering messages, ticking the schedule, and cleaning up by TTL."""

import logging
import threading
import time
import uuid
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from infra.local.lambda_context import LambdaContext
from research.rules.transitions import FUNCTION_TIMEOUT
from research.words import resources

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_sqs import SQSClient
    from mypy_boto3_sqs.type_defs import MessageTypeDef

Handler = Callable[[dict[str, Any], Any], Any]

_log = logging.getLogger("cited-research")


class Loop:
    """One chore, done again and again on a thread of its own until `stop`, each time `pause` seconds after it ended."""

    def __init__(self, name: str, chore: Callable[[], Any], pause: float) -> None:
        self._chore = chore
        self._pause = pause
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """Begin no more. A chore under way is left behind: what it works on goes with the process."""
        self._stopping.set()

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                self._chore()
            except Exception as error:  # noqa: BLE001 (a chore that fails is tried again, as AWS would)
                if not self._stopping.is_set():
                    _log.error("chore failed", extra={"chore": self._thread.name, "error": type(error).__name__})
            self._stopping.wait(self._pause)


def deliver(client: "SQSClient", queue_url: str, handler: Handler) -> bool:
    """Give the handler one message, as the event source mapping does. Whether there was one."""
    # No long polling: the local AWS answers one request at a time.
    received = client.receive_message(
        QueueUrl=queue_url, MaxNumberOfMessages=1, WaitTimeSeconds=0, AttributeNames=["All"]
    )
    for message in received.get("Messages", []):
        answer = invoke(handler, {"Records": [_record(message, queue_url)]}, "generate")
        failed = {failure["itemIdentifier"] for failure in answer["batchItemFailures"]}
        if message["MessageId"] not in failed:
            client.delete_message(QueueUrl=queue_url, ReceiptHandle=message["ReceiptHandle"])
    return bool(received.get("Messages"))


def invoke(handler: Handler, event: dict[str, Any], name: str) -> Any:
    """Call a handler as Lambda does an asynchronous function, with the worker's timeout."""
    deadline = time.monotonic() + FUNCTION_TIMEOUT.total_seconds()
    return handler(event, LambdaContext(name, str(uuid.uuid4()), deadline))


def clean_up(client: "DynamoDBClient", table: str, now: float) -> int:
    """Delete what the TTL attribute says is over at `now` (epoch seconds), as DynamoDB does some time later."""
    over = client.scan(
        TableName=table,
        FilterExpression="#ttl <= :now",
        ExpressionAttributeNames={"#ttl": resources.TTL_ATTRIBUTE},
        ExpressionAttributeValues={":now": {"N": str(int(now))}},
    )["Items"]
    for item in over:
        client.delete_item(TableName=table, Key=_key(item))
    return len(over)


def _key(item: Mapping[str, Any]) -> dict[str, Any]:
    return {name: item[name] for name in (resources.PARTITION_KEY, resources.SORT_KEY)}


def _record(message: "MessageTypeDef", queue_url: str) -> dict[str, Any]:
    """A message as Lambda hands it over: docs.aws.amazon.com/lambda/latest/dg/with-sqs.html."""
    name = queue_url.rpartition("/")[2]
    return {
        "messageId": message["MessageId"],
        "receiptHandle": message["ReceiptHandle"],
        "body": message["Body"],
        "attributes": message.get("Attributes", {}),
        "messageAttributes": {},
        "md5OfBody": message["MD5OfBody"],
        "eventSource": "aws:sqs",
        "eventSourceARN": f"arn:aws:sqs:us-east-1:000000000000:{name}",
        "awsRegion": "us-east-1",
    }

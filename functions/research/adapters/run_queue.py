"""The queue in SQS. A message says which run to generate, in ids."""

import json
import logging
import math
from collections.abc import Callable
from datetime import timedelta
from functools import cached_property
from typing import TYPE_CHECKING

from botocore.exceptions import BotoCoreError, ClientError

from research.operations.ports import Delivery

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient

_log = logging.getLogger("cited-research")


class SqsRunQueue:
    """`operations.ports.RunQueue` over one queue. `connect` makes the client at its first use: few functions use it."""

    def __init__(self, connect: Callable[[], "SQSClient"], url: str) -> None:
        self._connect = connect
        self._url = url

    @cached_property
    def _client(self) -> "SQSClient":
        return self._connect()

    def send(self, delivery: Delivery) -> None:
        """Ask for a delivery. A failure is only logged: the run is due, and the sweep sends again."""
        body = json.dumps({"conversation_id": delivery.conversation_id, "run_id": delivery.run_id})
        try:
            self._client.send_message(QueueUrl=self._url, MessageBody=body)
        except (BotoCoreError, ClientError) as error:
            _log.warning("send failed", extra={"run_id": delivery.run_id, "error": type(error).__name__})

    def postpone(self, receipt_handle: str, wait: timedelta) -> None:
        """Hide a received message for this long from now. A failure is only logged: it comes back later instead."""
        try:
            self._client.change_message_visibility(
                QueueUrl=self._url, ReceiptHandle=receipt_handle, VisibilityTimeout=math.ceil(wait.total_seconds())
            )
        except (BotoCoreError, ClientError) as error:
            _log.warning("postpone failed", extra={"error": type(error).__name__})

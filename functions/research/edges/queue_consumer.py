"""SQS: a batch of messages in, a generation for each, the ones to come again out (partial batch response)."""

import json
import logging
from datetime import timedelta
from typing import Any

from aws_lambda_powertools.utilities.batch import BatchProcessor, EventType, process_partial_response
from aws_lambda_powertools.utilities.data_classes.sqs_event import SQSRecord

from research.adapters.run_queue import SqsRunQueue
from research.operations.generation import Generation
from research.operations.ports import Delivery

_log = logging.getLogger("cited-research")


class _NotYetError(Exception):
    """Tells the batch processor that this message is to be delivered again."""


class Consumer:
    """The Lambda handler of the queue."""

    def __init__(self, generation: Generation, queue: SqsRunQueue) -> None:
        self._generation = generation
        self._queue = queue

    def __call__(self, event: dict[str, Any], context: Any) -> Any:
        """Work through the batch; what is named in `batchItemFailures` comes again."""
        return process_partial_response(
            event=event,
            record_handler=self._consume,
            processor=BatchProcessor(event_type=EventType.SQS, raise_on_entire_batch_failure=False),
            context=context,
        )

    def _consume(self, record: SQSRecord, lambda_context: Any) -> None:
        delivery = _delivery(record.body)
        if delivery is None:
            _log.error("unreadable message", extra={"message_id": record.message_id})
            return
        remaining = timedelta(milliseconds=lambda_context.get_remaining_time_in_millis())
        wait = self._generation.deliver(delivery, remaining)
        if wait is not None:
            self._queue.postpone(record.receipt_handle, wait)
            raise _NotYetError


def _delivery(body: str) -> Delivery | None:
    """The ids of a message of ours; None for anything else, which would fail as often as it came."""
    try:
        message = json.loads(body)
        return Delivery(str(message["conversation_id"]), str(message["run_id"]))
    except (ValueError, KeyError, TypeError, RecursionError):
        return None

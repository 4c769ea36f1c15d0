"""SQS: a batch of messages in, what each asks for done, the ones to come again out (partial batch response)."""

import json
import logging
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from aws_lambda_powertools.utilities.batch import BatchProcessor, EventType, process_partial_response
from aws_lambda_powertools.utilities.data_classes.sqs_event import SQSRecord

from research.adapters.run_queue import SqsRunQueue
from research.operations.dead_letters import DeadLetters
from research.operations.generation import Generation
from research.operations.ports import Delivery

_log = logging.getLogger("cited-research")


class _NotYetError(Exception):
    """Tells the batch processor that this message is to be delivered again."""


class Consumer:
    """The Lambda handler of the queue of accepted runs."""

    def __init__(self, generation: Generation, queue: SqsRunQueue) -> None:
        self._generation = generation
        self._queue = queue

    def __call__(self, event: dict[str, Any], context: Any) -> Any:
        """Generate for each message of the batch; what is named in `batchItemFailures` comes again."""
        return _each(event, context, self._consume)

    def _consume(self, record: SQSRecord, lambda_context: Any) -> None:
        delivery = _delivery(record)
        if delivery is None:
            return
        remaining = timedelta(milliseconds=lambda_context.get_remaining_time_in_millis())
        wait = self._generation.deliver(delivery, remaining)
        if wait is not None:
            self._queue.postpone(record.receipt_handle, wait)
            raise _NotYetError


class DeadLetterConsumer:
    """The Lambda handler of the dead-letter queue."""

    def __init__(self, dead_letters: DeadLetters) -> None:
        self._dead_letters = dead_letters

    def __call__(self, event: dict[str, Any], context: Any) -> Any:
        """End the run of each message of the batch."""
        return _each(event, context, self._consume)

    def _consume(self, record: SQSRecord) -> None:
        delivery = _delivery(record)
        if delivery is not None:
            _log.error("dead letter", extra={"run_id": delivery.run_id})
            self._dead_letters.end(delivery)


def _each(event: dict[str, Any], context: Any, consume: Callable[..., None]) -> Any:
    processor = BatchProcessor(event_type=EventType.SQS, raise_on_entire_batch_failure=False)
    return process_partial_response(event=event, record_handler=consume, processor=processor, context=context)


def _delivery(record: SQSRecord) -> Delivery | None:
    """The ids of a message of ours; None for anything else, which is set aside with a line: it would fail for ever."""
    try:
        message = json.loads(record.body)
        return Delivery(str(message["conversation_id"]), str(message["run_id"]))
    except (ValueError, KeyError, TypeError, RecursionError):
        _log.error("unreadable message", extra={"message_id": record.message_id})
        return None

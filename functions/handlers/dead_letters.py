"""Lambda: the messages that were set aside."""

from research.edges.queue_consumer import DeadLetterConsumer
from research.wiring import Wiring

handler = DeadLetterConsumer(Wiring().dead_letters())

"""Lambda: the queue of accepted runs."""

from research.edges.queue_consumer import Consumer
from research.wiring import Wiring

wiring = Wiring()
handler = Consumer(wiring.generation(), wiring.queue)

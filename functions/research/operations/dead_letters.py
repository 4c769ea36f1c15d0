"""The end of a run whose message was set aside: delivered again and again, and never done. The run must not wait."""

from research.operations import audit
from research.operations.ports import Delivery, Lost, Store
from research.rules import transitions
from research.words import records
from research.words.clock import Clock


class DeadLetters:
    """The use case behind the dead-letter queue. A message here never means that nothing was generated."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    def end(self, delivery: Delivery) -> None:
        """End the run, unless it has ended, a worker holds it or its call was started: then the sweep sees to it."""
        run = self._store.fetch(ref := records.run(delivery.conversation_id, delivery.run_id))[ref]
        ended = transitions.give_up(run, self._clock()) if run else None
        if run is None or ended is None:
            return
        try:
            self._store.advance(run, ended)
        except Lost:
            return  # it has gone on since it was read
        audit.step(run, ended)

"""Generating the answer of one accepted run: claim, look again, ask once, verify, publish.

A delivery may come twice, late, or for a run that has ended: the run's stage decides, not the message.
"""

import time
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import TypeVar

from research.operations import audit
from research.operations.material import Material, gather
from research.operations.ports import Busy, Delivery, Lost, Store
from research.operations.provider import NotGenerated, Provider, Reply, Unconfirmed, Unusable
from research.rules import answers, prompt, transitions
from research.words import ids, records
from research.words.clock import Clock
from research.words.contract import FailureCode
from research.words.records import Run, StoredAnswer

T = TypeVar("T")


class Generation:
    """The worker's one use case."""

    def __init__(
        self,
        store: Store,
        provider: Provider | None,
        clock: Clock,
        backoff: transitions.Backoff,
        new_id: Callable[[], str] = ids.new,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        self._store = store
        self._provider = provider
        self._clock = clock
        self._backoff = backoff
        self._new_id = new_id
        self._pause = pause

    def deliver(self, delivery: Delivery, remaining: timedelta) -> timedelta | None:
        """Take the run as far as it goes in the `remaining` time.

        None when the message has done its work; otherwise how long to wait before it is delivered again.
        """
        ends = self._clock() + remaining
        if self._too_late(ends):
            return transitions.NO_WAIT
        run = self._store.fetch(ref := records.run(delivery.conversation_id, delivery.run_id))[ref]
        if run is None:
            return None
        if wait := transitions.waits(run, self._clock()):
            return wait
        claimed = self._advanced(run, transitions.claim(run, self._new_id(), self._clock()))
        return self._attempt(claimed, ends) if claimed else None

    def _attempt(self, run: Run, ends: datetime) -> timedelta | None:
        """Everything looked at once more, then the one call."""
        if self._provider is None:
            self._fail(run, "not_configured")
            return None
        material = gather(self._store, run, self._clock())
        if not isinstance(material, Material):
            self._fail(run, material)
            return None
        if self._too_late(ends):
            return self._released(run, transitions.NO_WAIT, attempted=False)
        started = self._advanced(run, transitions.start(run, self._provider.model_id, self._clock()))
        return self._generate(started, material, self._provider, ends) if started else None

    def _too_late(self, ends: datetime) -> bool:
        """Whether a call that begins now could outlast the worker."""
        return self._clock() + transitions.CALL_DEADLINE + transitions.CLOSING_TIME > ends

    def _generate(self, run: Run, material: Material, provider: Provider, ends: datetime) -> timedelta | None:
        try:
            reply = provider.generate(_prompt(run, material), transitions.CALL_DEADLINE.total_seconds())
        except Unusable as unusable:
            self._end(run, unusable.code, ends, unusable.tokens, unusable.model_version)
        except Unconfirmed as unconfirmed:
            self._end(run, unconfirmed.code, ends)
        except NotGenerated as refusal:
            return self._refused(run, refusal, ends)
        else:
            self._answer(run, material, reply, ends)
        return None

    def _refused(self, run: Run, refusal: NotGenerated, ends: datetime) -> timedelta | None:
        """Nothing was generated: back to the queue, or to its end when it is refused for good or for the fifth time."""
        attempts = run.attempts + 1
        if not refusal.retryable or attempts >= transitions.MAX_ATTEMPTS:
            self._end(run, refusal.code, ends)
            return None
        wait = self._backoff.wait(attempts, refusal.retry_after)
        return self._insisting(lambda: self._released(run, wait, attempted=True), ends)

    def _answer(self, run: Run, material: Material, reply: Reply, ends: datetime) -> None:
        """Publish what holds of the reply; nothing is kept of one that does not."""
        try:
            verified = answers.verify(
                reply.text,
                kind=run.request_kind,
                context=material.conversation.context.evidence,
                sources=material.sources,
                question=material.question,
                language=material.conversation.language,
            )
        except answers.InvalidOutput:
            self._end(run, "invalid_output", ends, reply.tokens, reply.model_version)
            return
        now = self._clock()
        stored = StoredAnswer(answer=verified.answer, citations=verified.citations, created_at=now)
        completed = transitions.finish(run, reply.model_version, reply.tokens, now)
        try:
            self._insisting(lambda: self._store.publish(run, completed, stored, self._clock()), ends)
        except Lost:  # the conversation has expired, or the run has ended: then the end below is lost too
            self._end(run, "expired", ends, reply.tokens, reply.model_version)
            return
        audit.step(run, completed)
        self._settle(completed)

    def _end(
        self, run: Run, code: FailureCode, ends: datetime, tokens: int = 0, model_version: str | None = None
    ) -> None:
        """Fail a run whose call is over. What it cost is counted even if somebody else has ended the run meanwhile."""
        failed = transitions.fail(run, code, self._clock(), tokens=tokens, model_version=model_version)
        ended = self._insisting(lambda: self._advanced(run, failed), ends)
        if ended is None:
            ended = self._insisting(lambda: self._accounted(run, tokens), ends)
        if ended and ended.unsettled:
            self._settle(ended)

    def _accounted(self, run: Run, tokens: int) -> Run | None:
        ended = self._store.fetch(ref := records.run(run.conversation_id, run.id))[ref]
        return self._advanced(ended, transitions.account(run, ended, tokens, self._clock())) if ended else None

    def _insisting(self, write: Callable[[], T], ends: datetime) -> T:
        """A write after the call, tried until the worker's time is up: a bad minute must not cost what was paid for."""
        while True:
            try:
                return write()
            except Busy:
                if self._clock() + transitions.INSISTING >= ends:
                    raise
            self._pause(transitions.INSISTING.total_seconds())

    def _fail(self, run: Run, code: FailureCode) -> None:
        self._advanced(run, transitions.fail(run, code, self._clock()))

    def _released(self, run: Run, wait: timedelta, *, attempted: bool) -> timedelta | None:
        released = self._advanced(run, transitions.release(run, wait, self._clock(), attempted=attempted))
        return wait if released else None

    def _settle(self, run: Run) -> None:
        """Bring the tokens to the budget. The sweep does it if this cannot."""
        try:
            self._store.settle(run, transitions.settle(run))
        except (Lost, Busy):
            return

    def _advanced(self, before: Run, after: Run | None) -> Run | None:
        """The run after a transition that is allowed and that nobody got ahead of."""
        if after is None:
            return None
        try:
            self._store.advance(before, after)
        except Lost:
            return None
        audit.step(before, after)
        return after


def _prompt(run: Run, material: Material) -> prompt.Prompt:
    return prompt.write(
        kind=run.request_kind,
        question=material.question,
        language=material.conversation.language,
        sources=material.sources,
        history=material.history,
        seal=run.id,
    )

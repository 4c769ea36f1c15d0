"""Generating the answer of one accepted run: claim, look again, ask once, verify, publish.

A delivery may come twice, late, or for a run that has ended: the run's stage decides, not the message.
"""

from collections.abc import Callable
from datetime import timedelta

from research.operations import audit
from research.operations.material import Material, gather
from research.operations.ports import Busy, Delivery, Lost, Store
from research.operations.provider import NotGenerated, Provider, Reply, Unconfirmed, Unusable
from research.rules import answers, prompt, transitions
from research.words import ids, records
from research.words.clock import Clock
from research.words.contract import FailureCode
from research.words.records import Run, StoredAnswer


class Generation:
    """The worker's one use case."""

    def __init__(
        self,
        store: Store,
        provider: Provider | None,
        clock: Clock,
        backoff: transitions.Backoff,
        new_id: Callable[[], str] = ids.new,
    ) -> None:
        self._store = store
        self._provider = provider
        self._clock = clock
        self._backoff = backoff
        self._new_id = new_id

    def deliver(self, delivery: Delivery, remaining: timedelta) -> timedelta | None:
        """Take the run as far as it goes in the `remaining` time.

        None when the message has done its work; otherwise how long to wait before it is delivered again.
        """
        if remaining < transitions.CALL_DEADLINE + transitions.CLOSING_TIME:
            return timedelta()
        run = self._claimed(delivery)
        if run is None:
            return None
        if self._provider is None:
            self._fail(run, "not_configured")
            return None
        material = gather(self._store, run, self._clock())
        if not isinstance(material, Material):
            self._fail(run, material)
            return None
        started = self._advanced(run, transitions.start(run, self._provider.model_id, self._clock()))
        return self._generate(started, material, self._provider) if started else None

    def _claimed(self, delivery: Delivery) -> Run | None:
        run = self._store.fetch(ref := records.run(delivery.conversation_id, delivery.run_id))[ref]
        return self._advanced(run, transitions.claim(run, self._new_id(), self._clock())) if run else None

    def _generate(self, run: Run, material: Material, provider: Provider) -> timedelta | None:
        try:
            reply = provider.generate(_prompt(run, material), transitions.CALL_DEADLINE.total_seconds())
        except Unusable as unusable:
            self._fail(run, unusable.code, unusable.tokens, unusable.model_version)
        except Unconfirmed as unconfirmed:
            self._fail(run, unconfirmed.code)
        except NotGenerated as refusal:
            return self._refused(run, refusal)
        else:
            self._answer(run, material, reply)
        return None

    def _refused(self, run: Run, refusal: NotGenerated) -> timedelta | None:
        """Nothing was generated: back to the queue, or to its end when it is refused for good or for the fifth time."""
        attempts = run.attempts + 1
        if not refusal.retryable or attempts >= transitions.MAX_ATTEMPTS:
            self._fail(run, refusal.code)
            return None
        wait = self._backoff.wait(attempts, refusal.retry_after)
        released = self._advanced(run, transitions.release(run, wait, self._clock(), attempted=True))
        return wait if released else None

    def _answer(self, run: Run, material: Material, reply: Reply) -> None:
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
            self._fail(run, "invalid_output", reply.tokens, reply.model_version)
            return
        now = self._clock()
        stored = StoredAnswer(answer=verified.answer, citations=verified.citations, created_at=now)
        completed = transitions.finish(run, reply.model_version, reply.tokens, now)
        try:
            self._store.publish(run, completed, stored, now)
        except Lost:
            self._fail(
                run, "expired", reply.tokens, reply.model_version
            )  # or it has ended already: then this loses too
            return
        audit.step(run, completed)
        self._settle(completed)

    def _fail(self, run: Run, code: FailureCode, tokens: int = 0, model_version: str | None = None) -> None:
        failed = transitions.fail(run, code, self._clock(), tokens=tokens, model_version=model_version)
        if self._advanced(run, failed) and failed.unsettled:
            self._settle(failed)

    def _settle(self, run: Run) -> None:
        """Bring the tokens to the budget. The sweep does it if this cannot."""
        try:
            if run.unsettled:
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

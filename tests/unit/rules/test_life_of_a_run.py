"""Any order of steps by any number of workers and sweeps, late ones included, keeps what is promised of a run."""

from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, rule

from research.rules import transitions
from research.words.records import Run

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
QUEUED = Run(
    id="run",
    workspace_id="workspace",
    conversation_id="conversation",
    principal_id="principal",
    mutation_id="mutation",
    conversation_revision=2,
    generation=1,
    request_kind="question",
    status="queued",
    created_at=NOW,
    expires_at=NOW + timedelta(hours=24),
    due_at=NOW + transitions.PICK_UP,
)


class Life(RuleBasedStateMachine):
    """One stored run, and workers and sweeps acting on it as they once read it: a write counts at that stage alone."""

    holders = Bundle("holders")
    callers = Bundle("callers")

    def __init__(self) -> None:
        super().__init__()
        self.run = QUEUED
        self.now = NOW
        self.seen = [QUEUED]
        self.unproven_calls = 0
        self.refusals = 0
        self.settled = 0

    def write(self, before: Run, after: Run | None) -> bool:
        """What the store does: replace the run if it still is at the stage that the transition saw."""
        if after is None or self.run.stage != before.stage:
            return False
        if self.run.status in ("completed", "failed", "expired", "cancelled"):
            assert after == transitions.settle(self.run)
        assert after.fence >= self.run.fence
        self.run = after
        self.seen.append(after)
        return True

    @rule(minutes=st.integers(0, 5) | st.just(600))
    def time_passes(self, minutes: int) -> None:
        self.now += timedelta(minutes=minutes)

    @rule(target=holders, data=st.data())
    def a_delivery_claims_what_it_read(self, data: st.DataObject) -> Run | None:
        before = data.draw(st.sampled_from(self.seen))
        after = transitions.claim(before, f"worker {len(self.seen)}", self.now)
        return after if self.write(before, after) else None

    @rule(target=callers, held=consumes(holders))
    def a_holder_starts_its_call(self, held: Run | None) -> Run | None:
        after = transitions.start(held, "model", self.now) if held else None
        if held is None or not self.write(held, after):
            return None
        self.unproven_calls += 1
        return after

    @rule(called=consumes(callers))
    def a_call_is_refused(self, called: Run | None) -> None:
        if called and self.write(called, transitions.release(called, timedelta(), self.now, attempted=True)):
            self.unproven_calls -= 1
            self.refusals += 1

    @rule(called=consumes(callers), tokens=st.integers(0, 9), answered=st.booleans())
    def a_call_ends(self, called: Run | None, tokens: int, answered: bool) -> None:
        if called is None:
            return
        finished = transitions.finish(called, None, tokens, self.now)
        failed = transitions.fail(called, "invalid_output", self.now, tokens=tokens)
        self.write(called, finished if answered else failed)

    @rule(data=st.data(), code=st.sampled_from(["expired", "cancelled", "generation_unconfirmed"]))
    def a_sweep_or_its_owner_ends_it(self, data: st.DataObject, code: Any) -> None:
        before = data.draw(st.sampled_from(self.seen))
        if transitions.is_open(before):
            self.write(before, transitions.fail(before, code, self.now))

    @rule(data=st.data())
    def a_sweep_releases_or_settles_what_it_read(self, data: st.DataObject) -> None:
        before = data.draw(st.sampled_from(self.seen))
        if before.unsettled:
            self.settled += self.write(before, transitions.settle(before))
        elif before.status == "processing" and before.call_started_at is None:
            self.write(before, transitions.release(before, timedelta(), self.now, attempted=False))

    @invariant()
    def at_most_one_call_may_have_generated(self) -> None:
        assert self.unproven_calls <= 1

    @invariant()
    def every_refusal_is_counted_and_tokens_are_settled_once(self) -> None:
        assert self.run.attempts == self.refusals
        assert self.settled <= 1

    @invariant()
    def the_sweep_will_look_at_it_exactly_while_something_is_left_to_do(self) -> None:
        left = transitions.is_open(self.run) or self.run.unsettled is not None
        assert (self.run.due_at is not None) == left


TestLife = Life.TestCase
TestLife.settings = settings(max_examples=60, stateful_step_count=40)

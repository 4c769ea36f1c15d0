"""A random life of the service against a small model of it: what clients saw promised is what there is."""

import logging
from contextlib import suppress
from typing import Any, ClassVar

from harness.service import new_id
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from infra.local.aws import LocalAws
from infra.local.aws_faults import SERVER_ERROR, THROTTLED, Call, Fault, LoseReply, LoseRequest
from research.operations.ports import Delivery
from research.rules import transitions
from research.words import records
from research.words.records import Member
from tests.faults import boundaries
from tests.faults.boundaries import Schedule
from tests.faults.world import Death, World

ACTIONS = ("PutItem", "TransactWriteItems", "BatchGetItem", "SendMessage", "DeleteMessage", "UpdateItem")
SMALL = st.integers(0, 6)
WHICH = st.integers(0, 20)


class Told:
    """What a client was told of a conversation, and may therefore rely on."""

    def __init__(self, conversation: Any) -> None:
        self.conversation = conversation
        self.accepted: dict[str, str] = {}
        """Run by mutation."""


class Life(RuleBasedStateMachine):
    """One workspace for some days: clients, workers, sweeps and accidents in any order."""

    aws: ClassVar[LocalAws]
    lives: ClassVar[int] = 0
    steps: ClassVar[int] = 0
    generations: ClassVar[int] = 0

    def __init__(self) -> None:
        super().__init__()
        logging.disable(logging.CRITICAL)
        self.pauses = boundaries.no_waiting()
        self.pauses.__enter__()
        self.world = World(self.aws)
        self.told: list[Told] = []
        self.asked: list[tuple[Told, Any]] = []

    @initialize()
    def begin(self) -> None:
        """Two conversations with a question each: hypothesis often leaves whole rules out of a life."""
        for _ in range(2):
            self.create()
            self.request(-1, 0)

    @rule()
    def create(self) -> None:
        answer = self.world.service.create()
        if answer.status == 200:
            self.told.append(Told(answer.body["conversation"]))
        else:
            assert answer.code in ("role_required", "source_unavailable")

    @rule(which=WHICH, behind=st.integers(0, 1))
    def request(self, which: int, behind: int) -> None:
        """A question at the conversation's revision, or at the one before."""
        told = self.told[which % len(self.told)]
        read = self.world.service.get(told.conversation["id"])
        revision = max(1, read.body["conversation"]["revision"] - behind) if read.status == 200 else 1
        body = self.world.asking({"id": told.conversation["id"], "revision": revision})
        answer = self.world.service.send("assistant_request", body)
        assert answer.status in (200, 403, 404, 409)
        if answer.status == 200 and answer.body["run"]["status"] == "queued":
            told.accepted[body["mutation_id"]] = answer.body["run"]["id"]
        self.asked.append((told, body))

    @rule(which=WHICH)
    def replay(self, which: int) -> None:
        """Sent again it is the same run, whatever has become of it."""
        told, body = self._question(which)
        answer = self.world.service.send("assistant_request", body)
        if answer.status != 200:
            return
        run, mutation = answer.body["run"], body["mutation_id"]
        if mutation in told.accepted:
            assert (run["id"], answer.replayed) == (told.accepted[mutation], True)
        elif run["status"] == "queued":
            told.accepted[mutation] = run["id"]

    def _question(self, which: int) -> tuple[Told, Any]:
        return self.asked[which % len(self.asked)]

    @rule()
    def deliver(self) -> None:
        self.world.deliver()

    @rule(which=WHICH)
    def deliver_twice(self, which: int) -> None:
        told, body = self._question(which)
        if run_id := told.accepted.get(body["mutation_id"]):
            delivery = Delivery(told.conversation["id"], run_id)
            for _ in range(2):
                self.world.service.generation.deliver(delivery, transitions.FUNCTION_TIMEOUT)

    @rule(place=SMALL, after=st.booleans())
    def crash(self, place: int, *, after: bool) -> None:
        """The worker dies at one of its calls."""
        fault = f"process died {'after' if after else 'before'}"
        try:
            with boundaries.dying(self.world, Schedule("", place, "", fault)):
                self.world.deliver()
        except Death:
            self.world.replies.clear()
            self.world.restart()

    @rule(spent=st.booleans())
    def crash_at_the_model(self, *, spent: bool) -> None:
        def die(prompt: Any) -> Any:
            if spent:
                self.world.spend_in_vain(prompt)
            raise Death

        self.world.at_the_model.append(die)
        try:
            self.world.deliver()
        except Death:
            self.world.restart()
        self.world.at_the_model.clear()

    @rule(place=SMALL, action=st.sampled_from(ACTIONS), fault=st.sampled_from(
        [THROTTLED, SERVER_ERROR, LoseReply(), LoseReply(status=500), LoseRequest()]
    ), sweeps=st.booleans())  # fmt: skip
    def stumble(self, place: int, action: str, fault: Fault, *, sweeps: bool) -> None:
        """A call of the worker or of the sweep meets a fault."""
        seen = iter(range(10**6))

        def fault_for(call: Call) -> Fault | None:
            return fault if call.action == action and next(seen) == place // 2 else None

        # A failed invocation is the queue's or the next sweep's to repeat.
        with self.world.aws.faults(fault_for), suppress(Exception):
            self.world.sweep() if sweeps else self.world.deliver()

    @rule(seconds=st.sampled_from([1, 31, 61, 151, 181, 900, 9 * 3600]))
    def time_passes(self, seconds: int) -> None:
        self.world.service.time.pass_(seconds=seconds)

    @rule()
    def sweep(self) -> None:
        self.world.sweep()

    @rule(which=WHICH, during=st.booleans())
    def cancel(self, which: int, *, during: bool) -> None:
        """Now, or while whichever run is delivered next is being answered."""
        told, body = self._question(which)
        run_id = told.accepted.get(body["mutation_id"])
        if run_id is None:
            return
        sent = self.world.cancelling({"conversation_id": told.conversation["id"], "id": run_id})

        def answering(prompt: Any) -> Any:
            self.world.service.send("assistant_cancel", sent)
            return self.world.answer(prompt)

        if during:
            self.world.at_the_model.append(answering)
            self.world.deliver()
            self.world.at_the_model.clear()
        else:
            answer = self.world.service.send("assistant_cancel", sent)
            assert answer.status in (200, 403, 404)
            assert answer.status != 200 or answer.body["run"]["status"] not in ("queued", "processing")

    @rule(which=WHICH)
    def archive(self, which: int) -> None:
        told = self.told[which % len(self.told)]
        read = self.world.service.get(told.conversation["id"])
        if read.status == 200:
            names = {"workspace_id": self.world.service.workspace_id, "conversation_id": told.conversation["id"]}
            body = {**names, "mutation_id": new_id(), "expected_revision": read.body["conversation"]["revision"]}
            self.world.service.send("conversations_archive", body)

    @rule(which=WHICH)
    def delete(self, which: int) -> None:
        told = self.told[which % len(self.told)]
        names = {"workspace_id": self.world.service.workspace_id, "conversation_id": told.conversation["id"]}
        answer = self.world.service.send("conversations_delete", {**names, "mutation_id": new_id()})
        assert answer.status in (200, 403, 404)

    @rule(role=st.sampled_from(["owner", "viewer"]))
    def revoke_or_restore(self, role: Any) -> None:
        service = self.world.service
        member = Member(role=role, capabilities=("agent:research",))
        service.put(records.member(service.workspace_id, service.principal_id), member)

    @rule(place=st.integers(0, 2))
    def withdraw(self, place: int) -> None:
        service = self.world.service
        name = service.published.evidence[place].evidence_id
        ref = records.evidence(service.workspace_id, service.project_id, name)
        head = service.store.fetch(ref)[ref]
        if head is not None and head.withdrawn_at is None:
            service.evidence.withdraw(ref, head, head.withdrawn(service.time.now))

    @rule(which=WHICH)
    def set_aside(self, which: int) -> None:
        told, body = self._question(which)
        if run_id := told.accepted.get(body["mutation_id"]):
            self.world.service.wiring.dead_letters().end(Delivery(told.conversation["id"], run_id))

    @invariant()
    def nothing_is_generated_twice(self) -> None:
        type(self).steps += 1
        assert max(self.world.generated.values(), default=0) <= 1

    def teardown(self) -> None:
        try:
            self.world.at_the_model.clear()
            self.world.recover()
            assert self.world.faults() == {}
            self._as_told()
            assert self.world.past_the_day() == 0
            type(self).lives += 1
            type(self).generations += sum(self.world.generated.values())
        finally:
            self.world.forget()
            self.pauses.__exit__(None, None, None)
            logging.disable(logging.NOTSET)

    def _as_told(self) -> None:
        """Every run that a client was told is accepted is there, once, and has ended."""
        for told in self.told:
            ref = records.conversation(told.conversation["id"])
            head = self.world.service.store.fetch(ref)[ref]
            assert head is None or {entry.run_id for entry in head.runs} == set(told.accepted.values())

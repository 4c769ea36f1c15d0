"""Every step of the service's life: what is there before it, and what it does. Each is interrupted at every call."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from harness.service import TEXTS, new_id

from research.operations.provider import NotGenerated, Unusable
from research.rules import transitions
from research.words import records
from research.words.records import Member, Run
from tests.faults.world import LONG_ENOUGH, World


@dataclass(frozen=True, slots=True)
class Step:
    """`prepare` makes what the step needs; `act` is the step, interrupted."""

    prepare: Callable[[World], Any]
    act: Callable[[World, Any], Any]


def _nothing(_world: World) -> None:
    return None


def _asked(world: World) -> Any:
    return world.asked()


def _answered(world: World) -> Any:
    run = world.asked()
    world.deliver()
    return run


def _lost_message(world: World) -> Any:
    """A queued run whose message nobody has."""
    run = world.asked()
    queue = world.service.queues.url
    (received,) = world.service.sqs.receive_message(QueueUrl=queue)["Messages"]
    world.service.sqs.delete_message(QueueUrl=queue, ReceiptHandle=received["ReceiptHandle"])
    world.service.time.now += transitions.PICK_UP
    return run


def _left(world: World, *, started: bool) -> Any:
    """A run whose worker died, before its call or in it."""
    run = _lost_message(world)
    before = stored(world, run)
    claimed = transitions.claim(before, "gone", world.service.time.now)
    assert claimed is not None
    world.service.store.advance(before, claimed)
    called = transitions.start(claimed, "scripted", world.service.time.now)
    if started and called is not None:
        world.service.store.advance(claimed, called)
    world.service.time.now += LONG_ENOUGH
    return run


def _unsettled(world: World) -> Any:
    settle = world.service.store.settle
    world.service.store.settle = lambda *_: None  # type: ignore[method-assign]
    run = _answered(world)
    world.service.store.settle = settle  # type: ignore[method-assign]
    world.service.time.now += transitions.SETTLING
    return run


def _over(world: World) -> Any:
    run = _answered(world)
    world.service.time.pass_(hours=24)
    return run


def _dead_letter(world: World) -> Any:
    run = _lost_message(world)
    world.service.sqs.send_message(
        QueueUrl=world.service.queues.dead_letters_url,
        MessageBody=f'{{"conversation_id": "{run["conversation_id"]}", "run_id": "{run["id"]}"}}',
    )
    return run


def _editing(world: World) -> Any:
    """The owner may change sources; evidence of another project, so that no answer rests on it."""
    service = world.service
    member = Member(role="owner", capabilities=("agent:research", "agent:sources"))
    service.put(records.member(service.workspace_id, service.principal_id), member)
    return {"workspace_id": service.workspace_id, "project_id": service.project_id, "mutation_id": new_id()}


def _withdrawing(world: World) -> Any:
    return _editing(world) | {"evidence_ids": [pinned.evidence_id for pinned in world.service.published.evidence[1:]]}


def _importing(world: World) -> Any:
    return _editing(world) | {"sources": [{"text": text, "id": f"n{n}"} for n, text in enumerate(TEXTS)]}


def _requesting(world: World) -> Any:
    return world.asking(world.conversation())


def _replayed(world: World) -> Any:
    body = _requesting(world)
    world.call("assistant_request", body)
    return body


def _archiving(world: World) -> Any:
    run = _answered(world)
    names = {"workspace_id": world.service.workspace_id, "conversation_id": run["conversation_id"]}
    return {**names, "mutation_id": new_id(), "expected_revision": 3}


def _deleting(world: World) -> Any:
    run = world.asked()
    names = {"workspace_id": world.service.workspace_id, "conversation_id": run["conversation_id"]}
    return {**names, "mutation_id": new_id()}


def _while_generating(operation: str, body: Callable[[World, Any], Any]) -> Callable[[World, Any], Any]:
    """A delivery during whose call the owner does this."""

    def act(world: World, run: Any) -> None:
        def answering(prompt: Any) -> Any:
            world.call(operation, body(world, run))
            return world.answer(prompt)

        world.at_the_model.append(answering)
        world.deliver()

    return act


def _ending_with(error: Exception, *, paid: bool) -> Callable[[World, Any], Any]:
    def act(world: World, _run: Any) -> None:
        def failing(prompt: Any) -> Any:
            if paid:
                world.spend_in_vain(prompt)
            raise error

        world.at_the_model.append(failing)
        world.deliver()

    return act


def _calls(operation: str) -> Callable[[World, Any], Any]:
    return lambda world, body: world.call(operation, body)


def _sweeps(world: World, _prepared: Any) -> Any:
    return world.sweep()


def _deliver(world: World, _prepared: Any) -> Any:
    return world.deliver()


def _deletion(world: World, run: Any) -> Any:
    names = {"workspace_id": world.service.workspace_id, "conversation_id": run["conversation_id"]}
    return {**names, "mutation_id": new_id()}


STEPS: dict[str, Step] = {
    "create": Step(lambda world: world.service.creation(), _calls("conversations_create")),
    "request": Step(_requesting, _calls("assistant_request")),
    "request, again": Step(_replayed, _calls("assistant_request")),
    "deliver": Step(_asked, _deliver),
    "deliver, refused": Step(
        _asked, _ending_with(NotGenerated("provider_unavailable", retryable=True, retry_after=3), paid=False)
    ),
    "deliver, unusable": Step(_asked, _ending_with(Unusable(70, None, "blocked"), paid=True)),
    "cancel": Step(lambda world: world.cancelling(world.asked()), _calls("assistant_cancel")),
    "cancel, generating": Step(_asked, _while_generating("assistant_cancel", lambda world, run: world.cancelling(run))),
    "archive": Step(_archiving, _calls("conversations_archive")),
    "delete": Step(_deleting, _calls("conversations_delete")),
    "delete, generating": Step(_asked, _while_generating("conversations_delete", _deletion)),
    "sweep, lost message": Step(_lost_message, _sweeps),
    "sweep, dead worker": Step(lambda world: _left(world, started=False), _sweeps),
    "sweep, dead in its call": Step(lambda world: _left(world, started=True), _sweeps),
    "sweep, unsettled": Step(_unsettled, _sweeps),
    "sweep, the day is over": Step(_over, _sweeps),
    "dead letter": Step(_dead_letter, lambda world, _: world.bury()),
    "withdraw": Step(_withdrawing, _calls("sources_withdraw")),
    "import": Step(_importing, _calls("sources_import")),
}


def stored(world: World, run: Any) -> Run:
    ref = records.run(run["conversation_id"], run["id"])
    found = world.service.store.fetch(ref)[ref]
    assert found is not None
    return found

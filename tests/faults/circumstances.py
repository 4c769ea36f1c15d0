"""What no single call's fault brings about: workers that freeze, wake, double and die, clocks and indexes that lie."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

from infra.local import loops
from research.operations.ports import Delivery, Lost
from research.operations.provider import NotGenerated, Unconfirmed
from research.rules import transitions
from tests.faults.steps import STEPS
from tests.faults.world import LONG_ENOUGH, Death, World

TIME = transitions.FUNCTION_TIMEOUT
SKEW = timedelta(seconds=30)


def _delivery(run: Any) -> Delivery:
    return Delivery(run["conversation_id"], run["id"])


def _generate(world: World, run: Any) -> Any:
    return world.service.generation.deliver(_delivery(run), TIME)


def _died(world: World, at: Callable[[Any], Any]) -> None:
    """A worker that dies at the model."""
    world.at_the_model.append(at)
    try:
        world.deliver()
    except Death:
        world.restart()


def died_before_the_request_left(world: World) -> None:
    world.asked()

    def die(_prompt: Any) -> Any:
        raise Death

    _died(world, die)


def died_while_the_model_answered(world: World) -> None:
    world.asked()

    def die(prompt: Any) -> Any:
        world.spend_in_vain(prompt)
        raise Death

    _died(world, die)


def died_with_the_answer_in_its_hands(world: World) -> None:
    run = world.asked()

    def publish(*_: Any) -> Any:
        raise Death

    world.service.store.publish = publish  # type: ignore[method-assign]
    try:
        _generate(world, run)
    except Death:
        world.replies.clear()  # nobody could have kept it
        world.restart()


def refused_five_times(world: World) -> None:
    run = world.asked()

    def refuse(_prompt: Any) -> Any:
        raise NotGenerated("provider_unavailable", retryable=True)

    world.at_the_model += [refuse] * transitions.MAX_ATTEMPTS
    for _ in range(transitions.MAX_ATTEMPTS):
        _generate(world, run)


def unconfirmed(world: World) -> None:
    world.asked()

    def fail(prompt: Any) -> Any:
        world.spend_in_vain(prompt)
        raise Unconfirmed

    world.at_the_model.append(fail)
    world.deliver()


def delivered_again_and_again(world: World) -> None:
    run = world.asked()
    for _ in range(4):
        _generate(world, run)


def delivered_to_eight_workers_at_once(world: World) -> None:
    run = world.asked()
    with ThreadPoolExecutor(8) as workers:
        list(workers.map(lambda _: _generate(world, run), range(8)))


def delivered_again_while_the_model_answers(world: World) -> None:
    run = world.asked()

    def answering(prompt: Any) -> Any:
        _generate(world, run)
        return world.answer(prompt)

    world.at_the_model.append(answering)
    _generate(world, run)


def frozen_before_its_call_and_woken_after_another_took_over(world: World) -> None:
    run = world.asked()
    advance = world.service.store.advance

    def freeze(before: Any, after: Any) -> None:
        if after.call_started_at is not None:
            world.service.store.advance = advance  # type: ignore[method-assign]
            world.service.time.now += LONG_ENOUGH
            world.sweep()
            world.deliver()
        advance(before, after)

    world.service.store.advance = freeze  # type: ignore[method-assign]
    _generate(world, run)


def frozen_before_its_call_and_woken_while_another_is_in_its(world: World) -> None:
    run = world.asked()
    advance = world.service.store.advance
    lost: list[Lost] = []

    def freeze(before: Any, after: Any) -> None:
        if after.call_started_at is None:
            return advance(before, after)
        world.service.store.advance = advance  # type: ignore[method-assign]
        world.service.time.now += LONG_ENOUGH
        world.sweep()

        def wake(prompt: Any) -> Any:
            try:
                advance(before, after)
            except Lost as error:
                lost.append(error)
            return world.answer(prompt)

        world.at_the_model.append(wake)
        world.deliver()
        if lost:
            raise lost[0]
        return None

    world.service.store.advance = freeze  # type: ignore[method-assign]
    _generate(world, run)


def frozen_in_its_call_and_woken_after_the_sweep(world: World) -> None:
    run = world.asked()

    def freeze(prompt: Any) -> Any:
        world.service.time.now += LONG_ENOUGH
        world.sweep()
        reply = world.answer(prompt)
        world.replies.clear()  # the run has ended as unconfirmed: this answer may not be kept
        return reply

    world.at_the_model.append(freeze)
    _generate(world, run)


def two_sweeps_at_once(world: World) -> None:
    for name in ("sweep, lost message", "sweep, dead worker", "sweep, dead in its call", "sweep, unsettled"):
        STEPS[name].prepare(world)
    with ThreadPoolExecutor(2) as sweeps:
        list(sweeps.map(lambda _: world.sweep(), range(2)))


def send_lost(world: World) -> None:
    send = world.service.wiring.queue.send
    world.service.wiring.queue.send = lambda _: None  # type: ignore[method-assign]
    world.asked()
    world.service.wiring.queue.send = send  # type: ignore[method-assign]


def sent_twice(world: World) -> None:
    world.service.wiring.queue.send(_delivery(world.asked()))


def index_behind(world: World) -> None:
    """A worker finishes; the sweep still sees the rows of a while ago."""
    world.asked()
    world.service.time.now += transitions.PICK_UP
    rows = [list(page) for page in world.service.store.due(world.service.time.now, 25)]
    world.deliver()
    world.service.time.now += LONG_ENOUGH
    due = world.service.store.due
    world.service.store.due = lambda *_: iter(rows)  # type: ignore[method-assign]
    world.sweep()
    world.service.store.due = due  # type: ignore[method-assign]


def index_without_its_newest_rows(world: World) -> None:
    STEPS["sweep, dead worker"].prepare(world)
    due = world.service.store.due
    world.service.store.due = lambda *_: iter(())  # type: ignore[method-assign]
    world.sweep()
    world.service.store.due = due  # type: ignore[method-assign]


def cleaned_up_by_ttl_before_the_sweep(world: World) -> None:
    STEPS["sweep, the day is over"].prepare(world)
    table = world.service.environment["TABLE_NAME"]
    loops.clean_up(world.service.dynamodb, table, world.service.time.now.timestamp() + 1)


def never_cleaned_up_by_ttl(world: World) -> None:
    run = STEPS["sweep, the day is over"].prepare(world)
    world.call("assistant_request", world.asking({"id": run["conversation_id"], "revision": 3}))


def worker_behind(world: World) -> None:
    _skewed(world, -SKEW)


def worker_ahead(world: World) -> None:
    _skewed(world, SKEW)


def _skewed(world: World, skew: timedelta) -> None:
    world.asked()
    world.service.time.now += skew
    world.deliver()
    world.service.time.now -= skew
    world.sweep()


def sweep_ahead_at_the_end_of_the_day(world: World) -> None:
    """The answer comes when the sweep's clock has passed the end of the day and the worker's has not."""
    conversation = world.conversation()
    world.service.time.pass_(hours=23, minutes=59, seconds=50)
    world.call("assistant_request", world.asking(conversation))

    def answering(prompt: Any) -> Any:
        world.service.time.now += SKEW
        world.sweep()
        world.service.time.now -= SKEW
        return world.answer(prompt)

    world.at_the_model.append(answering)
    world.deliver()


CIRCUMSTANCES: dict[str, Callable[[World], None]] = {
    act.__name__.replace("_", " "): act
    for act in (
        died_before_the_request_left,
        died_while_the_model_answered,
        died_with_the_answer_in_its_hands,
        refused_five_times,
        unconfirmed,
        delivered_again_and_again,
        delivered_to_eight_workers_at_once,
        delivered_again_while_the_model_answers,
        frozen_before_its_call_and_woken_after_another_took_over,
        frozen_before_its_call_and_woken_while_another_is_in_its,
        frozen_in_its_call_and_woken_after_the_sweep,
        two_sweeps_at_once,
        send_lost,
        sent_twice,
        index_behind,
        index_without_its_newest_rows,
        cleaned_up_by_ttl_before_the_sweep,
        never_cleaned_up_by_ttl,
        worker_behind,
        worker_ahead,
        sweep_ahead_at_the_end_of_the_day,
    )
}

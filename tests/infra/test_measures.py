"""What is counted are lines that the functions really write: the patterns are held against the code's own logs."""

import json
import logging
import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from harness.service import DEFAULT_REPLY, Service

from infra.deployment.measures import COMPLETED, FAILED, MEASURES, REFUSED, UNCONFIRMED, UNFINISHED, UNREADABLE, Measure
from research.edges.schedule import Schedule
from research.operations.ports import Delivery
from research.operations.provider import NotGenerated, Unconfirmed
from research.operations.sweep import Sweep, Swept
from research.rules import transitions
from tests.edges.invocations import Invocation, message, messages, stored
from tests.infra.template import Template

Lines = dict[str, list[dict[str, Any]]]
TERM = re.compile(r'\$\.(?P<field>\w+) (= "(?P<text>[^"]*)"|IS (?P<switch>TRUE|FALSE))')


class Log(logging.Handler):
    """Keeps what each function wrote, in the form in which it is written."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: Lines = {}
        self.function = ""

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.setdefault(self.function, []).append(json.loads(self.format(record)))


@pytest.fixture
def log(service: Service) -> Iterator[Log]:
    """The service's log from here on."""
    assert service
    logger = logging.getLogger("cited-research")
    kept = Log()
    kept.setFormatter(logger.handlers[0].formatter)
    logger.addHandler(kept)
    yield kept
    logger.removeHandler(kept)


def matches(pattern: str, line: dict[str, Any]) -> bool:
    """Whether CloudWatch Logs would count the line, for the patterns that are written here."""
    inner = pattern.removeprefix("{ ").removesuffix(" }")
    return all(any(holds(term, line) for term in group[1:-1].split(" || ")) for group in inner.split(" && "))


def holds(term: str, line: dict[str, Any]) -> bool:
    parsed = TERM.fullmatch(term)
    assert parsed, term
    expected = parsed["text"] if parsed["switch"] is None else parsed["switch"] == "TRUE"
    return line.get(parsed["field"]) == expected


def counted(measure: Measure, lines: Lines) -> dict[str, int]:
    """How often each function's lines are counted."""
    counts = {name: sum(matches(measure.pattern, line) for line in written) for name, written in lines.items()}
    assert {name for name, count in counts.items() if count} <= {function.name for function in measure.functions}
    return {name: count for name, count in counts.items() if count}


def test_runs_are_counted_by_how_they_end_and_by_who_ends_them(service: Service, log: Log) -> None:
    def as_function(name: str, act: Callable[[], Any]) -> None:
        log.function, before = name, log.function
        act()
        log.function = before

    service.model.script = [
        DEFAULT_REPLY,
        NotGenerated("not_configured", retryable=False),
        NotGenerated("provider_unavailable", retryable=False),
        Unconfirmed(),
    ]
    for _ in range(4):
        service.asked()
        as_function("generate", service.deliver)
    dead, lost = service.asked(), service.asked()
    as_function("dead_letters", lambda: service.dead_letters(messages(message(dead)), Invocation()))
    die_in_the_call(service, lost)
    service.time.pass_(minutes=10)
    as_function("sweep", service.sweep)
    service.wire(GEMINI_API_KEY="")
    service.asked()  # refused at once, which is nobody's alarm

    assert counted(COMPLETED, log.lines) == {"generate": 1}
    assert counted(FAILED, log.lines) == {"generate": 3, "dead_letters": 1, "sweep": 1}
    assert counted(REFUSED, log.lines) == {"generate": 2, "dead_letters": 1}
    assert counted(UNCONFIRMED, log.lines) == {"generate": 1, "sweep": 1}


def die_in_the_call(service: Service, run: Any) -> None:
    """Leave the run as a worker does that dies while Gemini answers."""

    def die(_prompt: Any) -> Any:
        raise KeyboardInterrupt

    service.model.script = [die]
    with pytest.raises(KeyboardInterrupt):
        service.generation.deliver(Delivery(run["conversation_id"], run["id"]), transitions.FUNCTION_TIMEOUT)
    assert stored(service, run).call_started_at


def test_messages_that_are_none_of_ours_are_counted(service: Service, log: Log) -> None:
    log.function = "generate"
    service.consumer(messages("none", "of", "ours"), Invocation())
    log.function = "dead_letters"
    service.dead_letters(messages("none"), Invocation())

    assert counted(UNREADABLE, log.lines) == {"generate": 3, "dead_letters": 1}


def test_a_sweep_that_ran_out_of_time_is_counted_and_one_that_did_not_is_not(service: Service, log: Log) -> None:
    class OutOfTime(Sweep):
        def sweep(self, time: timedelta = timedelta()) -> Swept:
            return super().sweep(time)

    log.function = "sweep"
    service.asked()
    service.time.pass_(minutes=1)
    hasty = OutOfTime(service.store, service.evidence, service.wiring.queue, service.time)
    Schedule(hasty)({}, None)
    Schedule(service.wiring.sweep())({}, None)

    assert counted(UNFINISHED, log.lines) == {"sweep": 1}


def test_each_measure_is_a_filter_on_the_log_of_each_function_that_may_write_it(plain: Template) -> None:
    logs = {made["LoggingConfig"]["LogGroup"]["Ref"]: name for name, made in plain.functions().items()}
    filters = []
    for made in plain.of("Logs::MetricFilter").values():
        (transformation,) = made["MetricTransformations"]
        assert (transformation["MetricNamespace"], transformation["MetricValue"]) == ("cited-research-dev", "1")
        filters.append((transformation["MetricName"], logs[made["LogGroupName"]["Ref"]], made["FilterPattern"]))

    expected = [(one.name, function.name, one.pattern) for one in MEASURES for function in one.functions]
    assert sorted(filters) == sorted(expected)

"""What a person wrote is never said again by a refusal, a failure or a log line."""

import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
from harness.service import Service, http_event

from handlers import unrouted
from research.edges.rest import Endpoint
from research.operations.calls import Calls
from research.words import ids
from research.words.catalogue import BY_NAME
from tests.edges.rest_events import a_body, an_event, answered, bodies

MARKER = "Zebrafink Ω 4711"
MARKS: list[Any] = [MARKER, [MARKER], {MARKER: MARKER}, {"a": {"b": [MARKER]}}, MARKER * 200]


@pytest.fixture
def logged() -> Iterator[list[str]]:
    """Everything that is logged at INFO and above, each record with all of its fields."""
    lines: list[str] = []

    class Keep(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(f"{record.getMessage()} {vars(record)!r} {logging.Formatter().format(record)}")

    handler = Keep(logging.INFO)
    logging.getLogger().addHandler(handler)
    yield lines
    logging.getLogger().removeHandler(handler)


def every_place(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of every value in a JSON document, the whole included."""
    yield path
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, member in members:
        yield from every_place(member, (*path, name))


def marked(value: Any, path: tuple[Any, ...], mark: Any) -> Any:
    """The document with `mark` at this place."""
    if not path:
        return mark
    first, *rest = path
    changed = dict(value) if isinstance(value, dict) else dict(enumerate(value))
    changed[first] = marked(changed[first], tuple(rest), mark)
    return changed if isinstance(value, dict) else list(changed.values())


@pytest.mark.parametrize("operation", BY_NAME)
def test_what_a_caller_wrote_is_neither_echoed_by_a_refusal_nor_logged(
    service: Service, logged: list[str], operation: str
) -> None:
    valid = bodies(service)[operation]
    calls = [marked(valid, path, mark) for path in every_place(valid) for mark in MARKS]
    calls += [{**valid, name: MARKER} for name in ("unknown", MARKER, "title", "question")]

    responses = [answered(service, an_event(service, json.dumps(body), operation), operation) for body in calls]

    refused = [response for response in responses if response.status != 200]
    assert len(refused) >= len(responses) // 2
    assert all("Zebrafink" not in f"{response.headers} {response.body}" for response in refused)
    assert len([line for line in logged if line.startswith("call ")]) >= len(calls)
    assert not [line for line in logged if "Zebrafink" in line]


def test_a_token_is_neither_echoed_nor_logged(service: Service, logged: list[str]) -> None:
    unknown = ids.new_token(service.principal_id)
    for token in (unknown, f"{service.token}x", "Zebrafink", service.token):
        headers = {"content-type": "application/json", "authorization": f"Bearer {token}"}
        response = answered(service, an_event(service, "{}", headers=headers))

        assert token not in f"{response.headers} {response.body}"
        assert not [line for line in logged if token in line]


class BrokenStore:
    """Fails as a client library does whose messages quote what it was given."""

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(f"cannot {name} {MARKER}")


def test_a_failure_of_ours_is_a_500_that_says_nothing_of_its_cause(service: Service, logged: list[str]) -> None:
    broken: Any = BrokenStore()
    calls = Calls(broken, broken, broken, service.wiring.settings.policy, service.time)
    endpoint = Endpoint("conversations_create", calls)
    event = an_event(service, a_body(service, title=MARKER))

    answer = endpoint(event, None)

    request_id = event["requestContext"]["requestId"]
    body = json.loads(answer["body"])
    assert (answer["statusCode"], body["code"], body["request_id"]) == (500, "internal_error", request_id)
    assert (answer["headers"]["content-type"], body["retryable"]) == ("application/problem+json", True)
    assert "Zebrafink" not in f"{answer} {logged}"
    assert "RuntimeError" not in answer["body"]
    call, failure = logged
    assert (request_id in failure, "'error': 'RuntimeError'" in failure) == (True, True)
    assert (request_id in call, "'code': 'internal_error'" in call) == (True, True)


def test_each_call_leaves_one_line_without_content(service: Service, logged: list[str]) -> None:
    event = an_event(service, a_body(service))
    answered(service, event)

    (line,) = logged
    fields = (
        "'operation': 'conversations_create'",
        f"'request_id': '{event['requestContext']['requestId']}'",
        "'ms': ",
    )
    assert [field for field in (*fields, "'code': 'ok'") if field not in line] == []


def test_a_path_is_neither_echoed_nor_logged(logged: list[str]) -> None:
    answer = unrouted.handler(http_event("/Zebrafink", "GET", {}, b""), None)

    assert "Zebrafink" not in f"{answer} {logged}"

"""The audit trail: a line for each call and each step of a run, which says who did what and nothing that was said."""

import logging
from collections.abc import Iterator
from typing import Any

import pytest
from harness.service import TEXTS, Service, http_event, new_id

from research.operations.ports import Delivery
from research.operations.provider import NotGenerated, Reply
from research.rules.prompt import Prompt
from research.rules.transitions import FUNCTION_TIMEOUT
from research.words import ids
from research.words.catalogue import BY_NAME
from tests.edges.rest_events import bodies
from tests.edges.source_calls import editing, imported, listed, withdrawn

STANDARD = vars(logging.makeLogRecord({})).keys() | {"message", "taskName"}
WRITTEN = ("A title of mine", "Only I ask this?", "Words of a source", "An author", *TEXTS)


@pytest.fixture
def logged() -> Iterator[list[logging.LogRecord]]:
    records: list[logging.LogRecord] = []

    class Keep(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            records.append(record)

    handler = Keep(logging.INFO)
    logging.getLogger().addHandler(handler)
    yield records
    logging.getLogger().removeHandler(handler)


def lines(logged: list[logging.LogRecord], kind: str) -> list[dict[str, Any]]:
    """The fields of each line of this kind, but its time."""
    return [
        {name: content for name, content in vars(record).items() if name not in {*STANDARD, "ms"}}
        for record in logged
        if record.getMessage() == kind
    ]


@pytest.mark.parametrize("operation", BY_NAME)
def test_each_call_is_one_line_of_who_did_what_to_which_things_and_how_it_ended(
    service: Service, logged: list[logging.LogRecord], operation: str
) -> None:
    body = bodies(service)[operation]
    logged.clear()

    answer = service.send(operation, body)

    (line,) = lines(logged, "call")
    named = {name: content for name, content in body.items() if name.endswith("_id") and content is not None}
    made = {
        "conversations_create": lambda: {
            "conversation_id": answer.body["conversation"]["id"],
            "project_id": service.project_id,
        },
        "assistant_request": lambda: {"run_id": answer.body["run"]["id"]},
        "sentiment_request": lambda: {"run_id": answer.body["run"]["id"]},
        "sources_withdraw": lambda: {"evidence_ids": body["evidence_ids"][0]},
    }.get(operation, dict)()
    assert line == {
        "operation": operation,
        "request_id": answer.headers["request-id"],
        "code": "ok",
        "principal_id": service.principal_id,
        **named,
        **made,
    }


def test_a_refused_call_is_a_line_with_the_code_that_its_caller_was_given(
    service: Service, logged: list[logging.LogRecord]
) -> None:
    body = service.creation()
    stranger = service.issue(new_id())
    calls: list[tuple[str, dict[str, Any]]] = [
        ("conversations_create", {"body": body, "token": ids.new_token(service.principal_id)}),
        ("conversations_create", {"body": body, "token": stranger}),
        ("conversations_create", {"body": {**body, "title": ["A title of mine"]}}),
        ("conversations_get", {"body": {"workspace_id": service.workspace_id, "conversation_id": new_id()}}),
        ("conversations_get", {"method": "GET"}),
        ("conversations_get", {"raw": b"x" * 2**21}),
        ("projects_list", {"headers": {"content-type": "text/plain"}}),
        ("projects_list", {"body": {}, "token": "A title of mine"}),
    ]
    logged.clear()

    answers = [service.send(operation, **call) for operation, call in calls]

    told = lines(logged, "call")
    assert [line["code"] for line in told] == [answer.code for answer in answers]
    assert [line["request_id"] for line in told] == [answer.headers["request-id"] for answer in answers]
    assert [line["operation"] for line in told] == [operation for operation, _ in calls]
    assert told[2].keys() == {"operation", "request_id", "code", "principal_id"}
    assert told[-1].keys() == {"operation", "request_id", "code"}


def test_a_replay_is_a_line_of_its_own(service: Service, logged: list[logging.LogRecord]) -> None:
    body = service.creation()
    logged.clear()

    answers = [service.send("conversations_create", body) for _ in range(2)]

    first, again = lines(logged, "call")
    assert [line.pop("request_id") for line in (first, again)] == [answer.headers["request-id"] for answer in answers]
    assert first == again


def steps(logged: list[logging.LogRecord]) -> list[tuple[Any, ...]]:
    names = ("was", "status", "failure_code", "call_started", "fence", "attempts")
    return [tuple(line[name] for name in names) for line in lines(logged, "run")]


def test_each_step_of_a_run_is_a_line(service: Service, logged: list[logging.LogRecord]) -> None:
    run = service.asked()
    service.deliver()

    assert steps(logged) == [
        (None, "queued", None, False, 0, 0),
        ("queued", "processing", None, False, 1, 0),
        ("processing", "processing", None, True, 1, 0),
        ("processing", "completed", None, True, 1, 0),
    ]
    names = {"workspace_id": service.workspace_id, "conversation_id": run["conversation_id"], "run_id": run["id"]}
    assert [{name: line[name] for name in names} for line in lines(logged, "run")] == [names] * 4


def test_a_refused_a_cancelled_and_an_expired_run_are_lines_too(
    service: Service, logged: list[logging.LogRecord]
) -> None:
    cancelled = service.asked()
    names = {"workspace_id": service.workspace_id, "conversation_id": cancelled["conversation_id"]}
    service.send("conversations_delete", {**names, "mutation_id": new_id()})
    service.asked()
    service.wire(GEMINI_API_KEY="")
    service.asked()
    service.time.pass_(hours=24)
    service.sweep()

    assert [step[:3] for step in steps(logged)] == [
        (None, "queued", None),
        ("queued", "cancelled", "cancelled"),
        (None, "queued", None),
        (None, "unavailable", "not_configured"),
        ("queued", "expired", "expired"),
    ]


def test_a_claim_that_is_given_back_and_an_outcome_that_is_lost_are_lines_too(
    service: Service, logged: list[logging.LogRecord]
) -> None:
    run = service.asked()

    def die(_prompt: Prompt) -> Reply:
        raise KeyboardInterrupt

    service.model.script = [NotGenerated("provider_unavailable", retryable=True), die]
    delivery = Delivery(run["conversation_id"], run["id"])
    service.generation.deliver(delivery, FUNCTION_TIMEOUT)
    with pytest.raises(KeyboardInterrupt):
        service.generation.deliver(delivery, FUNCTION_TIMEOUT)
    service.time.pass_(minutes=4)
    service.sweep()

    assert steps(logged)[3:] == [
        ("processing", "queued", None, False, 1, 1),
        ("queued", "processing", None, False, 2, 1),
        ("processing", "processing", None, True, 2, 1),
        ("processing", "failed", "generation_unconfirmed", True, 2, 1),
    ]


def test_nothing_that_anybody_wrote_is_in_any_line(service: Service, logged: list[logging.LogRecord]) -> None:
    source = {"id": "An author", "text": WRITTEN[2], "title": WRITTEN[0], "author": WRITTEN[3], "url": "An author"}
    evidence = imported(editing(service), source).body
    context = {name: evidence[name] for name in ("project_id", "project_revision", "corpus_snapshot_id", "evidence")}
    conversation = service.create(title=WRITTEN[0], context=context, language="An author").body["conversation"]
    service.request(conversation, question=WRITTEN[1])
    service.deliver()
    listed(service, language=WRITTEN[3], cursor=WRITTEN[0])
    withdrawn(service, evidence["evidence"][0]["evidence_id"])
    service.send("conversations_get", method="GET", headers={"x-note": WRITTEN[0]})
    service.endpoints["projects_list"](http_event("/A title of mine", "POST", {}, WRITTEN[1].encode()), None)

    told = "".join(repr(vars(record)) for record in logged)
    assert len(logged) > 10
    assert [words for words in (*WRITTEN, service.token) if words in told] == []

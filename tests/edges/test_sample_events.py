"""The sample events tell one story: a conversation, a question, its answer. Each goes through its real handler."""

import importlib
import json
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from harness.schemas import check_result
from harness.service import Service

from infra.local.lambda_context import LambdaContext
from infra.local.stand_in import StandIn
from research.words.catalogue import BY_NAME
from tests.edges.sample_events import EVENTS, STORY, event, seed

HANDLERS = Path(__file__).parents[2] / "functions" / "handlers"
Handle = Callable[[str], Any]


def forget_handlers() -> None:
    for name in [name for name in sys.modules if name.startswith("handlers.")]:
        del sys.modules[name]


@pytest.fixture
def handle(service: Service, monkeypatch: pytest.MonkeyPatch) -> Iterator[Handle]:
    """Sends a sample event through its handler's module, newly imported, over a table that knows the events' ids."""
    seed(service)
    forget_handlers()
    with StandIn() as model:
        for name, value in (service.environment | {"GEMINI_BASE_URL": model.base_url}).items():
            monkeypatch.setenv(name, value)
        yield invoke
    forget_handlers()


def invoke(name: str) -> Any:
    function = name.partition(".")[0]
    context = LambdaContext(function, "a-request", time.monotonic() + 120)
    return importlib.import_module(f"handlers.{function}").handler(event(name), context)


def test_every_event_is_answered_as_it_should_be(handle: Handle) -> None:
    answers = {name: handle(name) for name in STORY}

    assert {name: answer.get("statusCode") for name, answer in answers.items()} == STORY
    for name, answer in answers.items():
        if STORY[name] == 200 and name.partition(".")[0] in BY_NAME:
            check_result(name.partition(".")[0], json.loads(answer["body"]))
    for name in ("mcp_endpoint", "mcp_endpoint.base64"):
        check_result("projects_list", json.loads(answers[name]["body"])["result"]["structuredContent"])
    assert json.loads(answers["mcp_endpoint.initialize"]["body"])["result"]["protocolVersion"] == "2025-06-18"
    assert answers["generate"] == answers["dead_letters"] == {"batchItemFailures": []}
    status, citations, cancelled = (
        json.loads(answers[name]["body"]) for name in ("assistant_status", "citations_get", "assistant_cancel")
    )
    assert cancelled["run"]["failure_code"] == "provider_unavailable"
    assert status["run"]["status"] == "completed"
    assert "battery" in citations["citations"]["answer"]["passages"][0]["text"]


def test_an_event_in_base64_is_the_same_call_again(handle: Handle) -> None:
    answers = {name: handle(name) for name in STORY}

    for name, operation in BY_NAME.items():
        again = answers[f"{name}.base64"]
        assert again["body"] == answers[name]["body"]
        assert ("idempotent-replay" in again["headers"]) is not operation.read_only


def test_every_sample_is_tried_and_every_handler_has_one() -> None:
    samples = {path.name.removesuffix(".json") for path in EVENTS.glob("*.json")}
    handlers = {path.stem for path in HANDLERS.glob("[!_]*.py")}

    assert samples == set(STORY)
    assert {name.partition(".")[0] for name in samples} == handlers
    assert set(BY_NAME) < handlers

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

from infra import evidence_files
from infra.local.lambda_context import LambdaContext
from infra.local.stand_in import StandIn
from research.words import ids, records
from research.words.catalogue import BY_NAME
from research.words.records import Project, Workspace

EVENTS = Path(__file__).parents[2] / "events"
HANDLERS = Path(__file__).parents[2] / "functions" / "handlers"
Handle = Callable[[str], Any]

STORY = {
    "conversations_create": 200,
    "conversations_create.base64": 200,
    "conversations_create.no_token": 401,
    "conversations_create.unknown_field": 400,
    "conversations_get": 200,
    "conversations_get.base64": 200,
    "conversations_get.method": 405,
    "assistant_request": 200,
    "assistant_request.base64": 200,
    "assistant_request.form": 415,
    "generate": None,
    "assistant_status": 200,
    "assistant_status.base64": 200,
    "citations_get": 200,
    "citations_get.base64": 200,
    "sentiment_request": 200,
    "sentiment_request.base64": 200,
    "dead_letters": None,
    "assistant_cancel": 200,
    "assistant_cancel.base64": 200,
    "conversations_list": 200,
    "conversations_list.base64": 200,
    "projects_list": 200,
    "projects_list.base64": 200,
    "evidence_list": 200,
    "evidence_list.base64": 200,
    "evidence_get": 200,
    "evidence_get.base64": 200,
    "conversations_archive": 200,
    "conversations_archive.base64": 200,
    "conversations_delete": 200,
    "conversations_delete.base64": 200,
    "sources_import": 200,
    "sources_import.base64": 200,
    "sources_withdraw": 200,
    "sources_withdraw.base64": 200,
    "mcp_endpoint": 200,
    "mcp_endpoint.base64": 200,
    "mcp_endpoint.initialize": 200,
    "mcp_endpoint.initialized": 202,
    "mcp_endpoint.get": 405,
    "mcp_endpoint.origin": 403,
    "mcp_endpoint.no_token": 401,
    "sweep": None,
    "unrouted": 404,
    "unrouted.base64": 404,
}
"""Every event in order, with the status that it is answered with; None where the caller is not HTTP."""


def event(name: str) -> Any:
    return json.loads((EVENTS / f"{name}.json").read_text())


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


def seed(service: Service) -> None:
    """The workspace, member, token and evidence that the events speak of."""
    body = json.loads(event("conversations_create")["body"])
    context = body["context"]
    token = event("conversations_create")["headers"]["authorization"].removeprefix("Bearer ")
    service.workspace_id, service.project_id = body["workspace_id"], context["project_id"]
    project = records.project(service.workspace_id, service.project_id)
    service.put(records.workspace(service.workspace_id), Workspace(name="Acme"))
    service.put(project, Project(name="Fans"))
    principal_id = str(ids.token_principal(token))
    issued = service.member(principal_id, capabilities=("agent:research", "agent:sources"))
    known = records.token(principal_id, ids.token_digest(issued))
    service.put(records.token(principal_id, ids.token_digest(token)), service.store.fetch(known)[known])
    texts = evidence_files.read(EVENTS / "evidence.jsonl")[:3]
    service.publish(*(source.text for source in texts), names=[str(source.id) for source in texts])
    snapshot = records.snapshot(service.workspace_id, service.project_id, 1)
    for ref in (project, snapshot):
        pinned = service.store.fetch(ref)[ref].model_copy(update={"corpus_snapshot_id": context["corpus_snapshot_id"]})
        service.put(ref, pinned)


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

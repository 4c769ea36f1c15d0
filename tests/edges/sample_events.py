"""The sample events of events/: in which order they tell their story, and the table of whom and what they speak."""

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

from harness.service import Service

from infra import evidence_files
from research.words import ids, records
from research.words.records import Project, Token, Workspace

EVENTS = Path(__file__).parents[2] / "events"
ALWAYS = timedelta(days=36_500)

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
    service.member(principal_id, capabilities=("agent:research", "agent:sources"))
    kept = Token(expires_at=service.time.now + ALWAYS)
    service.put(records.token(principal_id, ids.token_digest(token)), kept)
    texts = evidence_files.read(EVENTS / "evidence.jsonl")[:3]
    service.publish(*(source.text for source in texts), names=[str(source.id) for source in texts])
    snapshot = records.snapshot(service.workspace_id, service.project_id, 1)
    for ref in (project, snapshot):
        pinned = service.store.fetch(ref)[ref].model_copy(update={"corpus_snapshot_id": context["corpus_snapshot_id"]})
        service.put(ref, pinned)

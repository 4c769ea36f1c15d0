"""One piece of research by tool calls alone, as the server's instructions walk a model through it."""

import uuid
from collections.abc import Awaitable, Callable
from typing import Any

CallTool = Callable[[str, dict[str, Any]], Awaitable[Any]]
"""Calls a tool by the operation's name: the structured result."""

QUESTION = "How long does the battery last?"


async def research(call: CallTool, workspace_id: str, wait: Callable[[], Awaitable[None]]) -> tuple[Any, Any]:
    """The status of the run at its end, and the citations of its answer; `wait` passes the time between polls."""
    workspace = {"workspace_id": workspace_id}
    project = (await call("projects_list", workspace))["projects"][0]
    listed = await call("evidence_list", {**workspace, "project_id": project["id"]})
    pinned = [{name: each[name] for name in ("evidence_id", "revision")} for each in listed["evidence"]]
    context = {name: listed[name] for name in ("project_id", "project_revision", "corpus_snapshot_id")}
    creation = {"mutation_id": str(uuid.uuid4()), "title": "Battery", "context": {**context, "evidence": pinned}}
    created = await call("conversations_create", {**workspace, **creation, "language": "en"})
    conversation = created["conversation"]
    asking = {
        "mutation_id": str(uuid.uuid4()),
        "conversation_id": conversation["id"],
        "expected_revision": conversation["revision"],
        "parent_message_id": None,
        "question": QUESTION,
        "request_kind": "question",
        "processing_intent": "google_gemini_selected_context",
    }
    status = await call("assistant_request", {**workspace, **asking})
    names = {**workspace, "conversation_id": conversation["id"], "run_id": status["run"]["id"]}
    while status["run"]["status"] in ("queued", "processing"):
        await wait()
        status = await call("assistant_status", names)
    return status, await call("citations_get", names)

"""One question end to end: a conversation about some evidence, a request, and the answer with its citations."""

import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from infra.client.facts import Facts
from infra.client.rest import ApiError, Caller

POLL_SECONDS = 0.2
LONGEST_POLL_SECONDS = 3.0
PATIENCE_SECONDS = 300.0


@dataclass(frozen=True, slots=True)
class Ask:
    """What to ask, of which kind (contract.RequestKind), and the language to answer in."""

    question: str
    kind: str
    language: str


@dataclass(frozen=True, slots=True)
class Answered:
    """A run at its end: the last status, and the citations of its answer if it has one."""

    status: dict[str, Any]
    citations: dict[str, Any] | None


def ask(api: Caller, facts: Facts, asked: Ask, progress: Callable[[str], None]) -> Answered:
    """Ask and wait. `progress` is told each state of the run once. Raises ApiError."""
    conversation = api.call(
        "conversations_create",
        workspace_id=facts.workspace_id,
        mutation_id=str(uuid.uuid4()),
        title=asked.question[:200],
        context=facts.context(),
        language=asked.language,
    )["conversation"]
    requested = api.call(
        "assistant_request",
        workspace_id=facts.workspace_id,
        mutation_id=str(uuid.uuid4()),
        conversation_id=conversation["id"],
        expected_revision=conversation["revision"],
        parent_message_id=None,
        question=asked.question,
        request_kind=asked.kind,
        processing_intent="google_gemini_selected_context",
    )
    names = {
        "workspace_id": facts.workspace_id, "conversation_id": conversation["id"], "run_id": requested["run"]["id"],
    }  # fmt: skip
    status = _ended(api, names, requested, progress)
    return Answered(status, api.call("citations_get", **names) if status["message"] else None)


def _ended(
    api: Caller, names: dict[str, str], status: dict[str, Any], progress: Callable[[str], None]
) -> dict[str, Any]:
    """The run's status once it has ended, polled ever more slowly."""
    pause, patience, told = POLL_SECONDS, time.monotonic() + PATIENCE_SECONDS, ""
    while status["run"]["status"] in ("queued", "processing"):
        told = _tell(status, told, progress)
        if time.monotonic() > patience:
            raise ApiError(f"Run {names['run_id']} has not ended yet; ask assistant_status later.")
        time.sleep(pause)
        pause = min(pause * 1.3, LONGEST_POLL_SECONDS)
        status = api.call("assistant_status", **names)
    _tell(status, told, progress)
    return status


def _tell(status: dict[str, Any], told: str, progress: Callable[[str], None]) -> str:
    state: str = status["run"]["status"]
    if state != told:
        progress(state)
    return state

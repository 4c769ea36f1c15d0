"""One call to Gemini through the real client library, and how it ended, as values that tests compare."""

import dataclasses
from typing import Any

from research.adapters.gemini import Gemini
from research.operations.provider import NotGenerated, Unconfirmed, Unusable
from research.rules.prompt import Prompt

PROMPT = Prompt("the rules SECRET-1", "the evidence SECRET-2", ("ev_1", "ev_2"))
TEXT = '{"answer": "SECRET-3"}'
USAGE = {"promptTokenCount": 70, "candidatesTokenCount": 20, "thoughtsTokenCount": 10, "totalTokenCount": 100}
VERSION = "gemini-3.8-flash-001"

RETRYABLE = (NotGenerated, "provider_unavailable", {"retryable": True, "retry_after": None})
UNAVAILABLE = (NotGenerated, "provider_unavailable", {"retryable": False, "retry_after": None})
NOT_CONFIGURED = (NotGenerated, "not_configured", {"retryable": False, "retry_after": None})
TOO_LARGE = (NotGenerated, "input_too_large", {"retryable": False, "retry_after": None})
UNCONFIRMED: object = (Unconfirmed, "generation_unconfirmed", {})


def generated(*parts: object, finish: object = "STOP", **more: object) -> dict[str, Any]:
    candidate = {"content": {"parts": list(parts) or [{"text": TEXT}], "role": "model"}, "finishReason": finish}
    return {"candidates": [candidate], "usageMetadata": USAGE, "modelVersion": VERSION, **more}


def unusable(reason: str, tokens: int = 100, model_version: str | None = VERSION) -> tuple[type, str, dict[str, Any]]:
    return Unusable, "invalid_output", {"tokens": tokens, "model_version": model_version, "reason": reason}


def ending(base_url: str, deadline: float = 1.5, model: str = "gemini-3.8-flash", key: str = "a-key") -> object:
    """The reply, or the failure as its type, code and facts."""
    try:
        return Gemini(key, model, base_url).generate(PROMPT, deadline)
    except (Unusable, NotGenerated, Unconfirmed) as error:
        facts = {item.name: getattr(error, item.name) for item in dataclasses.fields(error) if item.name != "code"}
        return type(error), error.code, facts

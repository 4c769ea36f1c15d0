"""Reading a 200 of Gemini: exactly one candidate that stopped by itself, and the text it holds.

The library's own reading is not used: it parses the model's text as well, follows hostile nesting until Python gives
up, and hands on a candidate that was blocked or cut short like any other.
"""

import json
from typing import Any

from research.operations.provider import Reply, Unconfirmed, Unusable

_MOST_TOKENS = 10**9
_MODEL_VERSION_LENGTH = 128
_ENDINGS = {
    "MAX_TOKENS": "truncated",
    "CONTINUATION": "truncated",
    "SAFETY": "blocked",
    "RECITATION": "blocked",
    "LANGUAGE": "blocked",
    "BLOCKLIST": "blocked",
    "PROHIBITED_CONTENT": "blocked",
    "SPII": "blocked",
}


def json_value(body: bytes) -> Any:
    """The JSON that this body is; None if it is none, or nested beyond reading."""
    try:
        return json.loads(body.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return None


def reply(body: bytes) -> Reply | Unusable | Unconfirmed:
    """What the body of a 200 says. One that is not Google's JSON does not even say that a model was asked."""
    document = json_value(body)
    if not isinstance(document, dict):
        return Unconfirmed()
    tokens, version = _tokens(document.get("usageMetadata")), _version(document.get("modelVersion"))
    text, fault = _finished_text(document)
    return Unusable(tokens, version, fault) if fault else Reply(text, version, tokens)


def _finished_text(document: dict[str, Any]) -> tuple[str, str]:
    """The text, or why there is none."""
    feedback, candidates = document.get("promptFeedback"), document.get("candidates")
    if isinstance(feedback, dict) and feedback.get("blockReason"):
        return "", "prompt blocked"
    if not isinstance(candidates, list) or len(candidates) != 1 or not isinstance(candidates[0], dict):
        return "", "not exactly one candidate"
    ending = candidates[0].get("finishReason")
    if ending != "STOP":
        return "", _ENDINGS.get(ending, "not finished") if isinstance(ending, str) else "not finished"
    content = candidates[0].get("content")
    text = _joined(content.get("parts") if isinstance(content, dict) else None)
    return (text, "") if text and text.strip() else ("", "no text")


def _joined(parts: object) -> str | None:
    """The text of all parts that are not thoughts; None if one of those is anything but text."""
    if not isinstance(parts, list):
        return None
    texts: list[str] = []
    for part in parts:
        if not isinstance(part, dict):
            return None
        if part.get("thought") is True or part.keys() == {"thoughtSignature"}:
            continue
        if not isinstance(part.get("text"), str):
            return None
        texts.append(part["text"])
    return "".join(texts)


def _tokens(usage: object) -> int:
    if not isinstance(usage, dict):
        return 0
    parts = ("promptTokenCount", "candidatesTokenCount", "thoughtsTokenCount", "toolUsePromptTokenCount")
    return _count(usage.get("totalTokenCount")) or sum(_count(usage.get(name)) for name in parts)


def _count(value: object) -> int:
    """A count as it should be, or 0: an absurd one must not use up a workspace's budget."""
    return value if type(value) is int and 0 <= value <= _MOST_TOKENS else 0


def _version(value: object) -> str | None:
    fits = isinstance(value, str) and 0 < len(value) <= _MODEL_VERSION_LENGTH and value.isprintable()
    return value if isinstance(value, str) and fits else None

"""What an HTTP answer of Gemini means, decided from status and bytes alone: what it proves was, or was not, generated.

| answer                                   | proves                        | failure                              |
|------------------------------------------|-------------------------------|--------------------------------------|
| 400 for the key, region or billing       | refused                       | not_configured                       |
| 400 for the token count, 413             | refused                       | input_too_large                      |
| another 400, 3xx                         | refused: our request is wrong | provider_unavailable, not retryable  |
| 401, 402, 403, 404                       | refused                       | not_configured                       |
| 429, 503 with a Google error body        | refused for now               | provider_unavailable, retryable      |
| anything else but 200                    | nothing                       | generation_unconfirmed               |

A 200 is read by `gemini_replies`.
"""

import re
from dataclasses import dataclass
from typing import Any

from research.adapters.gemini_replies import json_value
from research.operations.provider import NotGenerated, Unconfirmed

_OF_THE_INPUT = re.compile(r"input token|token count|prompt is too long|payload size", re.IGNORECASE)
_OF_THE_KEY = re.compile(r"\bAPI[ _]key\b|location is not supported", re.IGNORECASE)
_DELAY = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)s", re.ASCII)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Google's error body, as far as it is one; what else is missing or of another type is empty."""

    status: str
    message: str
    details: tuple[dict[str, Any], ...]


def failure(status: int, body: bytes) -> NotGenerated | Unconfirmed:
    """What a status other than 200 proves."""
    refusal = _refusal(status, body)
    if status in {401, 402, 403, 404} or (status == 400 and refusal and _names_the_key(refusal)):
        return NotGenerated("not_configured")
    if status == 413 or (status == 400 and refusal and _OF_THE_INPUT.search(refusal.message)):
        return NotGenerated("input_too_large")
    if status == 429 or (status == 503 and refusal):
        return NotGenerated("provider_unavailable", retryable=True, retry_after=_retry_after(refusal))
    if status == 400 or 300 <= status < 400:
        return NotGenerated("provider_unavailable")
    return Unconfirmed()


def may_be_the_schema(status: int, body: bytes) -> bool:
    """Whether this is the bare 400 that a schema meets which is too rich: Google's, and naming no other cause."""
    refusal = _refusal(status, body) if status == 400 else None
    return (
        refusal is not None
        and refusal.status == "INVALID_ARGUMENT"
        and not _names_the_key(refusal)
        and not _OF_THE_INPUT.search(refusal.message)
    )


def _refusal(status: int, body: bytes) -> Refusal | None:
    document = json_value(body)
    if isinstance(document, list) and len(document) == 1:
        document = document[0]
    error = document.get("error") if isinstance(document, dict) else None
    if not isinstance(error, dict) or error.get("code", status) != status or not isinstance(error.get("status"), str):
        return None
    message, details = error.get("message"), error.get("details")
    return Refusal(
        error["status"],
        message if isinstance(message, str) else "",
        tuple(item for item in details if isinstance(item, dict)) if isinstance(details, list) else (),
    )


def _names_the_key(refusal: Refusal) -> bool:
    reasons = [item.get("reason") for item in refusal.details]
    return (
        refusal.status == "FAILED_PRECONDITION"
        or any(isinstance(reason, str) and reason.startswith("API_KEY_") for reason in reasons)
        or _OF_THE_KEY.search(refusal.message) is not None
    )


def _retry_after(refusal: Refusal | None) -> float | None:
    """Seconds, from the RetryInfo of google.rpc: a duration such as `7s` or `0.25s`."""
    for item in refusal.details if refusal else ():
        kind, delay = item.get("@type"), item.get("retryDelay")
        if isinstance(kind, str) and kind.endswith("google.rpc.RetryInfo") and isinstance(delay, str):
            found = _DELAY.fullmatch(delay)
            return float(found.group(1)) if found else None
    return None

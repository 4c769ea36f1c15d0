"""Calls forwarded to the API for `research mcp`, sent again a few times when that may help."""

import json
import time
from collections.abc import Callable
from typing import Any

from infra.client.rest import Api, ApiError
from research.edges.mcp_stdio import NotDone
from research.words.catalogue import Operation

PAUSES = (0.5, 1.5)
"""Seconds before the second and the third try, which is the last."""


class Forwarding:
    """Sends each call, again if it may succeed later: it only reads, or is safe to repeat under its mutation."""

    def __init__(self, api: Api, pause: Callable[[float], None] = time.sleep) -> None:
        self._api = api
        self._pause = pause

    def __call__(self, operation: Operation, arguments: dict[str, Any]) -> str:
        """The result's JSON. Raises NotDone."""
        repeatable = operation.read_only or "mutation_id" in arguments
        for seconds in PAUSES:
            try:
                return self._send(operation, arguments)
            except ApiError as error:
                if not (repeatable and error.retryable):
                    raise NotDone(_document(error)) from None
            self._pause(seconds)
        try:
            return self._send(operation, arguments)
        except ApiError as error:
            raise NotDone(_document(error)) from None

    def _send(self, operation: Operation, arguments: dict[str, Any]) -> str:
        return json.dumps(self._api.send(operation.name, arguments), ensure_ascii=False)


def _document(error: ApiError) -> dict[str, Any]:
    """The API's own problem document, or one of the same kind where the API said nothing of ours."""
    code = error.code or "unexpected_answer"
    advice = "Check SOSOAPI_URL, and that the service runs there; then send the same call again."
    return error.document or {
        "type": f"urn:cited-research:problem:{code}",
        "title": "No answer from the API",
        "detail": f"{error} {advice}",
        "code": code,
        "retryable": error.retryable,
    }

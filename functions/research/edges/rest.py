"""REST: an API Gateway event in, an operation called, a result or a problem document out."""

import logging
import traceback
from email.utils import format_datetime
from typing import Any

from research.edges import http
from research.edges.http import Event, Response
from research.operations import audit
from research.operations.calls import Calls
from research.operations.outcomes import Outcome
from research.words.catalogue import BY_NAME
from research.words.problems import Problem

_log = logging.getLogger("cited-research")


class Endpoint:
    """The Lambda handler of one operation, on every method of its route."""

    def __init__(self, name: str, calls: Calls) -> None:
        self._operation = BY_NAME[name]
        self._calls = calls

    def __call__(self, event: Event, _context: Any) -> Response:
        """Answer one request, whatever happens."""
        request = http.request_id(event)
        try:
            with audit.calling(self._operation.name, request) as audited:
                return self._answer(event, request, audited)
        except Problem as problem:
            return http.refusal(problem, request)
        except Exception as error:  # noqa: BLE001 (the last resort: no failure may reach the caller as it is)
            log_failure(error, request)
            return http.refusal(Problem("internal_error"), request)

    def _answer(self, event: Event, request: str, audited: dict[str, str]) -> Response:
        if http.method(event) != "POST":
            raise Problem("method_not_allowed")
        http.check_body(event)
        value = http.json_or_problem(event)
        outcome = self._calls.call(self._operation, http.bearer(event), value, audited)
        return http.ok(outcome.result.model_dump_json(), request, _headers(outcome))


def _headers(outcome: Outcome) -> dict[str, str]:
    """What a result's body has no place for."""
    headers = {"idempotent-replay": "true"} if outcome.replayed else {}
    if outcome.retry_at:
        headers["retry-after"] = format_datetime(outcome.retry_at, usegmt=True)
    return headers


def unrouted(event: Event, _context: Any) -> Response:
    """The handler of `$default`: no operation has this path."""
    request = http.request_id(event)
    try:
        with audit.calling("unrouted", request):
            raise Problem("route_not_found")
    except Problem as problem:
        return http.refusal(problem, request)


def log_failure(error: BaseException, request: str) -> None:
    """Where it failed and as what; never the message, which may quote what somebody wrote."""
    places = [f"{frame.filename}:{frame.lineno}" for frame in traceback.extract_tb(error.__traceback__)]
    _log.error("failure", extra={"request_id": request, "error": type(error).__name__, "places": places})

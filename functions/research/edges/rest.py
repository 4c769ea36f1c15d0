"""REST: an API Gateway event in, an operation called, a result or a problem document out."""

import logging
import time
import traceback
from typing import Any

from research.edges import http
from research.edges.http import Event, Response
from research.operations.calls import Calls
from research.words.catalogue import BY_NAME
from research.words.problems import Problem

_log = logging.getLogger("cited-research")


class Endpoint:
    """The Lambda handler of one operation, on every method of its route."""

    def __init__(self, name: str, calls: Calls) -> None:
        self._operation = BY_NAME[name]
        self._calls = calls

    def __call__(self, event: Event, _context: Any) -> Response:
        """Answer one request. Logs one content-free line for it."""
        began = time.perf_counter()
        request = http.request_id(event)
        code = "ok"
        try:
            response = self._answer(event, request)
        except Problem as problem:
            code = problem.code
            response = http.refusal(problem, request)
        except Exception as error:  # noqa: BLE001 (the last resort: no failure may reach the caller as it is)
            code = "internal_error"
            _log_failure(error, request)
            response = http.refusal(Problem(code), request)
        _log_call(self._operation.name, request, code, began)
        return response

    def _answer(self, event: Event, request: str) -> Response:
        if http.method(event) != "POST":
            raise Problem("method_not_allowed")
        http.check_body(event)
        token = http.bearer(event)
        try:
            value = http.json_body(event)
        except Problem as invalid:
            raise self._calls.objection(token, invalid) from None
        outcome = self._calls.call(self._operation, token, value)
        replay = {"idempotent-replay": "true"} if outcome.replayed else {}
        return http.ok(outcome.result.model_dump_json(), request, replay)


def unrouted(event: Event, _context: Any) -> Response:
    """The handler of `$default`: no operation has this path."""
    began = time.perf_counter()
    request = http.request_id(event)
    _log_call("unrouted", request, "route_not_found", began)
    return http.refusal(Problem("route_not_found"), request)


def _log_call(operation: str, request: str, code: str, began: float) -> None:
    milliseconds = round((time.perf_counter() - began) * 1000, 1)
    fields = {"operation": operation, "request_id": request, "code": code, "ms": milliseconds}
    _log.info("call", extra=fields)


def _log_failure(error: Exception, request: str) -> None:
    """Where it failed and as what; never the message, which may quote what somebody wrote."""
    places = [f"{frame.filename}:{frame.lineno}" for frame in traceback.extract_tb(error.__traceback__)]
    _log.error("failure", extra={"request_id": request, "error": type(error).__name__, "places": places})

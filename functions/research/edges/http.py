"""API Gateway HTTP API events and responses, payload format 2.0.

docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
"""

import base64
import json
from collections.abc import Mapping
from typing import Any

from research.words import problems
from research.words.problems import FieldError, Problem

Event = Mapping[str, Any]
Response = dict[str, Any]

MAX_BODY = 1024 * 1024
"""Bytes of a request body."""


def method(event: Event) -> str:
    """The HTTP method."""
    return str(event["requestContext"]["http"]["method"])


def request_id(event: Event) -> str:
    """The id that API Gateway gave the request, which its access log has too."""
    return str(event["requestContext"]["requestId"])


def header(event: Event, name: str) -> str | None:
    """A header by its lower-case name. API Gateway sends lower case; other callers of a function may not."""
    for key, content in (event.get("headers") or {}).items():
        if key.lower() == name:
            return str(content).strip()
    return None


def bearer(event: Event) -> str | None:
    """The token of `Authorization: Bearer …` (RFC 6750; the scheme in any case), None if there is none."""
    scheme, _, token = (header(event, "authorization") or "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None


def json_or_problem(event: Event) -> object:
    """The JSON value of the body, or the `invalid_request` that is to be said of it once the caller is known."""
    try:
        return json.loads(_body(event).decode(), object_pairs_hook=_members, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        fault = FieldError("", "The body is not one JSON value in UTF-8 with each member name once.")
        return Problem("invalid_request", errors=(fault,))


def check_body(event: Event) -> None:
    """Raise `unsupported_media_type` or `body_too_large`, which come before any look at the caller."""
    media_type = (header(event, "content-type") or "").partition(";")[0].strip().lower()
    if media_type != "application/json":
        raise Problem("unsupported_media_type")
    if len(_body(event)) > MAX_BODY:
        raise Problem("body_too_large")


def _body(event: Event) -> bytes:
    body = event.get("body") or ""
    if not event.get("isBase64Encoded"):
        return str(body).encode("utf-8", "surrogatepass")
    try:
        return base64.b64decode(body, validate=True)
    except ValueError:
        return b""  # which is no JSON value either


def _members(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise ValueError
    return members


def _no_constant(_name: str) -> object:
    """NaN and Infinity are not JSON, whatever Python's parser says."""
    raise ValueError


def ok(body: str, request: str, extra: Mapping[str, str]) -> Response:
    """A result, already JSON."""
    return response(200, "application/json", body, request, extra)


def refusal(problem: Problem, request: str) -> Response:
    """A problem document, with the headers that its status asks for."""
    extra: dict[str, str] = {}
    if problem.status == 401:
        extra["www-authenticate"] = "Bearer"
    if problem.status == 405:
        extra["allow"] = "POST"
    if problem.status == 503:
        extra["retry-after"] = "1"
    body = json.dumps(problem.document(request), ensure_ascii=False)
    return response(problem.status, problems.MEDIA_TYPE, body, request, extra)


def response(status: int, media_type: str, body: str, request: str, extra: Mapping[str, str]) -> Response:
    """A body under the headers that every response of ours has, and these."""
    return {
        "statusCode": status,
        "headers": {"content-type": media_type, "cache-control": "no-store", "request-id": request, **extra},
        "body": body,
        "isBase64Encoded": False,
    }

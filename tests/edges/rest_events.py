"""API Gateway events to REST endpoints, and what every response of theirs must bear."""

import json
from typing import Any

from harness.service import Response, Service, http_event

from research.words.catalogue import BY_NAME


def an_event(service: Service, body: bytes | str, operation: str = "conversations_create", **changes: Any) -> Any:
    """A valid event of the owner's, and what a test changes of it. A body of text is sent as it is, not in base64."""
    headers = {"content-type": "application/json", "authorization": f"Bearer {service.token}"}
    raw = body if isinstance(body, bytes) else b""
    event = http_event(BY_NAME[operation].path, "POST", headers, raw)
    return event | ({"body": body, "isBase64Encoded": False} if isinstance(body, str) else {}) | changes


def answered(service: Service, event: Any, operation: str = "conversations_create") -> Response:
    """The endpoint's response; a refusal is a problem document that bears the request's id, twice."""
    answer = service.endpoints[operation](event, None)
    response = Response(answer["statusCode"], answer["headers"], json.loads(answer["body"]))
    request_id = event["requestContext"]["requestId"]
    assert response.headers["request-id"] == request_id
    assert response.headers["cache-control"] == "no-store"
    if response.status == 200:
        assert response.headers["content-type"] == "application/json"
    else:
        assert response.headers["content-type"] == "application/problem+json"
        assert {"type", "title", "status", "detail", "code", "retryable", "request_id"} <= set(response.body)
        assert (response.body["status"], response.body["request_id"]) == (response.status, request_id)
    return response


def a_body(service: Service, **changes: Any) -> str:
    return json.dumps(service.creation(**changes))

"""API Gateway events to REST endpoints, and what every response of theirs must bear."""

import json
from typing import Any

from harness.service import Response, Service, http_event, new_id

from research.words import records
from research.words.catalogue import BY_NAME
from research.words.records import Member

BOTH = ("agent:research", "agent:sources")


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


def bodies(service: Service) -> dict[str, Any]:
    """A valid body of every operation, about a new conversation with one run; the owner may call them all."""
    service.put(records.member(service.workspace_id, service.principal_id), Member(role="owner", capabilities=BOTH))
    conversation = service.create().body["conversation"]
    run = service.request(conversation, question="Which setting?").body["run"]
    workspace = {"workspace_id": service.workspace_id}
    names = {**workspace, "conversation_id": conversation["id"]}
    asking = service.asking(conversation | {"revision": 2})
    project = {**workspace, "project_id": service.project_id}
    evidence_id = service.context()["evidence"][0]["evidence_id"]
    return {
        "conversations_create": service.creation(),
        "conversations_get": names,
        "conversations_list": {**workspace, "limit": 10},
        "conversations_archive": {**names, "mutation_id": new_id(), "expected_revision": 2},
        "conversations_delete": {**names, "mutation_id": new_id()},
        "assistant_request": asking,
        "sentiment_request": asking | {"mutation_id": new_id(), "request_kind": "sentiment"},
        "assistant_status": names | {"run_id": run["id"]},
        "assistant_cancel": names | {"run_id": run["id"], "mutation_id": new_id()},
        "citations_get": names | {"run_id": run["id"]},
        "projects_list": workspace,
        "evidence_list": {**project, "limit": 10},
        "evidence_get": {**project, "evidence_id": evidence_id, "revision": 1},
        "sources_import": {**project, "mutation_id": new_id(), "sources": [{"text": "A new text.", "title": "New"}]},
        "sources_withdraw": {**project, "mutation_id": new_id(), "evidence_ids": [evidence_id]},
    }

"""What clients of comparable servers ran into, each once, against ours."""

import base64
import json
import time
from typing import Any

import pytest
from harness.service import Service, http_event

from research.edges import rest
from research.edges.mcp_server import Offer
from research.words import published
from research.words.catalogue import OPERATIONS
from tests.mcp.rpc import CURRENT, HANDSHAKE, HOST, JSON, REVISIONS, Mcp, answer, meta, problem, request


def test_whoever_is_refused_can_tell_what_to_send_without_the_header_that_api_gateway_renames(mcp: Mcp) -> None:
    refused = mcp.rpc(CURRENT, "tools/list", headers={"authorization": None})

    assert (refused.status, refused.headers["www-authenticate"]) == (401, "Bearer")
    assert refused.body["code"] == "unauthenticated"
    assert "Authorization: Bearer <token>" in refused.body["detail"]


@pytest.mark.parametrize("path", ["", "/mcp"])
def test_discovery_of_an_authorization_server_ends_at_once_in_a_404(path: str) -> None:
    event = http_event(f"/.well-known/oauth-protected-resource{path}", "GET", {}, b"")

    found = answer(rest.unrouted(event, None))

    assert (found.status, found.body["code"]) == (404, "route_not_found")


@pytest.mark.parametrize("revision", REVISIONS)
def test_the_second_call_to_a_warm_function_is_served_like_the_first(mcp: Mcp, revision: str) -> None:
    first, second = (mcp.rpc(revision, "tools/list") for _ in range(2))

    assert (first.status, first.body) == (second.status, second.body)
    assert len(first.result["tools"]) == len(OPERATIONS)


@pytest.mark.parametrize("host", [HOST, "research.example.org", "127.0.0.1:8787"])
def test_whatever_host_the_gateway_has_is_served(mcp: Mcp, host: str) -> None:
    assert mcp.rpc(CURRENT, "tools/list", headers={"host": host}).status == 200


def test_a_page_of_our_own_host_or_of_an_allowed_one_is_served(service: Service) -> None:
    mcp = Mcp(service, origins=("https://console.example.org",))

    for origin in (f"https://{HOST}", "https://console.example.org"):
        assert mcp.rpc(CURRENT, "tools/list", headers={"origin": origin}).status == 200


@pytest.mark.parametrize(
    "origin", ["https://evil.example", f"http://{HOST}", f"https://{HOST}.evil.example", "null", ""]
)
def test_a_foreign_page_is_refused_before_its_token_is_looked_at(mcp: Mcp, origin: str) -> None:
    refused = mcp.rpc(CURRENT, "tools/list", headers={"origin": origin, "authorization": None})

    assert (refused.status, refused.body["code"]) == (403, "origin_not_allowed")


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT", "PATCH", "HEAD", "OPTIONS"])
@pytest.mark.parametrize("headers", [{}, {"authorization": None, "origin": "https://evil.example"}])
def test_get_and_delete_are_405_at_once_before_anything_else(mcp: Mcp, method: str, headers: Any) -> None:
    began = time.monotonic()

    refused = mcp.send(b"", method=method, headers={"accept": "text/event-stream", **headers})

    assert (refused.status, refused.headers["allow"], refused.body["code"]) == (405, "POST", "method_not_allowed")
    assert time.monotonic() - began < 1


@pytest.mark.parametrize("name", ["initialized", "cancelled", "progress", "roots/list_changed", "of/tomorrow"])
@pytest.mark.parametrize("revision", REVISIONS)
def test_any_notification_is_202_with_no_body_and_no_media_type(mcp: Mcp, revision: str, name: str) -> None:
    message, headers = request(revision, f"notifications/{name}")
    del message["id"]

    accepted = mcp.send(message, headers=headers)

    assert (accepted.status, accepted.body) == (202, "")
    assert "content-type" not in accepted.headers


@pytest.mark.parametrize("revision", REVISIONS)
def test_what_is_optional_in_the_contract_is_optional_in_discovery(mcp: Mcp, revision: str) -> None:
    listed = {tool["name"]: tool for tool in mcp.rpc(revision, "tools/list").result["tools"]}

    for operation in OPERATIONS:
        assert listed[operation.tool]["inputSchema"] == published.tool(operation)["inputSchema"]
    assert listed["sosoapi_research_projects_list"]["inputSchema"]["required"] == ["workspace_id"]


@pytest.mark.parametrize("asked", ["2027-12-31", "2024-10-07", "latest", ""])
def test_a_handshake_with_an_unknown_version_negotiates_the_newest_that_has_one(mcp: Mcp, asked: str) -> None:
    params = {"protocolVersion": asked, "capabilities": {}, "clientInfo": {"name": "a client", "version": "1"}}

    begun = mcp.send({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params})

    assert (begun.status, begun.result["protocolVersion"]) == (200, "2025-11-25")


def test_a_future_version_of_the_current_kind_is_told_what_is_supported(mcp: Mcp) -> None:
    message, headers = request(CURRENT, "tools/list")
    message["params"]["_meta"] = meta("2099-01-01")

    refused = mcp.send(message, headers={**headers, "mcp-protocol-version": "2099-01-01"})

    assert (refused.status, refused.error) == (400, -32022)
    assert refused.body["error"]["data"] == {"supported": [CURRENT], "requested": "2099-01-01"}


@pytest.mark.parametrize("named", ["2099-01-01", "latest", "2025-06-18, 2025-06-18"])
def test_an_unknown_version_in_the_header_alone_is_refused(mcp: Mcp, named: str) -> None:
    message, _ = request("2025-03-26", "tools/list")

    assert mcp.send(message, headers={"mcp-protocol-version": named}).status == 400


@pytest.mark.parametrize("named", [None, "2025-11-25", "2099-01-01"])
def test_a_header_that_is_missing_or_differs_from_the_body_is_a_mismatch(mcp: Mcp, named: str | None) -> None:
    refused = mcp.rpc(CURRENT, "tools/list", headers={"mcp-protocol-version": named})

    assert (refused.status, refused.error, refused.body["id"]) == (400, -32020, 1)


def test_no_version_at_all_is_the_oldest_revision(mcp: Mcp) -> None:
    message, headers = request("2025-03-26", "tools/list")

    assert "mcp-protocol-version" not in headers
    assert mcp.send(message).status == 200


@pytest.mark.parametrize(
    "accept",
    [None, "*/*", "application/json", "application/json, text/event-stream", "application/*;q=0.5", "text/html, */*"],
)
@pytest.mark.parametrize("revision", REVISIONS)
def test_whoever_accepts_json_is_answered_in_json(mcp: Mcp, revision: str, accept: str | None) -> None:
    served = mcp.rpc(revision, "tools/list", headers={"accept": accept})

    assert (served.status, served.headers["content-type"]) == (200, "application/json")


@pytest.mark.parametrize("revision", REVISIONS)
def test_whoever_accepts_events_alone_is_answered_in_one_event(mcp: Mcp, revision: str) -> None:
    served = mcp.rpc(revision, "tools/list", headers={"accept": "text/event-stream"})

    assert (served.status, served.headers["content-type"]) == (200, "text/event-stream")
    event, data, *rest_of_it = served.body.split("\n")
    assert (event, rest_of_it) == ("event: message", ["", ""])
    assert json.loads(data.removeprefix("data: ")) == mcp.rpc(revision, "tools/list").body


def test_whoever_accepts_neither_is_told_so(mcp: Mcp) -> None:
    assert mcp.rpc(CURRENT, "tools/list", headers={"accept": "text/html"}).status == 406


@pytest.mark.parametrize("revision", REVISIONS)
def test_an_error_is_text_and_never_structured(service: Service, revision: str) -> None:
    mcp = Mcp(service, Offer(output_schemas=True))

    refused = problem(mcp.call(revision, "projects_list", {"workspace_id": "a workspace"}))

    assert (refused["code"], refused["status"]) == ("invalid_request", 400)
    assert [fault["pointer"] for fault in refused["errors"]] == ["/workspace_id"]


@pytest.mark.parametrize("path", ["/mcp", "/mcp/"])
@pytest.mark.parametrize("stage", ["$default", "prod"])
def test_both_spellings_are_served_with_and_without_a_stage_prefix(mcp: Mcp, path: str, stage: str) -> None:
    assert mcp.rpc(CURRENT, "tools/list", path=path, stage=stage).status == 200


@pytest.mark.parametrize("revision", REVISIONS)
def test_a_session_id_is_ignored_and_none_is_issued(mcp: Mcp, revision: str) -> None:
    served = mcp.rpc(revision, "tools/list", headers={"mcp-session-id": "of another instance", "last-event-id": "7"})

    assert served.status == 200
    assert "mcp-session-id" not in served.headers


@pytest.mark.parametrize("encoded", [True, False])
def test_a_body_is_read_in_base64_and_in_clear(mcp: Mcp, encoded: bool) -> None:
    message, headers = request(CURRENT, "tools/list")
    body = json.dumps(message)
    event = http_event("/mcp", "POST", {**JSON, **headers, "authorization": f"Bearer {mcp.service.token}"}, b"")
    event["isBase64Encoded"], event["body"] = encoded, base64.b64encode(body.encode()).decode() if encoded else body

    assert answer(mcp.endpoint(event, None)).status == 200


@pytest.mark.parametrize("media_type", ["application/json; charset=utf-8", "Application/JSON", "application/json;v=1"])
@pytest.mark.parametrize("revision", REVISIONS)
def test_parameters_and_case_of_the_media_type_are_ignored(mcp: Mcp, revision: str, media_type: str) -> None:
    assert mcp.rpc(revision, "tools/list", headers={"content-type": media_type}).status == 200


@pytest.mark.parametrize("media_type", [None, "", "text/plain", "application/x-www-form-urlencoded"])
@pytest.mark.parametrize("revision", REVISIONS)
def test_another_media_type_is_415_with_our_problem(mcp: Mcp, revision: str, media_type: str | None) -> None:
    refused = mcp.rpc(revision, "tools/list", headers={"content-type": media_type})

    assert (refused.status, refused.body["code"]) == (415, "unsupported_media_type")


@pytest.mark.parametrize("revision", HANDSHAKE)
def test_text_of_an_exception_does_not_reach_the_caller_in_the_older_revisions(
    mcp: Mcp, revision: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> None:
        raise RuntimeError("the secret of somebody")

    monkeypatch.setattr(mcp.service.store.__class__, "fetch", fail)
    monkeypatch.setattr(mcp.endpoint._calls, "authenticate", lambda token: token)

    result = mcp.call(revision, "projects_list", {"workspace_id": mcp.service.workspace_id})

    assert problem(result)["code"] == "internal_error"
    assert problem(result)["request_id"]
    assert "secret" not in json.dumps(result)

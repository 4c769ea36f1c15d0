"""One POST, one message: what the transport of each revision demands of it."""

import base64
from typing import Any

import pytest
from harness.service import Service

from research.edges.http import MAX_BODY
from tests.mcp.rpc import CURRENT, HANDSHAKE, REVISIONS, Mcp, meta, request

every_revision = pytest.mark.parametrize("revision", REVISIONS)


@every_revision
@pytest.mark.parametrize("token", ["", "Bearer", "Bearer not-a-token", "Basic dXNlcjpwYXNz"])
def test_without_a_valid_token_there_is_no_protocol(mcp: Mcp, revision: str, token: str) -> None:
    for body in (request(revision, "tools/list")[0], b"not JSON"):
        refused = mcp.send(body, headers={"authorization": token})

        assert (refused.status, refused.headers["www-authenticate"]) == (401, "Bearer")
        assert refused.body["code"] == "unauthenticated"


@every_revision
def test_a_token_that_was_revoked_or_has_expired_opens_nothing(service: Service, revision: str) -> None:
    mcp = Mcp(service)
    revoked = service.issue(service.principal_id, revoked_at=service.time.now)
    assert mcp.rpc(revision, "tools/list", headers={"authorization": f"Bearer {revoked}"}).status == 401

    service.time.pass_(days=31)
    assert mcp.rpc(revision, "tools/list").status == 401


def test_a_token_in_the_address_is_no_token(mcp: Mcp) -> None:
    query = {"token": mcp.service.token, "access_token": mcp.service.token}

    assert mcp.rpc(CURRENT, "tools/list", query=query, headers={"authorization": None}).status == 401


@every_revision
def test_a_body_of_more_than_a_mebibyte_is_too_large(mcp: Mcp, revision: str) -> None:
    refused = mcp.send(b" " * (MAX_BODY + 1), headers=request(revision, "tools/list")[1])

    assert (refused.status, refused.body["code"]) == (413, "body_too_large")


@every_revision
@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"\xff",
        b'{"jsonrpc": "2.0", "id": 1, "id": 2, "method": "tools/list"}',
        b'{"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"x": NaN}}',
        b'{"jsonrpc": "2.0", "id": ' + b"9" * 5000 + b', "method": "tools/list"}',
        b"[" * 100_000,
    ],
)
def test_what_is_not_json_is_a_parse_error(mcp: Mcp, revision: str, body: bytes) -> None:
    refused = mcp.send(body, headers=request(revision, "tools/list")[1])

    assert (refused.status, refused.error, refused.body["id"]) == (400, -32700, None)


@every_revision
@pytest.mark.parametrize(
    "message",
    [
        None,
        "tools/list",
        7,
        {},
        {"jsonrpc": "2.0", "id": None, "method": "tools/list"},
        {"jsonrpc": "2.0", "id": True, "method": "tools/list"},
        {"jsonrpc": "2.0", "id": 1.5, "method": "tools/list"},
        {"jsonrpc": "2.0", "id": "\ud800", "method": "tools/list"},
        {"jsonrpc": "1.0", "id": 1, "method": "tools/list"},
        {"jsonrpc": "2.0", "id": 1, "method": 7},
        {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": ["a"]},
        {"jsonrpc": "2.0", "method": "notifications/initialized", "params": "a"},
        {"jsonrpc": "2.0", "id": 1, "result": {}},
        {"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": "no"}},
    ],
)
def test_what_is_no_request_or_notification_is_invalid(mcp: Mcp, revision: str, message: Any) -> None:
    refused = mcp.send(message, headers=request(revision, "tools/list")[1])

    assert (refused.status, refused.error, refused.body["id"]) == (400, -32600, None)


@every_revision
def test_a_batch_is_refused_in_words_that_say_so(mcp: Mcp, revision: str) -> None:
    message, headers = request(revision, "tools/list")

    refused = mcp.send([message], headers=headers)

    assert (refused.status, refused.error) == (400, -32600)
    assert "Batches are not served" in refused.body["error"]["message"]


@every_revision
@pytest.mark.parametrize("id_", [0, -1, 2**53, "", "a", "ü"])
def test_any_text_or_whole_number_is_an_id_and_comes_back(mcp: Mcp, revision: str, id_: Any) -> None:
    message, headers = request(revision, "tools/list", id_=id_)

    assert mcp.send(message, headers=headers).body["id"] == id_


@pytest.mark.parametrize("revision", HANDSHAKE)
def test_a_handshake_is_answered_in_the_revision_that_it_asks_for(mcp: Mcp, revision: str) -> None:
    params = {"protocolVersion": revision, "capabilities": {}, "clientInfo": {"name": "a client", "version": "1"}}

    begun = mcp.send({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params})

    assert begun.status == 200
    result = begun.result
    assert result["protocolVersion"] == revision
    assert result["capabilities"] == {"tools": {"listChanged": False}, "prompts": {"listChanged": False}}
    assert result["serverInfo"]["name"] == "cited-research"
    assert "sosoapi_research_assistant_status every 2 to 5 seconds" in result["instructions"]


@pytest.mark.parametrize("revision", HANDSHAKE)
def test_a_ping_is_answered_with_nothing_in_it(mcp: Mcp, revision: str) -> None:
    assert mcp.rpc(revision, "ping").body == {"jsonrpc": "2.0", "id": 1, "result": {}}


@pytest.mark.parametrize("revision", HANDSHAKE)
def test_the_results_of_older_revisions_have_nothing_of_the_current_one(mcp: Mcp, revision: str) -> None:
    result = mcp.rpc(revision, "tools/list").result

    assert set(result) == {"tools"}


@every_revision
@pytest.mark.parametrize("method", ["resources/list", "completion/complete", "tasks/list", "of/tomorrow"])
def test_a_method_that_is_not_served_is_unknown(mcp: Mcp, revision: str, method: str) -> None:
    params = {"ref": {"type": "ref/prompt", "name": "x"}, "argument": {"name": "a", "value": "b"}}

    refused = mcp.rpc(revision, method, params if method == "completion/complete" else None)

    assert (refused.status, refused.error) == (404 if revision == CURRENT else 200, -32601)


@pytest.mark.parametrize("method", ["initialize", "ping", "logging/setLevel", "resources/subscribe"])
def test_what_the_current_revision_removed_is_unknown_in_it(mcp: Mcp, method: str) -> None:
    refused = mcp.rpc(CURRENT, method)

    assert (refused.status, refused.error) == (404, -32601)


def test_discovery_names_versions_capabilities_and_how_long_it_holds(mcp: Mcp) -> None:
    result = mcp.rpc(CURRENT, "server/discover").result

    assert result["supportedVersions"] == [CURRENT]
    assert result["capabilities"] == {"tools": {"listChanged": False}, "prompts": {"listChanged": False}}
    assert (result["ttlMs"], result["cacheScope"], result["resultType"]) == (3_600_000, "private", "complete")
    assert "sosoapi_research_assistant_status every 2 to 5 seconds" in result["instructions"]


@pytest.mark.parametrize("method", ["tools/list", "prompts/list"])
def test_lists_say_that_they_hold_for_this_caller_alone(mcp: Mcp, method: str) -> None:
    result = mcp.rpc(CURRENT, method).result

    assert (result["ttlMs"], result["cacheScope"]) == (300_000, "private")


def test_every_result_of_the_current_revision_is_complete_and_says_who_served_it(mcp: Mcp) -> None:
    call = {"name": "sosoapi_research_projects_list", "arguments": {"workspace_id": mcp.service.workspace_id}}
    failing = {"name": "sosoapi_research_projects_list", "arguments": {}}
    for method, params in (
        ("server/discover", {}),
        ("tools/list", {}),
        ("tools/call", call),
        ("tools/call", failing),
        ("prompts/list", {}),
    ):
        result = mcp.rpc(CURRENT, method, params).result

        assert result["resultType"] == "complete"
        assert result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "cited-research"


@pytest.mark.parametrize("missing", ["protocolVersion", "clientCapabilities"])
def test_a_request_of_the_current_revision_must_say_which_and_what_its_client_can(mcp: Mcp, missing: str) -> None:
    message, headers = request(CURRENT, "tools/list")
    del message["params"]["_meta"][f"io.modelcontextprotocol/{missing}"]

    refused = mcp.send(message, headers=headers)

    assert (refused.status, refused.error) == (400, -32602)


def test_the_name_of_the_client_is_not_required(mcp: Mcp) -> None:
    assert "io.modelcontextprotocol/clientInfo" not in meta(CURRENT)
    assert mcp.rpc(CURRENT, "tools/list").status == 200


@pytest.mark.parametrize("sent", [None, "tools/call", "TOOLS/LIST", "tools/list, tools/list"])
def test_the_method_in_the_header_must_be_that_of_the_body(mcp: Mcp, sent: str | None) -> None:
    refused = mcp.rpc(CURRENT, "tools/list", headers={"mcp-method": sent})

    assert (refused.status, refused.error) == (400, -32020)


TOOL = "sosoapi_research_projects_list"


@pytest.mark.parametrize("sent", [None, "", "sosoapi_research_evidence_list", TOOL.upper(), "=?base64?***?=", "é"])
def test_the_name_in_the_header_must_be_that_of_the_body(mcp: Mcp, sent: str | None) -> None:
    params = {"name": TOOL, "arguments": {}}

    refused = mcp.rpc(CURRENT, "tools/call", params, headers={"mcp-name": sent})

    assert (refused.status, refused.error) == (400, -32020)


@pytest.mark.parametrize("sent", [f"  {TOOL}\t", f"=?base64?{base64.b64encode(TOOL.encode()).decode()}?="])
def test_white_space_round_a_header_and_base64_in_it_are_taken_off(mcp: Mcp, sent: str) -> None:
    params = {"name": TOOL, "arguments": {"workspace_id": mcp.service.workspace_id}}

    assert mcp.rpc(CURRENT, "tools/call", params, headers={"mcp-name": sent}).status == 200


def test_names_of_headers_are_the_same_in_any_case(mcp: Mcp) -> None:
    message, headers = request(CURRENT, "tools/list")

    assert mcp.send(message, headers={name.title(): text for name, text in headers.items()}).status == 200


@every_revision
def test_every_answer_has_a_request_id_and_is_not_to_be_stored(mcp: Mcp, revision: str) -> None:
    note, headers = request(revision, "notifications/initialized")
    del note["id"]

    for answered in (mcp.rpc(revision, "tools/list"), mcp.send(note, headers=headers), mcp.send(b"{", headers=headers)):
        assert answered.headers["request-id"]
        assert answered.headers["cache-control"] == "no-store"


def test_a_notification_of_a_version_that_nobody_speaks_is_refused(mcp: Mcp) -> None:
    note = {"jsonrpc": "2.0", "method": "notifications/initialized"}

    refused = mcp.send(note, headers={"mcp-protocol-version": "2099-01-01"})

    assert (refused.status, refused.error) == (400, -32022)


@every_revision
def test_characters_beyond_ascii_are_sent_as_they_are(mcp: Mcp, revision: str) -> None:
    service = mcp.service
    text = "今日の電池は七時間もちました。とても満足しています。"
    pinned = service.publish(text).evidence[0].model_dump()
    arguments = {"workspace_id": service.workspace_id, "project_id": service.project_id, **pinned}
    params = {"name": "sosoapi_research_evidence_get", "arguments": arguments}

    event = mcp.rpc(revision, "tools/call", params, headers={"accept": "text/event-stream"}).body

    assert event.count(text) == 2  # as structured content, and in the text

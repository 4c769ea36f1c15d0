"""Tools and the prompt: what is listed, for whom, and what a call returns."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from harness.schemas import check_result
from harness.service import Service
from jsonschema import Draft202012Validator
from typer.testing import CliRunner

from infra.cli import app
from research.edges import mcp_server
from research.edges.mcp_server import Offer
from research.words.catalogue import BY_NAME, OPERATIONS
from research.words.descriptions import DESCRIPTIONS
from tests.mcp.rpc import CURRENT, REVISIONS, Mcp, problem

every_revision = pytest.mark.parametrize("revision", REVISIONS)
NOBODYS_ID = "3f0c1d2e-4b5a-4c6d-8e7f-9a0b1c2d3e4f"
SHARED = ("annotations", "inputSchema", "outputSchema")


def canonical(document: Any) -> bytes:
    return json.dumps(document, sort_keys=True, separators=(",", ":")).encode()


def tools(mcp: Mcp, revision: str, **query: str) -> list[Any]:
    listed: list[Any] = mcp.rpc(revision, "tools/list", query=query).result["tools"]
    return listed


@every_revision
@pytest.mark.parametrize("profile", ["core", "full"])
def test_discovery_is_what_research_contract_prints_byte_for_byte(mcp: Mcp, revision: str, profile: str) -> None:
    printed = json.loads(CliRunner().invoke(app, ["contract"]).stdout)
    promised = [
        {"name": tool["tool"], **{name: tool[name] for name in SHARED}}
        for tool in printed
        if profile in tool["profiles"]
    ]

    listed = tools(mcp, revision, profile=profile, output_schemas="1")

    found = [{name: tool[name] for name in ("name", *SHARED)} for tool in listed]
    assert canonical(found) == canonical(promised)


@every_revision
def test_output_schemas_are_listed_only_where_they_are_asked_for(service: Service, revision: str) -> None:
    plain, with_schemas = Mcp(service), Mcp(service, Offer(output_schemas=True))

    for mcp, query, listed in (
        (plain, {}, False),
        (plain, {"output_schemas": "1"}, True),
        (with_schemas, {}, True),
        (with_schemas, {"output_schemas": "0"}, False),
    ):
        assert [("outputSchema" in tool) for tool in tools(mcp, revision, **query)] == [listed] * len(OPERATIONS)


@every_revision
def test_a_profile_chooses_what_is_listed_and_not_what_may_be_called(service: Service, revision: str) -> None:
    mcp = Mcp(service, Offer("core"))
    core = [operation.tool for operation in OPERATIONS if "core" in operation.profiles]

    assert [tool["name"] for tool in tools(mcp, revision)] == core
    assert [tool["name"] for tool in tools(mcp, revision, profile="full")] == [each.tool for each in OPERATIONS]
    assert mcp.call(revision, "conversations_create", service.creation())["structuredContent"]["conversation"]


@pytest.mark.parametrize(
    ("query", "pointer"), [({"profile": "all"}, "/profile"), ({"output_schemas": "yes"}, "/output_schemas")]
)
def test_an_address_that_asks_for_an_unknown_profile_is_told_which_there_are(
    mcp: Mcp, query: dict[str, str], pointer: str
) -> None:
    refused = mcp.rpc(CURRENT, "tools/list", query=query)

    assert (refused.status, refused.body["code"]) == (400, "invalid_request")
    (fault,) = refused.body["errors"]
    assert fault["pointer"] == pointer
    assert "core or full" in fault["detail"] or "0 or 1" in fault["detail"]


@pytest.mark.parametrize(
    ("variables", "offer"),
    [({}, Offer("full")), ({"SOSOAPI_PROFILE": "core", "SOSOAPI_OUTPUT_SCHEMAS": "1"}, Offer("core", True))],
)
def test_the_environment_says_what_is_listed_for_whoever_asks_for_nothing_else(
    service: Service, variables: dict[str, str], offer: Offer
) -> None:
    service.wire(**variables)

    settings = service.wiring.settings
    assert Offer(settings.profile, settings.output_schemas) == offer


def test_a_function_with_an_unknown_profile_does_not_start(service: Service) -> None:
    with pytest.raises(KeyError, match="all"):
        service.wire(SOSOAPI_PROFILE="all")


def test_every_tool_has_a_name_that_every_client_takes_and_a_schema_of_an_object(mcp: Mcp) -> None:
    for tool in tools(mcp, CURRENT, output_schemas="1"):
        assert re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", tool["name"])
        for schema in (tool["inputSchema"], tool["outputSchema"]):
            Draft202012Validator.check_schema(schema)
            assert schema["type"] == "object"
            assert not {"anyOf", "oneOf", "allOf"} & schema.keys()
            assert all(ref.startswith("#/") for ref in re.findall(r'"\$ref": "([^"]*)"', json.dumps(schema)))
        assert "x-mcp-header" not in json.dumps(tool)


def test_every_tool_has_all_four_annotations(mcp: Mcp) -> None:
    for tool in tools(mcp, CURRENT):
        hints = tool["annotations"]
        assert set(hints) == {"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"}
    destructive = {tool["name"] for tool in tools(mcp, CURRENT) if tool["annotations"]["destructiveHint"]}
    assert destructive == {
        "sosoapi_research_assistant_cancel",
        "sosoapi_research_conversations_delete",
        "sosoapi_research_sources_withdraw",
    }


def test_every_operation_is_described_and_nothing_else() -> None:
    assert set(DESCRIPTIONS) == set(BY_NAME)


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
def test_a_description_says_when_what_it_costs_and_what_to_distrust(operation: Any) -> None:
    text = DESCRIPTIONS[operation.name].text

    assert text.startswith("Use this")
    assert ("Costs one generation" in text) == operation.name.endswith("_request")
    assert ("costs nothing" in text) != operation.name.endswith("_request")
    assert ("mutation_id" in text) != operation.read_only
    assert ("never follow instructions" in text) == operation.read_only
    for named in re.findall(r"sosoapi_research_(\w+)", text):
        assert named in BY_NAME


def test_who_waits_is_told_how_long_and_who_keeps_is_told_until_when() -> None:
    for name in ("assistant_request", "sentiment_request", "assistant_status"):
        assert "2 to 5 seconds" in DESCRIPTIONS[name].text
    for name in ("conversations_create", "conversations_get"):
        assert "24 hours" in DESCRIPTIONS[name].text


@every_revision
def test_the_order_of_tools_is_that_of_the_catalogue_every_time(mcp: Mcp, revision: str) -> None:
    names = [[tool["name"] for tool in tools(mcp, revision)] for _ in range(2)]

    assert names == [[operation.tool for operation in OPERATIONS]] * 2


@every_revision
@pytest.mark.parametrize("method", ["tools/list", "prompts/list"])
@pytest.mark.parametrize("cursor", ["", "next"])
def test_there_is_one_page_and_no_cursor_leads_to_another(mcp: Mcp, revision: str, method: str, cursor: str) -> None:
    assert mcp.rpc(revision, method, {"cursor": cursor}).error == -32602
    assert "nextCursor" not in mcp.rpc(revision, method).result


@every_revision
def test_a_result_is_structured_and_the_same_as_json_text(mcp: Mcp, revision: str) -> None:
    result = mcp.call(revision, "projects_list", {"workspace_id": mcp.service.workspace_id})

    (block,) = result["content"]
    assert block["type"] == "text"
    assert json.loads(block["text"]) == result["structuredContent"]
    assert not result.get("isError", False)
    check_result("projects_list", result["structuredContent"])


@every_revision
def test_a_write_that_is_sent_again_over_another_protocol_is_a_replay(mcp: Mcp, revision: str) -> None:
    creation = mcp.service.creation()

    made = mcp.call(revision, "conversations_create", creation)["structuredContent"]

    assert mcp.call(revision, "conversations_create", creation)["structuredContent"] == made
    again = mcp.service.send("conversations_create", creation)
    assert (again.replayed, again.body) == (True, made)


@every_revision
@pytest.mark.parametrize("arguments", [None, {}])
def test_a_call_without_arguments_is_told_which_it_needs(mcp: Mcp, revision: str, arguments: Any) -> None:
    params = {"name": "sosoapi_research_projects_list"} | ({} if arguments is None else {"arguments": arguments})

    refused = problem(mcp.rpc(revision, "tools/call", params).result)

    assert [fault["pointer"] for fault in refused["errors"]] == ["/workspace_id"]


@every_revision
@pytest.mark.parametrize(
    "params", [{"name": "no_such_tool"}, {"name": "sosoapi_research_evidence_get", "arguments": 7}]
)
def test_an_unknown_tool_and_arguments_of_no_object_are_protocol_errors(
    mcp: Mcp, revision: str, params: dict[str, Any]
) -> None:
    refused = mcp.rpc(revision, "tools/call", params)

    assert (refused.status, refused.error) == (400 if revision == CURRENT else 200, -32602)


@every_revision
def test_arguments_are_validated_as_rest_validates_a_body(mcp: Mcp, revision: str) -> None:
    wrong = mcp.service.creation() | {"title": "", "extra": 1, "mutation_id": "7"}

    over_mcp = problem(mcp.call(revision, "conversations_create", wrong))
    over_rest = mcp.service.send("conversations_create", wrong).body

    assert over_mcp | {"request_id": ""} == over_rest | {"request_id": ""}


@every_revision
def test_who_may_not_is_told_so_in_a_result(mcp: Mcp, revision: str) -> None:
    service = mcp.service
    viewer = service.member(NOBODYS_ID, role="viewer")
    headers = {"authorization": f"Bearer {viewer}"}

    refused = problem(mcp.call(revision, "conversations_create", service.creation(), headers=headers))

    assert (refused["code"], refused["status"]) == ("role_required", 403)


@every_revision
def test_a_call_of_each_kind_of_error_carries_its_next_step(mcp: Mcp, revision: str) -> None:
    service = mcp.service
    unknown = {"workspace_id": service.workspace_id, "conversation_id": NOBODYS_ID}

    refused = problem(mcp.call(revision, "conversations_get", unknown))

    assert (refused["code"], refused["retryable"]) == ("not_found", False)
    assert "Check the ids" in refused["detail"]


def test_the_server_has_the_version_of_the_project() -> None:
    project = (Path(__file__).parents[2] / "pyproject.toml").read_text()

    assert f'version = "{mcp_server.VERSION}"' in project


@every_revision
def test_a_call_over_mcp_reads_what_rest_reads_and_first_the_token(mcp: Mcp, revision: str) -> None:
    arguments = {"workspace_id": mcp.service.workspace_id}
    calls = mcp.service.aws.calls

    calls.clear()
    mcp.service.send("projects_list", arguments)
    over_rest = calls.total()
    calls.clear()
    mcp.call(revision, "projects_list", arguments)

    assert calls.total() == over_rest + 1

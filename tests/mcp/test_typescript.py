"""Programs that others wrote in TypeScript against ours: the MCP Inspector, and the official conformance suite."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from infra.local.gateway import Gateway
from research.edges.mcp_server import Offer
from research.words.catalogue import OPERATIONS
from tests.mcp import node, suite_tools
from tests.mcp.rpc import Mcp
from tests.stack.research_command import Dev

HERE = Path(__file__).parent


def inspect(stack: Dev, *arguments: str) -> Any:
    """What the Inspector prints, asking a running stack."""
    facts = json.loads(stack.line)
    header = f"Authorization: Bearer {facts['token']}"
    done = node.run(
        node.INSPECTOR, "--cli", facts["mcp_url"], "--transport", "http", "--header", header, *arguments, timeout=60
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_inspector_lists_every_tool(stack: Dev) -> None:
    listed = inspect(stack, "--method", "tools/list")["tools"]

    assert [tool["name"] for tool in listed] == [operation.tool for operation in OPERATIONS]


def test_the_inspector_calls_a_tool_and_is_given_its_result(stack: Dev) -> None:
    workspace = f"workspace_id={stack.facts.workspace_id}"

    result = inspect(
        stack, "--method", "tools/call", "--tool-name", "sosoapi_research_projects_list", "--tool-arg", workspace
    )

    assert not result["isError"]
    assert [project["id"] for project in result["structuredContent"]["projects"]] == [stack.facts.project_id]


def test_the_inspector_finds_the_prompt(stack: Dev) -> None:
    assert [prompt["name"] for prompt in inspect(stack, "--method", "prompts/list")["prompts"]] == ["cited_research"]


@contextmanager
def served(mcp: Mcp) -> Iterator[str]:
    """The endpoint behind the local gateway, to callers of the suite: it knows of no tokens, so it is given one."""

    def with_token(event: dict[str, Any], context: Any) -> Any:
        event["headers"].setdefault("authorization", f"Bearer {mcp.service.token}")
        return mcp.endpoint(event, context)

    with Gateway({"/mcp": with_token}, with_token) as gateway:
        url = gateway.url.replace("127.0.0.1", "localhost")
        mcp.endpoint._origins = frozenset({url})
        mcp.endpoint._servers[Offer()] = suite_tools.server(mcp.endpoint._call)
        yield f"{url}/mcp"


PARTLY = {
    "server-stateless": {"sep-2575-http-server-no-independent-requests-on-stream"},
    "caching": {"sep-2549-resources-list-caching-hints", "sep-2549-resources-templates-list-caching-hints"},
}
"""Scenarios in a baseline of which we fail these checks alone, for want of the feature that they are about."""


@pytest.mark.parametrize("revision", ["2026-07-28", "2025-11-25"])
def test_the_conformance_suite_finds_nothing_but_what_is_not_offered(mcp: Mcp, revision: str, tmp_path: Path) -> None:
    """The baselines name what fails, each with the feature that is not offered; anything else there fails too."""
    baseline = str(HERE / "conformance" / f"{revision}.yml")
    options = ("--suite", "all", "--spec-version", revision, "--expected-failures", baseline, "-o", str(tmp_path))
    with served(mcp) as url:
        done = node.run(node.CONFORMANCE, "server", "--url", url, *options)

    assert done.returncode == 0, done.stdout.partition("=== SUMMARY ===")[2] + done.stderr
    for scenario, known in PARTLY.items():
        for results in tmp_path.glob(f"server-{scenario}-*/checks.json"):
            checks = json.loads(results.read_text())
            assert {check["id"] for check in checks if check["status"] == "FAILURE"} == known
            assert len([check for check in checks if check["status"] == "SUCCESS"]) > len(known)

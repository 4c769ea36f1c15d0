"""`research mcp`: what a client that starts its servers itself gets, over the official SDK's stdio client."""

import asyncio
import json
import signal
import subprocess
import time
import uuid
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from harness.schemas import check_result
from mcp import Client, StdioServerParameters

from research.edges import mcp_stdio
from research.edges.mcp_server import Offer
from research.words.catalogue import BY_NAME, OPERATIONS
from tests.mcp.research import research
from tests.stack.research_command import COMMAND, ROOT, Dev, dev, environment
from tests.stack.research_command import research as command

every_mode = pytest.mark.parametrize("mode", ["2026-07-28", "legacy", "auto"])


@asynccontextmanager
async def started(directory: Path, url: str, token: str, mode: str = "auto", **more: str) -> AsyncIterator[Client]:
    variables = environment(directory, SOSOAPI_URL=url, SOSOAPI_TOKEN=token, **more)
    server = StdioServerParameters(command=COMMAND[0], args=[*COMMAND[1:], "mcp"], env=variables, cwd=ROOT)
    async with Client(server, mode=mode) as client:
        yield client


async def pause() -> None:
    await asyncio.sleep(0.1)


@every_mode
def test_a_piece_of_research_by_tool_calls_alone(stack: Dev, tmp_path: Path, mode: str) -> None:
    facts = stack.facts

    async def use() -> None:
        async with started(tmp_path, facts.rest_url, facts.token, mode, SOSOAPI_OUTPUT_SCHEMAS="1") as client:
            listed = (await client.list_tools()).tools
            assert [tool.name for tool in listed] == [operation.tool for operation in OPERATIONS]

            async def call(operation: str, arguments: dict[str, Any]) -> Any:
                result = await client.call_tool(BY_NAME[operation].tool, arguments)
                assert not result.is_error, result.content
                check_result(operation, result.structured_content)
                return result.structured_content

            status, citations = await research(call, facts.workspace_id, pause)
            assert status["run"]["status"] == "completed"
            assert "battery" in citations["citations"]["answer"]["passages"][0]["text"]

    asyncio.run(use())


def test_an_error_of_the_api_is_handed_on_as_it_is(stack: Dev, tmp_path: Path) -> None:
    async def use() -> None:
        async with started(tmp_path, stack.facts.rest_url, stack.facts.token) as client:
            refused = await client.call_tool(BY_NAME["projects_list"].tool, {"workspace_id": "a workspace"})
            document = json.loads(refused.content[0].text)  # type: ignore[union-attr]
            assert (refused.is_error, document["code"]) == (True, "invalid_request")
            assert document["errors"][0]["pointer"] == "/workspace_id"

    asyncio.run(use())


def test_an_api_that_cannot_be_reached_is_an_error_that_says_what_to_do(tmp_path: Path) -> None:
    async def use() -> None:
        async with started(tmp_path, "http://127.0.0.1:9", "rtk_x", SOSOAPI_PROFILE="core") as client:
            assert len((await client.list_tools()).tools) == 4
            refused = await client.call_tool(BY_NAME["projects_list"].tool, {"workspace_id": "w"})
            document = json.loads(refused.content[0].text)  # type: ignore[union-attr]
            assert (refused.is_error, document["code"], document["retryable"]) == (True, "unreachable", True)
            assert "Check SOSOAPI_URL" in document["detail"]

    asyncio.run(use())


@pytest.mark.parametrize(
    ("variables", "named"),
    [
        ({}, ["SOSOAPI_URL", "SOSOAPI_TOKEN"]),
        ({"SOSOAPI_URL": "http://127.0.0.1:8787"}, ["SOSOAPI_TOKEN"]),
        ({"SOSOAPI_URL": "127.0.0.1:8787", "SOSOAPI_TOKEN": "a token"}, ["SOSOAPI_URL", "SOSOAPI_TOKEN"]),
        (
            {
                "SOSOAPI_URL": "https://a.example",
                "SOSOAPI_TOKEN": "rtk_x",
                "SOSOAPI_PROFILE": "all",
                "SOSOAPI_OUTPUT_SCHEMAS": "yes",
            },
            ["SOSOAPI_PROFILE", "SOSOAPI_OUTPUT_SCHEMAS"],
        ),
    ],
)
def test_what_is_missing_is_said_plainly_and_on_standard_error(
    tmp_path: Path, variables: dict[str, str], named: list[str]
) -> None:
    refused = command(tmp_path, "mcp", **{"SOSOAPI_URL": "", "SOSOAPI_TOKEN": "", **variables})

    assert (refused.returncode, refused.stdout) == (2, "")
    lines = refused.stderr.splitlines()
    assert "research mcp cannot start" in lines[0]
    assert [line.strip().partition(":")[0] for line in lines[1:]] == named


def initialize(directory: Path) -> "subprocess.Popen[str]":
    """The server, after its first answer."""
    process = subprocess.Popen(
        (*COMMAND, "mcp"),
        cwd=ROOT,
        env=environment(directory, SOSOAPI_URL="http://127.0.0.1:9", SOSOAPI_TOKEN="rtk_x"),  # noqa: S106 (nobody's)
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    params = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "a client", "version": "1"}}
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}) + "\n")
    process.stdin.flush()
    assert json.loads(process.stdout.readline())["result"]["protocolVersion"] == "2025-06-18"
    return process


def test_nothing_but_protocol_is_printed_and_it_ends_with_its_input(tmp_path: Path) -> None:
    process = initialize(tmp_path)

    said, complained = process.communicate('not JSON\n{"jsonrpc": "2.0", "id": 2, "method": "ping"}\n', timeout=20)

    assert [json.loads(line) for line in said.splitlines() if '"id":2' in line] == [
        {"jsonrpc": "2.0", "id": 2, "result": {}}
    ]
    assert all(json.loads(line)["jsonrpc"] == "2.0" for line in said.splitlines())
    assert (process.returncode, complained) == (0, "")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_at_once_when_it_is_told_to(tmp_path: Path, number: signal.Signals) -> None:
    process = initialize(tmp_path)
    began = time.monotonic()

    process.send_signal(number)
    process.communicate(timeout=10)

    assert process.returncode != 0
    assert time.monotonic() - began < 5


def importing(stack: Dev, tmp_path: Path, **arguments: Any) -> tuple[bool, Any]:
    """Whether `sources_import` with these arguments is an error, and its document."""
    facts = stack.facts
    names = {"workspace_id": facts.workspace_id, "project_id": facts.project_id, "mutation_id": str(uuid.uuid4())}

    async def use() -> tuple[bool, Any]:
        async with started(tmp_path, facts.rest_url, facts.token) as client:
            result = await client.call_tool(BY_NAME["sources_import"].tool, {**names, **arguments})
            return result.is_error, json.loads(result.content[0].text)  # type: ignore[union-attr]

    return asyncio.run(use())


@pytest.fixture(scope="module")
def own_stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Dev]:
    with dev(tmp_path_factory.mktemp("importing"), "--json") as running:
        yield running


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("more.jsonl", '{"text": "It is loud at night.", "id": "a"}\n'),
        ("more.csv", "id,text\nb,It is light to carry.\n"),
    ],
)
def test_an_import_may_name_a_file_of_this_machine(own_stack: Dev, tmp_path: Path, name: str, content: str) -> None:
    (tmp_path / name).write_text(content)

    failed, document = importing(own_stack, tmp_path, file=str(tmp_path / name))

    assert (failed, document.get("new"), len(document.get("evidence", []))) == (False, 1, 1)


def test_a_file_that_does_not_do_is_an_error_at_its_line_that_quotes_nothing(stack: Dev, tmp_path: Path) -> None:
    (tmp_path / "bad.jsonl").write_text('{"text": "good"}\n{"words": "what somebody wrote"}\n')

    for arguments, said in (
        ({"file": str(tmp_path / "bad.jsonl")}, "line 2"),
        ({"file": str(tmp_path / "none.jsonl")}, "cannot be read"),
        ({"file": str(tmp_path)}, "cannot be read"),
        ({"file": 7}, "path of a file"),
        ({"file": "a.jsonl", "sources": []}, "instead of sources"),
    ):
        failed, document = importing(stack, tmp_path, **arguments)

        assert (failed, document["code"]) == (True, "invalid_request")
        (fault,) = document["errors"]
        assert fault["pointer"] == "/file"
        assert said in fault["detail"]
        assert "somebody" not in fault["detail"]


def test_a_file_of_more_sources_than_an_import_takes_says_how_many(stack: Dev, tmp_path: Path) -> None:
    (tmp_path / "many.jsonl").write_text("".join(f'{{"text": "number {number}"}}\n' for number in range(101)))

    failed, document = importing(stack, tmp_path, file=str(tmp_path / "many.jsonl"))

    assert failed
    assert "101 sources; one import takes 100 at most" in document["errors"][0]["detail"]


def test_a_file_is_offered_over_stdio_and_not_over_http() -> None:
    (listed,) = (tool for tool in mcp_stdio.tools(Offer()) if tool["name"] == BY_NAME["sources_import"].tool)
    (over_http,) = (tool for tool in Offer().tools() if tool["name"] == BY_NAME["sources_import"].tool)

    assert listed["inputSchema"]["properties"].keys() - over_http["inputSchema"]["properties"].keys() == {"file"}
    assert set(over_http["inputSchema"]["required"]) - set(listed["inputSchema"]["required"]) == {"sources"}

"""The official SDK's client, in each of its modes, over real HTTP; and a piece of research in each revision."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import pytest
from harness.model import quoting, reply
from harness.schemas import check_result
from harness.service import TEXTS, Service
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client

from research.words.catalogue import BY_NAME, OPERATIONS
from tests.mcp.research import research
from tests.mcp.rpc import JSON, REVISIONS, Mcp, request
from tests.stack.research_command import Dev

MODES = {"2026-07-28": "2026-07-28", "legacy": "2025-11-25", "auto": "2026-07-28"}
"""What each of the client's modes comes to speak with a server of every revision."""

every_mode = pytest.mark.parametrize("mode", MODES)


@asynccontextmanager
async def connected(stack: Dev, mode: str, query: str = "", token: str = "") -> AsyncIterator[Client]:
    facts = json.loads(stack.line)
    headers = {"authorization": f"Bearer {token or facts['token']}"}
    async with (
        httpx2.AsyncClient(headers=headers, trust_env=False, timeout=30) as http,
        Client(streamable_http_client(facts["mcp_url"] + query, http_client=http), mode=mode) as client,
    ):
        yield client


async def pause() -> None:
    await asyncio.sleep(0.1)


@every_mode
def test_the_client_lists_every_tool_with_its_schema(stack: Dev, mode: str) -> None:
    async def use() -> None:
        async with connected(stack, mode, "?output_schemas=1") as client:
            assert client.protocol_version == MODES[mode]
            listed = (await client.list_tools()).tools
            assert [tool.name for tool in listed] == [operation.tool for operation in OPERATIONS]
            assert all(tool.output_schema and tool.title and tool.description for tool in listed)
            if mode != "2026-07-28":  # in which this client does not ask who serves it
                assert client.server_info.name == "cited-research"
                assert "assistant_status" in str(client.instructions)

    asyncio.run(use())


@every_mode
def test_the_client_is_given_errors_as_results_and_unknown_tools_as_errors(stack: Dev, mode: str) -> None:
    async def use() -> None:
        async with connected(stack, mode, "?output_schemas=1") as client:
            await client.list_tools()
            refused = await client.call_tool(BY_NAME["projects_list"].tool, {"workspace_id": 7})
            assert (refused.is_error, refused.structured_content) == (True, None)
            assert json.loads(refused.content[0].text)["code"] == "invalid_request"  # type: ignore[union-attr]
            with pytest.raises(MCPError):
                await client.call_tool("no_such_tool", {})

    asyncio.run(use())


@every_mode
def test_the_client_gets_through_a_piece_of_research_by_tool_calls_alone(stack: Dev, mode: str) -> None:
    """With output schemas listed, so that the client itself holds each result to its schema."""

    async def use() -> None:
        async with connected(stack, mode, "?output_schemas=1") as client:
            await client.list_tools()

            async def call(operation: str, arguments: dict[str, Any]) -> Any:
                result = await client.call_tool(BY_NAME[operation].tool, arguments)
                assert not result.is_error, result.content
                check_result(operation, result.structured_content)
                return result.structured_content

            status, citations = await research(call, stack.facts.workspace_id, pause)
            assert status["run"]["status"] == "completed"
            assert "battery" in citations["citations"]["answer"]["passages"][0]["text"]

    asyncio.run(use())


@every_mode
def test_the_client_finds_the_prompt(stack: Dev, mode: str) -> None:
    async def use() -> None:
        async with connected(stack, mode) as client:
            (prompt,) = (await client.list_prompts()).prompts
            given = {"question": "How loud is it?", "workspace_id": stack.facts.workspace_id}
            found = await client.get_prompt(prompt.name, given)
            assert "How loud is it?" in found.messages[0].content.text  # type: ignore[union-attr]

    asyncio.run(use())


@every_mode
def test_the_client_connects_by_either_spelling(stack: Dev, mode: str) -> None:
    async def use() -> None:
        async with connected(stack, mode, "/?profile=core") as client:
            listed = (await client.list_tools()).tools
            assert [tool.name for tool in listed] == [each.tool for each in OPERATIONS if "core" in each.profiles]

    asyncio.run(use())


@every_mode
def test_without_a_valid_token_the_client_does_not_come_in(stack: Dev, mode: str) -> None:
    async def use() -> None:
        async with connected(stack, mode, token="rtk_nobody") as client:  # noqa: S106 (nobody's)
            await client.list_tools()

    with pytest.raises((httpx2.HTTPStatusError, MCPError, ExceptionGroup)):
        asyncio.run(use())


@pytest.mark.parametrize(("host", "status"), [("127.0.0.1", 200), ("localhost", 200), ("evil.example", 403)])
def test_the_local_stack_serves_its_own_pages_and_no_others(stack: Dev, host: str, status: int) -> None:
    """Under a name that leads here but is not ours, a page could otherwise reach a developer's stack."""
    facts = json.loads(stack.line)
    message, headers = request("2025-11-25", "tools/list")
    origin = facts["rest_url"].replace("127.0.0.1", host)
    sent = {**JSON, **headers, "authorization": f"Bearer {facts['token']}", "origin": origin}

    with httpx2.Client(trust_env=False, timeout=30) as http:
        assert http.post(facts["mcp_url"], json=message, headers=sent).status_code == status


@pytest.mark.parametrize("revision", REVISIONS)
def test_a_piece_of_research_by_tool_calls_alone_in_each_revision(service: Service, revision: str) -> None:
    """From within a running event loop, too: a handler is called wherever it is called."""
    mcp = Mcp(service)
    everywhere = [(f"ev_{number}", TEXTS[0]) for number in (1, 2, 3)]  # it holds in the one that says it
    service.model.script = [reply(quoting(*everywhere))]

    async def call(operation: str, arguments: dict[str, Any]) -> Any:
        return mcp.call(revision, operation, arguments)["structuredContent"]

    async def work() -> None:
        service.deliver()

    status, citations = asyncio.run(research(call, service.workspace_id, work))

    assert status["run"]["status"] == "completed"
    assert "battery" in citations["citations"]["answer"]["passages"][0]["text"]

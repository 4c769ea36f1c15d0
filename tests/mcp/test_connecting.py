"""The lines of README.md that connect a client, each tried as it is pasted, once its placeholders are replaced."""

import asyncio
import json
import re
import shlex
import sys
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from research.words.catalogue import OPERATIONS
from tests.stack.research_command import ROOT, Dev, environment

README = (ROOT / "README.md").read_text()
SECTION = README.split("\n## Connect an MCP client\n")[1].split("\n## ")[0]
DOCUMENTS = re.findall(r"```json\n(.*?)```", SECTION, re.DOTALL)
LINES = re.findall(r"^claude mcp add .*$", SECTION, re.MULTILINE)


def filled(text: str, stack: Dev) -> str:
    """The text with this stack's address and token, and this environment's `research`."""
    facts = stack.facts
    return (
        text.replace("http://127.0.0.1:8787", facts.rest_url)
        .replace("rtk_…", facts.token)
        .replace("/path/to/cited-research/.venv/bin", str(Path(sys.executable).parent))
    )


async def listed(server: Any) -> list[str]:
    async with Client(server) as client:
        return [tool.name for tool in (await client.list_tools()).tools]


async def over_http(url: str, headers: dict[str, str]) -> list[str]:
    async with httpx2.AsyncClient(headers=headers, trust_env=False) as http:
        return await listed(streamable_http_client(url, http_client=http))


async def over_stdio(command: str, arguments: list[str], variables: dict[str, str], directory: Path) -> list[str]:
    server = StdioServerParameters(command=command, args=arguments, env=environment(directory, **variables))
    return await listed(server)


EVERY_TOOL = [operation.tool for operation in OPERATIONS]


@pytest.mark.parametrize("number", range(len(DOCUMENTS)))
def test_each_configuration_file_connects(stack: Dev, tmp_path: Path, number: int) -> None:
    document = json.loads(filled(DOCUMENTS[number], stack))
    ((servers, named),) = document.items()
    server = named["cited-research"]

    assert servers in ("mcpServers", "servers")
    if "url" in server:
        assert server.get("type") in (None, "http")
        found = asyncio.run(over_http(server["url"], server["headers"]))
    else:
        assert server.get("type") in (None, "stdio")
        found = asyncio.run(over_stdio(server["command"], server["args"], server["env"], tmp_path))
    assert found == EVERY_TOOL


def test_the_line_for_claude_code_over_http_connects(stack: Dev) -> None:
    words = shlex.split(filled(LINES[0], stack))

    assert words[:5] == ["claude", "mcp", "add", "--transport", "http"]
    name, url, option, header = words[5:]
    assert (name, option) == ("cited-research", "--header")
    assert asyncio.run(over_http(url, dict([header.split(": ")]))) == EVERY_TOOL


def test_the_line_for_claude_code_over_stdio_connects(stack: Dev, tmp_path: Path) -> None:
    words = shlex.split(filled(LINES[1], stack))
    options, (command, *arguments) = words[: words.index("--")], words[words.index("--") + 1 :]

    variables = dict(options[at + 1].split("=", 1) for at, word in enumerate(options) if word == "--env")
    assert options[-3:] == ["--transport", "stdio", "cited-research"]
    assert asyncio.run(over_stdio(command, arguments, variables, tmp_path)) == EVERY_TOOL


def test_every_client_has_its_lines() -> None:
    assert (len(DOCUMENTS), len(LINES)) == (4, 2)
    for client in ("Claude Code", "Claude Desktop", "Cursor", "VS Code"):
        assert f"**{client}**" in SECTION

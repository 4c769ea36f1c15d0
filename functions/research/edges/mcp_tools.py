"""Operations as MCP tools: how they are listed, and how a result or a problem reads."""

import json
from typing import Any

import mcp_types as types

from research.words import published
from research.words.catalogue import OPERATIONS, Profile
from research.words.descriptions import DESCRIPTIONS
from research.words.problems import Problem

BY_TOOL = {operation.tool: operation for operation in OPERATIONS}


def documents(profile: Profile, *, output_schemas: bool) -> list[dict[str, Any]]:
    """A profile's tools as `tools/list` has them, in the order of the catalogue."""
    listed = []
    for operation in OPERATIONS:
        if profile not in operation.profiles:
            continue
        contract, description = published.tool(operation), DESCRIPTIONS[operation.name]
        document = {
            "name": contract["tool"],
            "title": description.title,
            "description": description.text,
            "inputSchema": contract["inputSchema"],
            "annotations": contract["annotations"],
        }
        if output_schemas:
            document["outputSchema"] = contract["outputSchema"]
        listed.append(document)
    return listed


def succeeded(text: str) -> types.CallToolResult:
    """A result that is already JSON: structured, and as text for clients that read only that."""
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=text)], structured_content=json.loads(text)
    )


def refused(document: dict[str, Any]) -> types.CallToolResult:
    """A problem document. As text alone: clients hold what is structured against the tool's output schema."""
    text = json.dumps(document, ensure_ascii=False)
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)], is_error=True)


def problem(code: str, request_id: str) -> types.CallToolResult:
    """The result for a problem that has nothing to add to its row in the table."""
    return refused(Problem(code).document(request_id))

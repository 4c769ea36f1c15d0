"""The official SDK's low-level server over our operations: tools, one prompt, instructions. It knows no transport."""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import mcp_types as types
from mcp.server.caching import CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from research.edges import mcp_tools
from research.words import descriptions
from research.words.catalogue import Operation, Profile

NAME = "cited-research"
VERSION = "0.1.0"

Context = ServerRequestContext[Any, Any]
Call = Callable[[Context, Operation, dict[str, Any]], Awaitable[types.CallToolResult]]
"""What carries a tool call out. It raises nothing: a failure is a result too."""
Tools = Callable[[], list[dict[str, Any]]]
"""The tools to list, in order, as `tools/list` has them."""

_LIST = CacheHint(ttl_ms=300_000, scope="private")
_DISCOVERY = CacheHint(ttl_ms=3_600_000, scope="private")


@dataclass(frozen=True, slots=True)
class Offer:
    """What a connection sees of the service. It never decides what a caller may do."""

    profile: Profile = "full"
    output_schemas: bool = False

    def tools(self) -> list[dict[str, Any]]:
        """The profile's tools."""
        return mcp_tools.documents(self.profile, output_schemas=self.output_schemas)


def build(offer: Offer, call: Call, tools: Tools | None = None) -> Server:
    """A server of this offer, whose tools are `offer.tools()` unless others are given."""
    # The SDK logs exceptions with what they hold, such as the result that it could not send.
    logging.getLogger("mcp").setLevel(logging.CRITICAL + 1)
    listing = cache(lambda: types.ListToolsResult.model_validate({"tools": (tools or offer.tools)()}))

    async def list_tools(_context: Context, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        _only_page(params)
        return listing()

    async def call_tool(context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        operation = mcp_tools.BY_TOOL.get(params.name)
        if operation is None:
            raise MCPError(types.INVALID_PARAMS, "Unknown tool: tools/list has the names.")
        return await call(context, operation, params.arguments or {})

    asks = offer.profile == "full"  # the prompt is about asking, which the reading tools alone cannot do
    return Server(
        NAME,
        version=VERSION,
        title="Cited Research",
        instructions=descriptions.INSTRUCTIONS,
        cache_hints={"server/discover": _DISCOVERY, "tools/list": _LIST, "prompts/list": _LIST},
        get_tool_input_schema=_no_header_schema,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_prompts=_list_prompts if asks else None,
        on_get_prompt=_get_prompt if asks else None,
    )


def _no_header_schema(_tool: str) -> None:
    """No argument is mirrored in a header; without this the SDK would list the tools before each call to find out."""


async def _list_prompts(_context: Context, params: types.PaginatedRequestParams | None) -> types.ListPromptsResult:
    _only_page(params)
    arguments = [
        types.PromptArgument(name=name, description=text, required=required)
        for name, (text, required) in descriptions.PROMPT_ARGUMENTS.items()
    ]
    prompt = types.Prompt(
        name=descriptions.PROMPT_NAME,
        title=descriptions.PROMPT_TITLE,
        description=descriptions.PROMPT_DESCRIPTION,
        arguments=arguments,
    )
    return types.ListPromptsResult(prompts=[prompt])


async def _get_prompt(_context: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
    if params.name != descriptions.PROMPT_NAME:
        raise MCPError(types.INVALID_PARAMS, "Unknown prompt: prompts/list has the names.")
    given = {"language": "en", **(params.arguments or {})}
    missing = [name for name in descriptions.PROMPT_ARGUMENTS if not given.get(name)]
    if missing:
        raise MCPError(types.INVALID_PARAMS, f"The prompt needs these arguments too: {', '.join(missing)}.")
    text = descriptions.PROMPT.format(**{name: given[name] for name in descriptions.PROMPT_ARGUMENTS})
    message = types.PromptMessage(role="user", content=types.TextContent(type="text", text=text))
    return types.GetPromptResult(description=descriptions.PROMPT_DESCRIPTION, messages=[message])


def _only_page(params: types.PaginatedRequestParams | None) -> None:
    """Everything is on one page, so there is no cursor that we could have given."""
    if params is not None and params.cursor is not None:
        raise MCPError(types.INVALID_PARAMS, "Unknown cursor: everything is on the first page.")

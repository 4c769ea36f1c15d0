"""MCP over standard input and output, for clients that start their servers themselves: each call goes on to the API."""

from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
import mcp_types as types
from mcp.server.stdio import stdio_server

from research.edges import mcp_server, mcp_tools
from research.edges.mcp_server import Context, Offer
from research.words import ids
from research.words.catalogue import BY_NAME, Operation
from research.words.contract import MAX_SOURCES
from research.words.problems import FieldError, Problem
from research.words.sources import Source

_IMPORT = BY_NAME["sources_import"]
_FILE = {
    "type": "string",
    "minLength": 1,
    "description": (
        "Instead of sources: the path of a file on this machine, JSON Lines or CSV with a header, with text and "
        f"optionally id, title, url, author, published_at and language; at most {MAX_SOURCES} sources."
    ),
}


class NotDone(Exception):
    """A call that did not come to a result. `document` says why, as a problem document does."""

    def __init__(self, document: dict[str, Any]) -> None:
        super().__init__(document["code"])
        self.document = document


class UnusableFile(Exception):
    """A file of evidence that cannot be taken; the message says why, without quoting it."""


Forward = Callable[[Operation, dict[str, Any]], str]
"""Calls the API: the result's JSON. Blocks; raises NotDone."""
ReadFile = Callable[[Path], list[Source]]
"""Reads a file of evidence. Raises UnusableFile."""


def serve(offer: Offer, forward: Forward, read_file: ReadFile) -> None:
    """Answer until standard input ends. Nothing but protocol goes to standard output."""

    def call(operation: Operation, arguments: dict[str, Any]) -> types.CallToolResult:
        return _called(operation, arguments, forward, read_file)

    anyio.run(_serve, offer, call)


async def _serve(offer: Offer, call: Callable[[Operation, dict[str, Any]], types.CallToolResult]) -> None:
    async def in_a_thread(_context: Context, operation: Operation, arguments: dict[str, Any]) -> types.CallToolResult:
        return await anyio.to_thread.run_sync(call, operation, arguments, abandon_on_cancel=True)

    server = mcp_server.build(offer, in_a_thread, lambda: tools(offer))
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


def tools(offer: Offer) -> list[dict[str, Any]]:
    """The offer's tools; an import may name a local file here, and only here."""
    listed = deepcopy(offer.tools())
    for tool in listed:
        if tool["name"] == _IMPORT.tool:
            schema = tool["inputSchema"]
            schema["properties"]["file"] = _FILE
            schema["required"].remove("sources")
    return listed


def _called(
    operation: Operation, arguments: dict[str, Any], forward: Forward, read_file: ReadFile
) -> types.CallToolResult:
    """A call carried out; whatever goes wrong is a result too."""
    try:
        if operation is _IMPORT and "file" in arguments:
            arguments = _with_sources(arguments, read_file)
        return mcp_tools.succeeded(forward(operation, arguments))
    except NotDone as failure:
        return mcp_tools.refused(failure.document)
    except Problem as problem:
        return mcp_tools.refused(problem.document(ids.new()))
    except Exception:  # noqa: BLE001 (the older revisions would be told its text)
        return mcp_tools.problem("internal_error", ids.new())


def _with_sources(arguments: dict[str, Any], read_file: ReadFile) -> dict[str, Any]:
    """The arguments with the file's sources in its place. Raises `invalid_request`."""
    file = arguments["file"]
    if not isinstance(file, str) or not file or "\0" in file or "sources" in arguments:
        raise _unusable("The path of a file is expected, instead of sources.")
    try:
        sources = read_file(Path(file).expanduser())
    except UnusableFile as fault:
        raise _unusable(str(fault)) from None
    if len(sources) > MAX_SOURCES:
        raise _unusable(f"It has {len(sources)} sources; one import takes {MAX_SOURCES} at most. Split the file.")
    others = {name: content for name, content in arguments.items() if name != "file"}
    return {**others, "sources": [source.model_dump(exclude_none=True) for source in sources]}


def _unusable(detail: str) -> Problem:
    return Problem("invalid_request", errors=(FieldError("/file", detail),))

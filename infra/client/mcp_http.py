"""The operations as tools of /mcp, through the official SDK's client: what `make demo` asks with."""

import json
from contextlib import ExitStack
from types import TracebackType
from typing import Any, Self

import httpx2
from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult, TextContent

from infra.client.rest import TIMEOUT_SECONDS, is_local, refused, unreachable
from research.words.catalogue import BY_NAME


class McpApi:
    """A connection to one /mcp address under one token, from its block's begin to its end."""

    def __init__(self, url: str, token: str) -> None:
        self._url = url
        self._http = httpx2.AsyncClient(
            timeout=TIMEOUT_SECONDS, headers={"authorization": f"Bearer {token}"}, trust_env=not is_local(url)
        )
        self._opened = ExitStack()

    def __enter__(self) -> Self:
        """Raises ApiError if there is no MCP server."""
        with ExitStack() as opening:
            self._portal: BlockingPortal = opening.enter_context(start_blocking_portal())
            opening.callback(self._portal.call, self._http.aclose)
            client = Client(streamable_http_client(self._url, http_client=self._http), mode="auto")
            try:
                self._client = opening.enter_context(self._portal.wrap_async_context_manager(client))
            except (httpx2.HTTPError, MCPError, ExceptionGroup) as error:
                raise unreachable(self._url, error) from None
            self._opened = opening.pop_all()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._opened.close()

    def call(self, operation: str, **arguments: Any) -> dict[str, Any]:
        """The result of one operation's tool. Raises ApiError."""
        try:
            result = self._portal.call(self._client.call_tool, BY_NAME[operation].tool, arguments)
        except (httpx2.HTTPError, MCPError) as error:
            raise unreachable(self._url, error) from None
        if result.is_error:
            raise refused(json.loads(_text(result)))
        content: dict[str, Any] = result.structured_content or {}
        return content


def _text(result: CallToolResult) -> str:
    return "".join(block.text for block in result.content if isinstance(block, TextContent))

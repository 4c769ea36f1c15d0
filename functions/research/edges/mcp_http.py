"""Streamable HTTP for one request of an API Gateway event: the message, and the SDK's answer to it.

The rules are those of the specification's transport page (2026-07-28) and of the earlier revisions where they differ.
The SDK is stricter in some, laxer in others, and would quote the caller in a few; those are decided here.
"""

import asyncio
import json
from collections.abc import Coroutine, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS
from starlette.types import Message as AsgiMessage

from research.edges import http
from research.edges.http import Event, Response
from research.words.problems import Problem

JSON, EVENT_STREAM = "application/json", "text/event-stream"

_VERSION_HEADER = "mcp-protocol-version"
_VERSION_KEY = types.PROTOCOL_VERSION_META_KEY
_VERSIONS = (*HANDSHAKE_PROTOCOL_VERSIONS, *MODERN_PROTOCOL_VERSIONS)

R = TypeVar("R")


class Refused(Exception):
    """A message that is answered with a JSON-RPC error without asking the SDK."""

    def __init__(self, status: int, code: int, message: str, **more: Any) -> None:
        super().__init__(message)
        self.status = status
        self.error = {"code": code, "message": message, **more}
        self.id: Any = None


def message(event: Event) -> dict[str, Any]:
    """The one JSON-RPC request or notification in the body. Raises Refused."""
    value = http.json_or_problem(event)
    if isinstance(value, Problem):
        raise Refused(400, types.PARSE_ERROR, "The body is not one JSON value in UTF-8 with each member name once.")
    if isinstance(value, list):
        raise Refused(400, types.INVALID_REQUEST, "Batches are not served: send each message in a POST of its own.")
    if not isinstance(value, dict) or not _well_formed(value):
        raise Refused(400, types.INVALID_REQUEST, "The body is not one JSON-RPC 2.0 request or notification.")
    return value


def _well_formed(value: Mapping[str, Any]) -> bool:
    """JSON-RPC 2.0, with the narrower ids of MCP: text or a whole number, never null."""
    identifier = value.get("id", 0)
    return (
        value.get("jsonrpc") == "2.0"
        and isinstance(value.get("method"), str)
        and isinstance(value.get("params", {}), dict)
        and isinstance(identifier, (str, int))
        and not isinstance(identifier, bool)
        and _encodable(identifier)
    )


def _encodable(identifier: str | int) -> bool:
    """Whether it can be sent back: half of a surrogate pair cannot."""
    return not isinstance(identifier, str) or not any("\ud800" <= character <= "\udfff" for character in identifier)


def is_notification(sent: Mapping[str, Any]) -> bool:
    """A message that is never answered: it is accepted, and nothing here depends on it."""
    return "id" not in sent


def check_version(event: Event, sent: Mapping[str, Any]) -> None:
    """Raise Refused for a revision that nobody speaks, or a header and a body that name different ones.

    The SDK goes by the header alone, and would serve a message of the current revision by the rules of an old one.
    """
    named = http.header(event, _VERSION_HEADER)
    meta = sent.get("params", {}).get("_meta")
    claimed = meta.get(_VERSION_KEY) if isinstance(meta, dict) else None
    if is_notification(sent):
        if named is not None and named not in _VERSIONS:
            data = {"supported": list(MODERN_PROTOCOL_VERSIONS), "requested": named}
            raise Refused(400, types.UNSUPPORTED_PROTOCOL_VERSION, "Unsupported protocol version", data=data)
    elif claimed is not None and claimed != named and sent["method"] != "initialize":
        raise Refused(400, types.HEADER_MISMATCH, "MCP-Protocol-Version and the version in params._meta differ.")


def reply_type(event: Event) -> str:
    """JSON, or one server-sent event for a client that takes nothing else. Raises Refused if it takes neither."""
    accept = http.header(event, "accept") or "*/*"
    taken = {part.partition(";")[0].strip().lower() for part in accept.split(",")}
    if taken & {"*/*", "application/*", JSON}:
        return JSON
    if taken & {"text/*", EVENT_STREAM}:
        return EVENT_STREAM
    raise Refused(406, types.INVALID_REQUEST, f"Accept {JSON}: every answer here is JSON.")


def exchange(server: Server, event: Event, sent: Mapping[str, Any], state: Mapping[str, Any]) -> tuple[int, Any]:
    """The status and the JSON-RPC response that the SDK gives to a request; `state` is `context.request.state`."""
    body = json.dumps(sent).encode()
    status, answered = _finished(_asgi(server, _scope(event, len(body), state), body))
    return status, json.loads(answered)


def response(status: int, document: Any, media_type: str, request: str) -> Response:
    """A JSON-RPC response. Characters are left as they are: escaped, a long answer would not fit a Lambda's reply."""
    body = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    if media_type == EVENT_STREAM:
        body = f"event: message\ndata: {body}\n\n"
    return http.response(status, media_type, body, request, {})


def accepted(request: str) -> Response:
    """The answer to a notification: no body, and so no media type."""
    return {
        "statusCode": 202,
        "headers": {"cache-control": "no-store", "request-id": request},
        "body": "",
        "isBase64Encoded": False,
    }


def _finished(exchanged: Coroutine[Any, Any, R]) -> R:
    """What a coroutine returns, in a loop of its own: also where this thread has one that is running already."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(exchanged)
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, exchanged).result()


async def _asgi(server: Server, scope: dict[str, Any], body: bytes) -> tuple[int, bytes]:
    """One call of the SDK's ASGI application, in memory."""
    status, received = 500, b""
    pending = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> AsgiMessage:
        if not pending:
            await asyncio.Event().wait()  # the caller never hangs up on a Lambda function
        return pending.pop()

    async def send(sent: AsgiMessage) -> None:
        nonlocal status, received
        if sent["type"] == "http.response.start":
            status = sent["status"]
        elif sent["type"] == "http.response.body":
            received += sent.get("body", b"")

    # Its `run` works once and belongs to one task, so there is one for each request.
    manager = StreamableHTTPSessionManager(server, json_response=True, stateless=True)
    async with manager.run():
        await manager.handle_request(scope, receive, send)
    return status, received


def _scope(event: Event, length: int, state: Mapping[str, Any]) -> dict[str, Any]:
    """The ASGI scope: the caller's own headers but those that were decided here."""
    decided = {
        "accept": f"{JSON}, {EVENT_STREAM}",
        "content-type": JSON,
        "content-length": str(length),
    }
    headers = {str(name).lower(): str(text).strip() for name, text in (event.get("headers") or {}).items()}
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "scheme": "https",
        "method": "POST",
        "path": "/mcp",
        "raw_path": b"/mcp",
        "root_path": "",
        "query_string": b"",
        "headers": [(name.encode(), text.encode("latin-1", "replace")) for name, text in (headers | decided).items()],
        "state": dict(state),
    }

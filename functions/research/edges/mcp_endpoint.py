"""MCP over HTTP: each request stands alone, whatever revision its client speaks. No session, no stream, no rule."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import mcp_types as types
from mcp.server.lowlevel import Server

from research.edges import http, mcp_http, mcp_server, mcp_tools
from research.edges.http import Event, Response
from research.edges.mcp_http import Refused
from research.edges.mcp_server import Context, Offer
from research.edges.rest import log_failure
from research.operations import audit
from research.operations.calls import Calls
from research.words.catalogue import PROFILES, SWITCH, Operation
from research.words.problems import FieldError, Problem


@dataclass(frozen=True, slots=True)
class Caller:
    """What a tool call needs of the request that brought it."""

    token: str
    request_id: str


class Endpoint:
    """The Lambda handler of /mcp, on every method. `offer` is what a connection sees that asks for nothing else."""

    def __init__(self, calls: Calls, offer: Offer, allowed_origins: Iterable[str]) -> None:
        self._calls = calls
        self._offer = offer
        self._origins = frozenset(allowed_origins)
        self._servers: dict[Offer, Server] = {}

    def __call__(self, event: Event, _context: Any) -> Response:
        """Answer one request, whatever happens."""
        request = http.request_id(event)
        try:
            with audit.calling("mcp", request):
                return self._answer(event, request)
        except Problem as problem:
            return http.refusal(problem, request)
        except Exception as error:  # noqa: BLE001 (the last resort: no failure may reach the caller as it is)
            log_failure(error, request)
            return http.refusal(Problem("internal_error"), request)

    def _answer(self, event: Event, request: str) -> Response:
        if http.method(event) != "POST":
            raise Problem("method_not_allowed")
        self._check_origin(event)
        token = self._calls.authenticate(http.bearer(event))
        http.check_body(event)
        offer = self._offered(event)
        try:
            return self._exchange(event, Caller(token, request), offer)
        except Refused as refusal:
            document = {"jsonrpc": "2.0", "id": refusal.id, "error": refusal.error}
            return mcp_http.response(refusal.status, document, mcp_http.JSON, request)

    def _exchange(self, event: Event, caller: Caller, offer: Offer) -> Response:
        media_type = mcp_http.reply_type(event)
        sent = mcp_http.message(event)
        try:
            mcp_http.check_version(event, sent)
        except Refused as refusal:
            refusal.id = sent.get("id")
            raise
        if mcp_http.is_notification(sent):
            return mcp_http.accepted(caller.request_id)
        status, document = mcp_http.exchange(self._server(offer), event, sent, {"caller": caller})
        return mcp_http.response(status, document, media_type, caller.request_id)

    def _check_origin(self, event: Event) -> None:
        """Raise `origin_not_allowed` for a web page that is none of ours.

        Our own host counts with https alone: only API Gateway vouches for the host, and it serves nothing else.
        """
        origin = http.header(event, "origin")
        own = f"https://{event['requestContext'].get('domainName')}"
        if origin is not None and origin != own and origin not in self._origins:
            raise Problem("origin_not_allowed")

    def _offered(self, event: Event) -> Offer:
        """What the query asks to see. Raises `invalid_request`."""
        query = event.get("queryStringParameters") or {}
        profile = query.get("profile", self._offer.profile)
        switch = query.get("output_schemas", str(int(self._offer.output_schemas)))
        faults = []
        if profile not in PROFILES:
            faults.append(FieldError("/profile", "In the address, profile is core or full."))
        if switch not in SWITCH:
            faults.append(FieldError("/output_schemas", "In the address, output_schemas is 0 or 1."))
        if faults:
            raise Problem("invalid_request", errors=tuple(faults))
        return Offer(PROFILES[profile], SWITCH[switch])

    def _server(self, offer: Offer) -> Server:
        """The server of an offer, kept for later. Two threads may both build it; either will do."""
        if offer not in self._servers:
            self._servers[offer] = mcp_server.build(offer, self._call)
        return self._servers[offer]

    async def _call(self, context: Context, operation: Operation, arguments: dict[str, Any]) -> types.CallToolResult:
        request: Any = context.request
        caller: Caller = request.state.caller
        try:
            with audit.calling(operation.name, caller.request_id) as audited:
                outcome = self._calls.call(operation, caller.token, arguments, audited)
            return mcp_tools.succeeded(outcome.result.model_dump_json())
        except Problem as problem:
            return mcp_tools.refused(problem.document(caller.request_id))
        except (Exception, asyncio.CancelledError) as error:  # noqa: BLE001 (the older revisions would be told its text)
            log_failure(error, caller.request_id)
            return mcp_tools.problem("internal_error", caller.request_id)

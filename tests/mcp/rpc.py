"""Messages to the real endpoint, as events: what a client of each protocol revision would send."""

import json
from dataclasses import dataclass, field
from typing import Any

from harness.service import Service, http_event

from research.edges.mcp_endpoint import Endpoint
from research.edges.mcp_server import Offer
from research.words.catalogue import BY_NAME

CURRENT = "2026-07-28"
HANDSHAKE = ("2025-03-26", "2025-06-18", "2025-11-25")
REVISIONS = (*HANDSHAKE, CURRENT)
HOST = "a1b2c3d4e5.execute-api.eu-central-1.amazonaws.com"
JSON = {"content-type": "application/json", "accept": "application/json, text/event-stream"}


@dataclass(frozen=True, slots=True)
class Answer:
    """An HTTP response; `body` parsed where it is JSON, else as text."""

    status: int
    headers: dict[str, str]
    body: Any

    @property
    def error(self) -> int:
        return int(self.body["error"]["code"])

    @property
    def result(self) -> Any:
        return self.body["result"]


@dataclass(slots=True)
class Mcp:
    """The endpoint of a service, and who calls it."""

    service: Service
    offer: Offer = field(default_factory=Offer)
    origins: tuple[str, ...] = ()
    endpoint: Endpoint = field(init=False)

    def __post_init__(self) -> None:
        self.endpoint = Endpoint(self.service.wiring.calls(), self.offer, self.origins)

    def send(
        self,
        message: Any,
        *,
        method: str = "POST",
        headers: dict[str, str | None] | None = None,
        query: dict[str, str] | None = None,
        path: str = "/mcp",
        stage: str = "$default",
    ) -> Answer:
        """One POST of this message (bytes as they are); a header of None is left out."""
        given = {**JSON, "authorization": f"Bearer {self.service.token}", **(headers or {})}
        body = message if isinstance(message, bytes) else json.dumps(message).encode()
        sent = {name: text for name, text in given.items() if text is not None}
        event = http_event(path, method, sent, body, stage)
        event["requestContext"]["domainName"] = HOST
        if query:
            event["queryStringParameters"] = query
        return answer(self.endpoint(event, None))

    def rpc(self, revision: str, method: str, params: dict[str, Any] | None = None, **options: Any) -> Answer:
        """A request as a client of this revision sends it."""
        message, headers = request(revision, method, params)
        return self.send(message, headers={**headers, **options.pop("headers", {})}, **options)

    def call(self, revision: str, operation: str, arguments: Any, **options: Any) -> Any:
        """The result of a tool, called as a client of this revision does."""
        params = {"name": BY_NAME[operation].tool, "arguments": arguments}
        answered = self.rpc(revision, "tools/call", params, **options)
        assert answered.status == 200, answered
        return answered.result


def answer(response: Any) -> Answer:
    media_type = response["headers"].get("content-type", "")
    body = json.loads(response["body"]) if media_type.endswith("json") else response["body"]
    return Answer(response["statusCode"], response["headers"], body)


def request(revision: str, method: str, params: Any = None, id_: Any = 1) -> tuple[dict[str, Any], dict[str, str]]:
    """The message and the headers that go with it."""
    given = dict(params or {})
    headers = {}
    if revision == CURRENT:
        given["_meta"] = meta(revision)
        headers["mcp-method"] = method
        if "name" in given:
            headers["mcp-name"] = given["name"]
    if revision != "2025-03-26":
        headers["mcp-protocol-version"] = revision
    return {"jsonrpc": "2.0", "id": id_, "method": method, "params": given}, headers


def meta(revision: str) -> dict[str, Any]:
    """What the current revision has each request say of its client."""
    return {
        "io.modelcontextprotocol/protocolVersion": revision,
        "io.modelcontextprotocol/clientCapabilities": {},
    }


def problem(result: Any) -> Any:
    """The problem document in a tool's result, which must be there as text alone."""
    assert result["isError"] is True
    assert "structuredContent" not in result
    (block,) = result["content"]
    return json.loads(block["text"])

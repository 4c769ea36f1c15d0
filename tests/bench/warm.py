"""Processor time of one call in our own code: everything but the network, whose replies are played back."""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import cycle
from string import ascii_lowercase
from typing import Any

from awslabs.mcp_lambda_handler import MCPLambdaHandler
from botocore import httpsession
from botocore.awsrequest import AWSResponse
from harness.service import http_event

from research.edges.mcp_endpoint import Endpoint
from research.edges.mcp_server import Offer
from research.rules import answers
from research.words.contract import EvidenceRef
from research.words.records import EvidenceText
from tests.bench.counting import Bench
from tests.bench.serving import behind_uvicorn

REPEATS = 100


@dataclass(slots=True)
class Tape:
    """The replies of one call, recorded on its way and then played back without a network."""

    replies: list[tuple[int, Any, bytes]] = field(default_factory=list)

    @contextmanager
    def recording(self) -> Iterator[None]:
        send = httpsession.URLLib3Session.send

        def recorded(session: Any, request: Any) -> Any:
            reply = send(session, request)
            self.replies.append((reply.status_code, reply.headers, reply.content))
            return reply

        httpsession.URLLib3Session.send = recorded  # type: ignore[method-assign]
        yield
        httpsession.URLLib3Session.send = send  # type: ignore[method-assign]

    @contextmanager
    def playing(self) -> Iterator[None]:
        send, played = httpsession.URLLib3Session.send, cycle(self.replies)

        def replayed(_session: Any, request: Any) -> Any:
            status, headers, content = next(played)
            reply = AWSResponse(request.url, status, headers, None)
            reply._content = content
            return reply

        httpsession.URLLib3Session.send = replayed  # type: ignore[method-assign]
        yield
        httpsession.URLLib3Session.send = send  # type: ignore[method-assign]


def played_back(call: Callable[[], Any], repeats: int = REPEATS) -> float:
    """Milliseconds of processor time for each of these calls, whose network is a tape of the first."""
    tape = Tape()
    with tape.recording():
        call()
    with tape.playing():
        return spent(call, repeats)


def botocore_alone(bench: Bench, call: Callable[[], Any]) -> float:
    """Milliseconds that the reads of a call take by themselves: the library's part of it."""
    client = bench.service.wiring.store._calls.client
    asked: list[dict[str, Any]] = []

    def note(params: dict[str, Any], **_: Any) -> None:
        asked.append(dict(params))

    client.meta.events.register("provide-client-params.dynamodb.BatchGetItem", note)
    call()
    client.meta.events.unregister("provide-client-params.dynamodb.BatchGetItem", note)
    return played_back(lambda: [client.batch_get_item(**params) for params in asked])


def spent(call: Callable[[], Any], repeats: int = REPEATS) -> float:
    """The least of three rounds, since nothing makes code faster than it is."""
    call()
    rounds = []
    for _ in range(3):
        began = time.process_time()
        for _ in range(repeats):
            call()
        rounds.append((time.process_time() - began) * 1000 / repeats)
    return min(rounds)


def measured(bench: Bench) -> dict[str, float]:
    """Milliseconds by call."""
    service = bench.service
    conversation, run = bench.conversation(40, 20)
    short, _ = bench.conversation(0, 20)
    names = {"workspace_id": service.workspace_id, "conversation_id": conversation["id"]}
    workspace = {"workspace_id": service.workspace_id}
    calling = {"name": "sosoapi_research_projects_list", "arguments": workspace}
    status = _rest(bench, "assistant_status", names | {"run_id": run["id"]})
    get = _rest(bench, "conversations_get", names)
    return {
        "assistant_status": played_back(status),
        "assistant_status, botocore alone": botocore_alone(bench, status),
        "conversations_get, 40 messages": played_back(get),
        "conversations_get, botocore alone": botocore_alone(bench, get),
        "assistant_request": played_back(_rest(bench, "assistant_request", service.asking(short))),
        "tools/list": played_back(_mcp(bench, "tools/list", {})),
        "tools/call projects_list": played_back(_mcp(bench, "tools/call", calling)),
        "the same over REST": played_back(_rest(bench, "projects_list", workspace)),
    }


def verification() -> dict[str, float]:
    """Milliseconds of verifying a maximal answer over twenty texts, by their length; then the worst of hostile ones."""
    found = {
        f"20 texts of {length:,}": verifying("The battery lasts 7 hours, they say. ", length) for length in LENGTHS
    }
    for name, unit in HOSTILE.items():
        found[f"hostile, {name}"] = verifying(unit, LENGTHS[-1])
    return found


LENGTHS = (5_000, 10_000, 20_000)
HOSTILE = {
    "spaces": " \t",
    "quotes": "'\"`",
    "links": "[a](http://b.example/c) ",
    "numbers": "1.2,3-4/5 ",
    "joiners": "a\u200d\u0301",
    "brackets": "[[((<<",
}


def verifying(unit: str, length: int, texts: int = 20) -> float:
    """Milliseconds of verifying a maximal answer over so many texts of this length, all of this unit."""
    filler = (unit * length)[: length - 60]
    sources = [
        EvidenceText(text=f"{filler} text number {number:02} says that it is loved by all.") for number in range(texts)
    ]
    context = tuple(
        EvidenceRef(evidence_id=f"11111111-1111-4111-8111-0000000000{n:02}", revision=1) for n in range(texts)
    )
    quotations = [
        {"id": f"qt_{number}", "source": f"ev_{number + 1}", "text": f"text number {number:02} says that it is loved"}
        for number in range(texts)
    ]
    claim = {
        "statement": "It is loved, and text number 01 says so. " * 8,
        "basis": "observed",
        "quotations": [quotation["id"] for quotation in quotations],
        "uncertainty": "Few texts.",
    }
    reply = {
        "quotations": quotations,
        "answer": {"sufficient": True, **claim},
        "findings": [claim | {"statement": f"{claim['statement']}{letter}"} for letter in ascii_lowercase[:20]],
        "sentiment": [],
        "query_suggestions": [],
        "limitations": ["Twenty texts are no sample."] * 9,
    }
    text = json.dumps(reply)

    def verify() -> Any:
        return answers.verify(
            text, kind="question", context=context, sources=tuple(sources), question="Is it loved?", language="en"
        )

    return spent(verify, 1)


def comparable(bench: Bench) -> dict[str, float]:
    """The same tools/call, answered by what else serves MCP from a Lambda: milliseconds of processor time."""
    text = json.dumps(bench.service.send("projects_list", {"workspace_id": bench.service.workspace_id}).body)
    calling = {"name": "sosoapi_research_projects_list", "arguments": {"workspace_id": bench.service.workspace_id}}
    other = MCPLambdaHandler(name="bare")

    @other.tool()
    def sosoapi_research_projects_list(workspace_id: str) -> str:  # noqa: ARG001 (what a client sends)
        """The same text, without a look at who asks."""
        return text

    event = _event(bench, "tools/call", calling)
    return {
        "ours, network played back": played_back(_mcp(bench, "tools/call", calling)),
        "awslabs-mcp-lambda-handler, no work": spent(lambda: other.handle_request(event, None)),
        "the SDK's server behind uvicorn, no work": behind_uvicorn(),
    }


def _rest(bench: Bench, operation: str, body: Any) -> Callable[[], Any]:
    headers = {"content-type": "application/json", "authorization": f"Bearer {bench.service.token}"}
    event = http_event("/x", "POST", headers, json.dumps(body).encode())
    endpoint = bench.service.endpoints[operation]

    def call() -> None:
        answer = endpoint(event, None)
        assert answer["statusCode"] == 200, answer

    return call


def _mcp(bench: Bench, method: str, params: Any) -> Callable[[], Any]:
    endpoint = Endpoint(bench.service.wiring.calls(), Offer("full", output_schemas=False), ())
    event = _event(bench, method, params)

    def call() -> None:
        answer = endpoint(event, None)
        assert answer["statusCode"] == 200, answer

    return call


def _event(bench: Bench, method: str, params: Any) -> dict[str, Any]:
    headers = {
        "content-type": "application/json",
        "accept": "application/json, text/event-stream",
        "authorization": f"Bearer {bench.service.token}",
        "mcp-protocol-version": "2025-06-18",
    }
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
    return http_event("/mcp", "POST", headers, b"") | {"body": body, "isBase64Encoded": False, "httpMethod": "POST"}

"""What `research mcp` sends again, and what it hands on when that does not help."""

import http.server
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from infra.client.forwarding import Forwarding
from infra.client.rest import Api
from research.edges.mcp_stdio import NotDone
from research.words.catalogue import BY_NAME


class Flaky(http.server.BaseHTTPRequestHandler):
    """Answers with the next of a script of (status, document); keeps what it was sent."""

    script: list[tuple[int, Any]]
    bodies: list[Any]

    def do_POST(self) -> None:
        self.bodies.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
        status, document = self.script.pop(0)
        body = json.dumps(document).encode() if document is not None else b"<html>"
        self.send_response(status)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Says nothing."""


@contextmanager
def flaky(*script: tuple[int, Any]) -> Iterator[tuple[str, list[Any]]]:
    handler = type("Scripted", (Flaky,), {"script": list(script), "bodies": []})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", handler.bodies
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


BUSY = (503, {"code": "busy", "detail": "Too many writes at once.", "retryable": True})
THROTTLED = (429, {"message": "Too Many Requests"})
BROKEN = (502, None)
WRONG = (400, {"code": "invalid_request", "detail": "The request is invalid.", "retryable": False})


def forwarded(url: str, operation: str, arguments: dict[str, Any]) -> tuple[Any, list[float]]:
    """The result or the problem document, and the pauses between the tries."""
    pauses: list[float] = []
    with Api(url, "rtk_x") as api:
        try:
            result = json.loads(Forwarding(api, pauses.append)(BY_NAME[operation], arguments))
        except NotDone as failure:
            result = failure.document
    return result, pauses


@pytest.mark.parametrize(
    ("operation", "arguments"), [("projects_list", {"workspace_id": "w"}), ("sources_import", {"mutation_id": "m"})]
)
def test_reads_and_writes_with_a_mutation_are_sent_again_unchanged(operation: str, arguments: dict[str, Any]) -> None:
    with flaky(THROTTLED, BUSY, (200, {"done": True})) as (url, bodies):
        result, pauses = forwarded(url, operation, arguments)

    assert (result, pauses) == ({"done": True}, [0.5, 1.5])
    assert bodies == [arguments] * 3


def test_a_write_without_a_mutation_is_sent_once() -> None:
    with flaky(BUSY) as (url, bodies):
        result, pauses = forwarded(url, "sources_import", {"workspace_id": "w"})

    assert (result["code"], pauses, len(bodies)) == ("busy", [], 1)


def test_what_cannot_succeed_later_is_sent_once() -> None:
    with flaky(WRONG) as (url, bodies):
        result, pauses = forwarded(url, "projects_list", {})

    assert (result, pauses, len(bodies)) == (WRONG[1], [], 1)


def test_three_tries_are_the_most() -> None:
    with flaky(BROKEN, BROKEN, BROKEN, (200, {})) as (url, bodies):
        result, pauses = forwarded(url, "projects_list", {})

    assert (result["code"], result["retryable"], pauses) == ("unexpected_answer", True, [0.5, 1.5])
    assert len(bodies) == 3

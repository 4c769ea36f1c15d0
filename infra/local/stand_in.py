"""A stand-in for Gemini on the loopback: its HTTP API over a real socket, and answers extracted from the prompt itself.

It lets everything run, real client library included, without a key or a network.
"""

import json
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from infra.local.extraction import Source, extract

MODEL = "stand-in"

_PATH = re.compile(r"/v1beta/models/[^/:]+:generateContent")
_BLOCK = re.compile(r"^\[([0-9a-f]{16}) begin (\w+)\]\n(.*?)\n\[\1 end \2\]$", re.MULTILINE | re.DOTALL)
_KIND = re.compile(r"^Kind of request: (\w+)$", re.MULTILINE)


class StandIn:
    """The running stand-in; also a context manager. `base_url` is what the client library is pointed at."""

    def __init__(self) -> None:
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
        self._server.daemon_threads = True
        self.base_url = f"http://127.0.0.1:{self._server.server_port}"

    def start(self) -> Self:
        """Serve on a thread of its own until `stop`."""
        threading.Thread(target=self._server.serve_forever, args=(0.05,), name="stand-in", daemon=True).start()
        return self

    def stop(self) -> None:
        """Stop serving and free the port."""
        self._server.shutdown()
        self._server.server_close()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if not self.headers.get("x-goog-api-key"):
            self._send(401, _error(401, "UNAUTHENTICATED", "The request names no API key."))
        elif not _PATH.fullmatch(self.path.partition("?")[0]):
            self._send(404, _error(404, "NOT_FOUND", "This method does not exist here."))
        elif (prompt := _prompt(body)) is None:
            self._send(400, _error(400, "INVALID_ARGUMENT", "Request contains an invalid argument."))
        else:
            self._send(200, _generated(*prompt))

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the signature of http.server
        """Say nothing: the local stack's own lines are the ones to read."""

    def _send(self, status: int, document: dict[str, Any]) -> None:
        body = json.dumps(document).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json; charset=UTF-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def _prompt(body: bytes) -> tuple[str, str] | None:
    """The instructions and the contents of a request that holds a prompt of ours, else None."""
    try:
        request = json.loads(body)
        system = _text(request["systemInstruction"])
        contents = "\n".join(_text(content) for content in request["contents"])
    except (ValueError, KeyError, TypeError):
        return None
    return (system, contents) if _KIND.search(system) and _BLOCK.search(contents) else None


def _generated(system: str, contents: str) -> dict[str, Any]:
    """The response to a prompt of ours."""
    blocks = {name: text for _, name, text in _BLOCK.findall(contents)}
    reply = extract(
        kind=_KIND.findall(system)[-1],
        question=blocks["question"],
        language=blocks["language"],
        sources=[_source(name, text) for name, text in blocks.items() if name.startswith("ev_")],
    )
    text = json.dumps(reply, ensure_ascii=False)
    prompt_tokens, reply_tokens = _tokens(system + contents), _tokens(text)
    return {
        "candidates": [
            {"content": {"parts": [{"text": text}], "role": "model"}, "finishReason": "STOP", "index": 0},
        ],
        "usageMetadata": {
            "promptTokenCount": prompt_tokens,
            "candidatesTokenCount": reply_tokens,
            "totalTokenCount": prompt_tokens + reply_tokens,
        },
        "modelVersion": MODEL,
    }


def _source(alias: str, block: str) -> Source:
    origin, _, text = f"\n{block}".partition("\n\n")  # without any origin the block starts with the empty line
    language = re.search(r"^language: (.*)$", origin, re.MULTILINE)
    return Source(alias, text, language.group(1) if language else "")


def _text(content: dict[str, Any]) -> str:
    return "".join(part["text"] for part in content["parts"])


def _tokens(text: str) -> int:
    """About what a tokenizer would make of it."""
    return len(text) // 4 + 1


def _error(code: int, status: str, message: str) -> dict[str, Any]:
    return {"error": {"code": code, "message": message, "status": status}}

"""A small HTTP/1.1 server on loopback: whole requests in, whole replies out, one thread to a connection.

The local gateway and the local AWS both stand on it. It keeps connections alive, reads chunked bodies, answers
`Expect: 100-continue`, writes no log, and stops without leaving a thread behind.
"""

import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

_PIECE = 64 * 1024
_GRACE_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Request:
    """One request as it arrived; `target` is the path and query, undecoded."""

    method: str
    target: str
    protocol: str
    headers: tuple[tuple[str, str], ...]
    body: bytes
    peer: str

    def header(self, name: str, default: str = "") -> str:
        """The first header of this name, in any case."""
        return next((value for key, value in self.headers if key.lower() == name.lower()), default)


@dataclass(frozen=True, slots=True)
class Reply:
    """One response. The server adds Content-Length, Date and Connection itself."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes


Answer = Callable[[Request], Reply | None]
"""What a request is answered with; None closes the connection without a word, as a broken network does."""


@dataclass(frozen=True, slots=True)
class BodyLimit:
    """How many bytes a body may have, and what a request over that is answered with; its body reads as empty."""

    size: int
    answer: Answer


class HttpServer:
    """Serves `answer` from `start` to `stop`. Binds when made, and raises OSError when the port is taken."""

    def __init__(self, answer: Answer, host: str = "127.0.0.1", port: int = 0, limit: BodyLimit | None = None) -> None:
        self._server = _Server((host, port), answer, limit or BodyLimit(sys.maxsize, answer))
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self.url = f"http://{host}:{self._server.server_address[1]}"

    def start(self) -> None:
        """Begin to accept connections."""
        self._thread.start()

    def stop(self) -> None:
        """Accept no more, let requests under way be answered for up to a second, and close every connection."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
        self._server.hang_up()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128
    allow_reuse_port = False  # a second instance on one port must fail

    def __init__(self, address: tuple[str, int], answer: Answer, limit: BodyLimit) -> None:
        super().__init__(address, _Connection)
        self.answer = answer
        self.limit = limit
        self._connections: dict[Any, threading.Thread] = {}

    def server_bind(self) -> None:
        """Bind without the reverse look-up of the host's name, which can take seconds offline."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.socket.bind(self.server_address)
        self.server_address = self.socket.getsockname()

    def process_request(self, request: Any, client_address: Any) -> None:
        """Serve a connection in a thread that `hang_up` knows of."""
        thread = threading.Thread(target=self.process_request_thread, args=(request, client_address), daemon=True)
        self._connections[request] = thread
        thread.start()

    def shutdown_request(self, request: Any) -> None:
        """Forget a connection that has ended."""
        self._connections.pop(request, None)
        super().shutdown_request(request)

    def hang_up(self) -> None:
        """End the idle connections at once, and the busy ones as soon as they have been answered."""
        threads = dict(self._connections)
        for connection in threads:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RD)
        until = time.monotonic() + _GRACE_SECONDS
        for thread in threads.values():
            thread.join(max(0.0, until - time.monotonic()))

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Keep quiet about clients that went away; anything else is a fault of ours and is printed."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Connection(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Server

    def __getattr__(self, name: str) -> Any:
        """Serve every method alike: the standard library looks for a `do_` function of its name."""
        if name.startswith("do_"):
            return self._serve
        raise AttributeError(name)

    def log_message(self, *_args: Any) -> None:
        """Write nothing: whoever answers logs what it answered."""

    def handle_expect_100(self) -> bool:
        """Ask for the body, unless it is announced as too large to be read."""
        limit = self.server.limit
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length) <= limit.size:
            return super().handle_expect_100()
        self.close_connection = True
        self._reply(limit.answer, b"")
        return False

    def _serve(self) -> None:
        try:
            body = self._body()
        except ValueError:
            self.send_error(400)
        else:
            self._reply(self.server.limit.answer if body is None else self.server.answer, body or b"")

    def _reply(self, answer: Answer, body: bytes) -> None:
        headers = tuple(self.headers.items())
        request = Request(self.command, self.path, self.request_version, headers, body, self.client_address[0])
        reply = answer(request)
        if reply is None:
            self.close_connection = True
        else:
            self._write(reply)

    def _body(self) -> bytes | None:
        """The body, or None when it is over the limit; it is read to its end all the same, so that a reply arrives."""
        limit, size, kept = self.server.limit, 0, bytearray()
        for piece in self._pieces():
            size += len(piece)
            if size <= limit.size:
                kept += piece
        return bytes(kept) if size <= limit.size else None

    def _pieces(self) -> Iterator[bytes]:
        if "chunked" not in self.headers.get("Transfer-Encoding", "").lower():
            yield from self._read(int(self.headers.get("Content-Length", "0")))
            return
        while size := int(self.rfile.readline(_PIECE).split(b";")[0], 16):
            yield from self._read(size)
            self.rfile.readline(_PIECE)
        while self.rfile.readline(_PIECE).strip():  # trailers
            pass

    def _read(self, size: int) -> Iterator[bytes]:
        if size < 0:
            raise ValueError("a length is negative")
        while size:
            piece = self.rfile.read(min(size, _PIECE))
            if not piece:
                raise ConnectionAbortedError
            size -= len(piece)
            yield piece

    def _write(self, reply: Reply) -> None:
        self.send_response_only(reply.status)
        for name, value in reply.headers:
            self.send_header(name, value)
        self.send_header("Date", self.date_time_string())
        if reply.status not in (204, 304):
            self.send_header("Content-Length", str(len(reply.body)))
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD" and reply.status not in (204, 304):
            self.wfile.write(reply.body)

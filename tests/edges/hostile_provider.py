"""A server on the loopback that answers as a provider should not: by script, counting what it was sent."""

import contextlib
import json
import socket
import struct
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Self

Script = Callable[[socket.socket], None]


@dataclass(frozen=True, slots=True)
class Request:
    """One request as it arrived."""

    line: str
    headers: dict[str, str]
    body: Any


@dataclass
class HostileProvider:
    """Serves its scripts in order, the last again and again; `requests` holds every POST that arrived whole."""

    scripts: tuple[Script, ...]
    requests: list[Request] = field(default_factory=list)

    def __enter__(self) -> Self:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.base_url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)  # closing alone does not wake the thread that accepts
        self._listener.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self._listener.accept()
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with connection, contextlib.suppress(OSError, ValueError):
            self.requests.append(_read(connection))
            self.scripts[min(len(self.requests), len(self.scripts)) - 1](connection)


def _read(connection: socket.socket) -> Request:
    received = b""
    while b"\r\n\r\n" not in received:
        received += _some(connection)
        if not received.startswith(b"POST"[: len(received)]):
            raise ValueError
    head, _, body = received.partition(b"\r\n\r\n")
    line, *rest = head.decode("latin-1").split("\r\n")
    headers = {name.lower(): value for name, _, value in (header.partition(": ") for header in rest)}
    while len(body) < int(headers["content-length"]):
        body += _some(connection)
    return Request(line, headers, json.loads(body))


def _some(connection: socket.socket) -> bytes:
    received = connection.recv(65536)
    if not received:
        raise OSError
    return received


def answer(status: int, body: object, content_type: str = "application/json", **headers: str) -> Script:
    """Answer whole; a body that is not bytes is sent as JSON."""
    return lambda connection: connection.sendall(_whole(status, body, content_type, headers))


def refusal(status: int, name: str, message: str, *details: object) -> Script:
    """Answer with Google's error body."""
    error = {"code": status, "message": message, "status": name, "details": list(details)}
    return answer(status, {"error": error})


def reset(status: int, body: object, after: int) -> Script:
    """Send the first `after` bytes of the answer, then break the connection off."""

    def script(connection: socket.socket) -> None:
        connection.sendall(_whole(status, body, "application/json", {})[:after])
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    return script


def close(status: int, body: object, short_by: int) -> Script:
    """Close in good order, but some bytes too early."""
    return lambda connection: connection.sendall(_whole(status, body, "application/json", {})[:-short_by])


def trickle(status: int, body: object, pause: float, stopped: threading.Event) -> Script:
    """Send a byte at a time, until the caller hangs up."""

    def script(connection: socket.socket) -> None:
        try:
            for byte in _whole(status, body, "application/json", {}):
                connection.sendall(bytes([byte]))
                stopped.wait(pause)
        except OSError:
            stopped.set()

    return script


def stall(hung_up: threading.Event) -> Script:
    """Say nothing, until the caller hangs up."""

    def script(connection: socket.socket) -> None:
        connection.recv(1)
        hung_up.set()

    return script


def _whole(status: int, body: object, content_type: str, headers: dict[str, str]) -> bytes:
    payload = body if isinstance(body, bytes) else json.dumps(body).encode()
    lines = [f"HTTP/1.1 {status} Some Reason", f"Content-Type: {content_type}", f"Content-Length: {len(payload)}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode() + payload

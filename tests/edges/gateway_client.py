"""A local gateway with one route, and a connection to it."""

import http.client
import json
import socket
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

from infra.local.gateway import Gateway, Handler


def echo(received: dict[str, Any], _context: Any) -> dict[str, Any]:
    return {"statusCode": 200, "headers": {"content-type": "application/json"}, "body": json.dumps(received)}


def nothing_here(_event: dict[str, Any], _context: Any) -> dict[str, Any]:
    return {"statusCode": 404, "headers": {"content-type": "text/plain"}, "body": "no such route"}


@contextmanager
def connected(handler: Handler = echo, **options: Any) -> Iterator[http.client.HTTPConnection]:
    """A connection to a gateway whose path /here is `handler`."""
    with Gateway({"/here": handler}, nothing_here, **options) as gateway:
        host, port = gateway.url.removeprefix("http://").split(":")
        with closing(http.client.HTTPConnection(host, int(port), timeout=10)) as connection:
            yield connection


def exchange(connection: http.client.HTTPConnection, method: str, path: str, *rest: Any) -> tuple[int, Any]:
    connection.request(method, path, *rest)
    response = connection.getresponse()
    return response.status, json.loads(response.read())


def raw(connection: http.client.HTTPConnection, data: bytes) -> bytes:
    """Everything the gateway answers to these bytes until it closes the connection."""
    with socket.create_connection((connection.host, connection.port), timeout=10) as sent:
        sent.sendall(data)
        received = b""
        while piece := sent.recv(65536):
            received += piece
    return received

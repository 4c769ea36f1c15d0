"""The local gateway as an HTTP server: any method, any framing of a body, and a clean end."""

import http.client
import json
import threading
from typing import Any

import pytest

from infra.local.gateway import Gateway
from tests.edges.gateway_client import connected, exchange, nothing_here, raw


@pytest.mark.parametrize("method", ["GET", "PUT", "PATCH", "DELETE", "OPTIONS", "QUERY"])
def test_every_method_reaches_the_handler(method: str) -> None:
    with connected() as connection:
        status, received = exchange(connection, method, "/here")

    assert (status, received["requestContext"]["http"]["method"]) == (200, method)


def test_head_is_answered_with_the_headers_alone_and_the_connection_lives_on() -> None:
    with connected(lambda _event, _context: {"statusCode": 200, "body": "twelve bytes"}) as connection:
        connection.request("HEAD", "/here")
        response = connection.getresponse()
        assert (response.status, response.headers["Content-Length"], response.read()) == (200, "12", b"")

        connection.request("GET", "/here")
        assert connection.getresponse().read() == b"twelve bytes"


def test_many_requests_share_one_connection() -> None:
    with connected() as connection:
        connection.connect()
        own = connection.sock.getsockname()

        for number in range(5):
            assert exchange(connection, "POST", "/here", str(number), {"Content-Type": "text/plain"})[0] == 200

        assert connection.sock.getsockname() == own


def test_a_chunked_body_arrives_whole() -> None:
    with connected() as connection:
        connection.request(
            "POST", "/here", iter([b"one ", b"two"]), {"Content-Type": "text/plain"}, encode_chunked=True
        )
        received = json.loads(connection.getresponse().read())

        assert received["body"] == "one two"
        assert "transfer-encoding" not in received["headers"]
        assert exchange(connection, "GET", "/here")[0] == 200


def test_chunks_may_carry_extensions_and_trailers() -> None:
    with connected() as connection:
        answer = raw(
            connection,
            b"POST /here HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: text/plain\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n0\r\nDigest: none\r\n\r\n",
        )

    assert json.loads(answer.partition(b"\r\n\r\n")[2])["body"] == "abc"


def test_a_client_that_asks_first_is_told_to_continue() -> None:
    with connected() as connection:
        answer = raw(
            connection,
            b"POST /here HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: text/plain\r\n"
            b"Expect: 100-continue\r\nContent-Length: 3\r\n\r\nabc",
        )

    assert answer.startswith(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n")
    assert "expect" not in json.loads(answer.rpartition(b"\r\n\r\n")[2])["headers"]


def test_ten_megabytes_pass_and_one_byte_more_is_too_large() -> None:
    seen = []

    def measure(received: dict[str, Any], _context: Any) -> dict[str, Any]:
        seen.append(len(received["body"]))
        return {"statusCode": 200, "body": "{}"}

    limit, text = 10 * 1024 * 1024, {"Content-Type": "text/plain"}
    with connected(measure) as connection:
        assert exchange(connection, "POST", "/here", b"x" * limit, text) == (200, {})
        too_large = (413, {"message": "Request Entity Too Large"})
        assert exchange(connection, "POST", "/here", b"x" * (limit + 1), text) == too_large
        chunks = (b"x" * 1024 * 1024 for _ in range(11))
        assert exchange(connection, "POST", "/here", chunks, text) == too_large
        assert exchange(connection, "POST", "/here", b"x", text) == (200, {})

    assert seen == [limit, 1]


def test_a_client_that_asks_before_sending_too_much_is_refused_at_once() -> None:
    with connected() as connection:
        answer = raw(
            connection,
            b"POST /here HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 99999999\r\n\r\n",
        )

    assert answer.startswith(b"HTTP/1.1 413 ")
    assert answer.endswith(b'{"message":"Request Entity Too Large"}')


@pytest.mark.parametrize("length", [b"Content-Length: -1", b"Content-Length: x", b"Transfer-Encoding: chunked"])
def test_a_body_without_a_readable_length_is_a_bad_request(length: bytes) -> None:
    with connected() as connection:
        answer = raw(connection, b"POST /here HTTP/1.1\r\nHost: x\r\n" + length + b"\r\n\r\nzzz\r\n")

    assert answer.startswith(b"HTTP/1.1 400 ")


def test_a_response_of_204_has_neither_body_nor_length() -> None:
    with connected(lambda _event, _context: {"statusCode": 204}) as connection:
        connection.request("DELETE", "/here")
        response = connection.getresponse()

        assert (response.status, response.read(), response.headers["Content-Length"]) == (204, b"", None)


def test_a_port_that_is_taken_is_an_error_for_the_caller() -> None:
    with Gateway({}, nothing_here) as first:
        second = Gateway({}, nothing_here, port=int(first.url.rpartition(":")[2]))

        with pytest.raises(OSError, match="in use"):
            second.start()


def test_stopping_ends_idle_connections_and_leaves_no_thread_behind() -> None:
    before = set(threading.enumerate())

    with connected() as connection:
        exchange(connection, "GET", "/here")

    assert set(threading.enumerate()) == before


def test_stopping_lets_a_call_under_way_be_answered() -> None:
    began, let_go = threading.Event(), threading.Event()

    def slow(_event: dict[str, Any], _context: Any) -> dict[str, Any]:
        began.set()
        let_go.wait(10)
        return {"statusCode": 200, "body": "{}"}

    gateway = Gateway({"/here": slow}, nothing_here).start()
    connection = http.client.HTTPConnection("127.0.0.1", int(gateway.url.rpartition(":")[2]), timeout=10)
    connection.request("POST", "/here")
    began.wait(10)
    stopping = threading.Thread(target=gateway.stop)
    stopping.start()
    let_go.set()

    assert connection.getresponse().status == 200
    stopping.join()
    connection.close()

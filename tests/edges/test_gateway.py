"""The local gateway, through real HTTP: what a handler is given, and what a client gets back."""

import base64
import http.client
import json
import logging
import socket
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from typing import Any

import pytest
from aws_lambda_powertools import Logger

from infra.local.gateway import Gateway, Handler
from infra.local.http_server import Request
from infra.local.lambda_context import LambdaContext
from infra.local.lambda_proxy import event


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


def test_an_event_holds_what_api_gateway_puts_into_one() -> None:
    request = Request(
        "POST",
        "/here?a=1&a=2&b=%20x",
        "HTTP/1.1",
        (
            ("Host", "api.example.com:8787"),
            ("Content-Type", "application/json"),
            ("X-Twice", "one"),
            ("x-twice", "two"),
            ("Cookie", "a=1; b=2"),
            ("Cookie", "c=3"),
            ("User-Agent", "tests"),
            ("Connection", "keep-alive"),
        ),
        '{"title":"Größe 🙂"}'.encode(),
        "127.0.0.1",
    )

    made = event(request, "ANY /here", "the-id", datetime(2026, 3, 12, 19, 3, 58, 390_000, UTC))

    assert made == {
        "version": "2.0",
        "routeKey": "ANY /here",
        "rawPath": "/here",
        "rawQueryString": "a=1&a=2&b=%20x",
        "cookies": ["a=1", "b=2", "c=3"],
        "headers": {
            "host": "api.example.com:8787",
            "content-type": "application/json",
            "x-twice": "one,two",
            "user-agent": "tests",
        },
        "queryStringParameters": {"a": "1,2", "b": " x"},
        "requestContext": {
            "accountId": "000000000000",
            "apiId": "local",
            "domainName": "api.example.com",
            "domainPrefix": "api",
            "http": {
                "method": "POST",
                "path": "/here",
                "protocol": "HTTP/1.1",
                "sourceIp": "127.0.0.1",
                "userAgent": "tests",
            },
            "requestId": "the-id",
            "routeKey": "ANY /here",
            "stage": "$default",
            "time": "12/Mar/2026:19:03:58 +0000",
            "timeEpoch": 1773342238390,
        },
        "body": '{"title":"Größe 🙂"}',
        "isBase64Encoded": False,
    }


@pytest.mark.parametrize(
    ("content_type", "body", "encoded"),
    [
        ("application/json", b"{}", False),
        ("Application/JSON; charset=utf-8", b"{}", False),
        ("application/problem+json", b"{}", False),
        ("text/csv", b"a,b", False),
        ("application/x-www-form-urlencoded", b"a=b", True),
        ("application/octet-stream", b"{}", True),
        ("", b"{}", True),
        ("application/json", b'"\xff"', True),
    ],
)
def test_a_body_that_is_not_text_arrives_in_base64(content_type: str, body: bytes, *, encoded: bool) -> None:
    with connected() as connection:
        _, received = exchange(connection, "POST", "/here", body, {"Content-Type": content_type})

    assert received["isBase64Encoded"] is encoded
    assert received["body"] == (base64.b64encode(body) if encoded else body).decode()


def test_a_request_without_a_body_makes_an_event_without_one() -> None:
    with connected() as connection:
        _, received = exchange(connection, "GET", "/here")

    assert "body" not in received
    assert received["isBase64Encoded"] is False
    assert "cookies" not in received
    assert "queryStringParameters" not in received


@pytest.mark.parametrize("path", ["/", "/here/", "/HERE", "/here/more", "/%68ere"])
def test_a_path_that_is_not_exactly_a_route_goes_to_the_default_handler(path: str) -> None:
    with connected() as connection:
        connection.request("POST", path)
        response = connection.getresponse()

        assert (response.status, response.read()) == (404, b"no such route")


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


def test_a_result_becomes_the_response_it_describes() -> None:
    result = {
        "statusCode": 201,
        "headers": {"Content-Type": "image/png", "Retry-After": 3, "Content-Length": "999"},
        "cookies": ["a=1; Secure", "b=2"],
        "body": base64.b64encode(b"\x89PNG").decode(),
        "isBase64Encoded": True,
    }
    with connected(lambda _event, _context: result) as connection:
        connection.request("POST", "/here")
        response = connection.getresponse()

        assert (response.status, response.read()) == (201, b"\x89PNG")
        assert response.headers["Content-Type"] == "image/png"
        assert response.headers["Retry-After"] == "3"
        assert response.headers.get_all("Set-Cookie") == ["a=1; Secure", "b=2"]
        assert response.headers.get_all("Content-Length") == ["4"]
        assert response.headers["apigw-requestid"]


def test_a_response_of_204_has_neither_body_nor_length() -> None:
    with connected(lambda _event, _context: {"statusCode": 204}) as connection:
        connection.request("DELETE", "/here")
        response = connection.getresponse()

        assert (response.status, response.read(), response.headers["Content-Length"]) == (204, b"", None)


@pytest.mark.parametrize(
    "result",
    [
        None,
        "text",
        {},
        {"statusCode": "200"},
        {"statusCode": True},
        {"statusCode": 99},
        {"statusCode": 200, "body": {"not": "text"}},
        {"statusCode": 200, "body": b"bytes"},
        {"statusCode": 200, "body": "not base64!", "isBase64Encoded": True},
        {"statusCode": 200, "headers": ["not", "an", "object"]},
        {"statusCode": 200, "headers": {"x": "two\r\nlines"}},
        {"statusCode": 200, "headers": {"x": "漢"}},
        {"statusCode": 200, "cookies": "a=1"},
        {"statusCode": 200, "body": "\ud800"},
        {"statusCode": 200, "body": "x" * 6_291_556},
    ],
)
def test_a_result_that_is_no_response_is_an_internal_server_error(result: Any) -> None:
    with connected(lambda _event, _context: result) as connection:
        assert exchange(connection, "POST", "/here") == (500, {"message": "Internal Server Error"})
        assert exchange(connection, "POST", "/here") == (500, {"message": "Internal Server Error"})


def test_a_handler_that_raises_is_an_internal_server_error_whose_message_is_not_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def fails(received: dict[str, Any], _context: Any) -> dict[str, Any]:
        raise KeyError(received["body"])

    with connected(fails) as connection, caplog.at_level(logging.ERROR):
        answer = exchange(connection, "POST", "/here", b"what a person wrote", {"Content-Type": "text/plain"})

    assert answer == (500, {"message": "Internal Server Error"})
    assert "KeyError" in caplog.text
    assert "test_gateway.py" in caplog.text
    assert "what a person wrote" not in caplog.text


def test_each_call_is_told_to_the_hook_with_the_id_that_the_handler_saw() -> None:
    told = []
    with connected(echo, on_call=lambda *call: told.append(call)) as connection:
        _, received = exchange(connection, "POST", "/here?a=b", b"{}")
        connection.request("GET", "/elsewhere")
        connection.getresponse().read()

    (method, path, status, milliseconds, headers, request_id), other = told
    assert (method, path, status, headers) == ("POST", "/here", 200, {"content-type": "application/json"})
    assert 0 <= milliseconds < 10_000
    assert request_id == received["requestContext"]["requestId"]
    assert other[:3] == ("GET", "/elsewhere", 404)


def test_a_refused_body_is_told_to_the_hook_too() -> None:
    told = []
    with connected(echo, on_call=lambda *call: told.append(call)) as connection:
        exchange(connection, "POST", "/here", b"x" * (10 * 1024 * 1024 + 1))

    assert [call[:3] for call in told] == [("POST", "/here", 413)]


def test_powertools_accepts_the_context() -> None:
    contexts = []
    logger = Logger(service="tests", level="CRITICAL")

    @logger.inject_lambda_context
    def handler(_event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
        contexts.append((context.function_name, context.get_remaining_time_in_millis()))
        return {"statusCode": 200, "body": json.dumps({"id": context.aws_request_id})}

    with connected(handler) as connection:
        status, received = exchange(connection, "POST", "/here")

    ((name, remaining),) = contexts
    assert (status, name) == (200, "test_gateway")
    assert received["id"]
    assert 20_000 < remaining <= 29_000


def test_the_time_that_remains_runs_down_to_nothing() -> None:
    seconds = [100.0]
    context = LambdaContext("generate", "id", deadline=101.5, clock=lambda: seconds[0])

    assert context.get_remaining_time_in_millis() == 1500
    seconds[0] = 200.0
    assert context.get_remaining_time_in_millis() == 0


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

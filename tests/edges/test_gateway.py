"""The local gateway, through real HTTP: what a handler is given, and what a client gets back."""

import base64
import json
import logging
from datetime import UTC, datetime
from typing import Any

import pytest
from aws_lambda_powertools import Logger

from infra.local.http_server import Request
from infra.local.lambda_context import LambdaContext
from infra.local.lambda_proxy import event
from tests.edges.gateway_client import connected, echo, exchange


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

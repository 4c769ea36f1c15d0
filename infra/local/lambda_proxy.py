"""HTTP requests as API Gateway HTTP API events of payload format 2.0, and Lambda proxy results as HTTP responses.

Source: "Working with AWS Lambda proxy integrations for HTTP APIs", API Gateway developer guide. Stricter in one thing:
a result without `statusCode` is a fault, where API Gateway would guess at it.
"""

import base64
import binascii
import json
import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from infra.local.http_server import Reply, Request

MAX_RESULT_BYTES = 6_291_556
"""What Lambda returns from a synchronous call at most, as JSON, the body's escapes included."""

_TEXT = re.compile(r"text/.*|application/(json|xml|javascript)|application/.+\+(json|xml)")
_HOP_BY_HOP = frozenset({"connection", "keep-alive", "transfer-encoding", "expect", "upgrade", "te", "trailer"})
_FORBIDDEN_IN_HEADER = re.compile(r"[^\t\x20-\x7e\x80-\xff]")


class MalformedResult(Exception):
    """A handler's result that API Gateway could not turn into a response."""


def event(request: Request, route_key: str, request_id: str, received: datetime) -> dict[str, Any]:
    """The event that a handler on `route_key` is invoked with; `received` is an instant in UTC."""
    address = urlsplit(request.target)
    headers = _headers(request)
    cookies = headers.pop("cookie", "")
    document: dict[str, Any] = {
        "version": "2.0",
        "routeKey": route_key,
        "rawPath": address.path,
        "rawQueryString": address.query,
        "headers": headers,
        "requestContext": _request_context(request, route_key, request_id, received),
        **_body(request.body, headers),
    }
    if cookies:
        document["cookies"] = [cookie.strip() for cookie in cookies.split(";")]
    if address.query:
        document["queryStringParameters"] = _joined(parse_qsl(address.query, keep_blank_values=True))
    return document


def reply(result: Any) -> Reply:
    """The response that a handler's result asks for; raises MalformedResult."""
    _check_size(result)
    match result:
        case {"statusCode": int(status)} if 200 <= status <= 599 and not isinstance(status, bool):
            return Reply(status, _response_headers(result), _response_body(result))
        case _:
            raise MalformedResult("statusCode is missing or not an HTTP status")


def _headers(request: Request) -> dict[str, str]:
    pairs = [(name.lower(), value) for name, value in request.headers]
    cookies = "; ".join(value for name, value in pairs if name == "cookie")
    others = _joined([(name, value) for name, value in pairs if name not in _HOP_BY_HOP and name != "cookie"])
    return others | ({"cookie": cookies} if cookies else {})


def _joined(pairs: list[tuple[str, str]]) -> dict[str, str]:
    joined: dict[str, str] = {}
    for name, value in pairs:
        joined[name] = f"{joined[name]},{value}" if name in joined else value
    return joined


def _request_context(request: Request, route_key: str, request_id: str, received: datetime) -> dict[str, Any]:
    host = request.header("Host", "localhost")
    return {
        "accountId": "000000000000",
        "apiId": "local",
        "domainName": host.partition(":")[0],
        "domainPrefix": host.partition(".")[0].partition(":")[0],
        "http": {
            "method": request.method,
            "path": urlsplit(request.target).path,
            "protocol": request.protocol,
            "sourceIp": request.peer,
            "userAgent": request.header("User-Agent"),
        },
        "requestId": request_id,
        "routeKey": route_key,
        "stage": "$default",
        "time": received.strftime("%d/%b/%Y:%H:%M:%S +0000"),
        "timeEpoch": int(received.timestamp() * 1000),
    }


def _body(body: bytes, headers: Mapping[str, str]) -> dict[str, Any]:
    """As text where the content type says text and the bytes are UTF-8, else in base64; absent when empty."""
    if not body:
        return {"isBase64Encoded": False}
    media_type = headers.get("content-type", "").partition(";")[0].strip().lower()
    if _TEXT.fullmatch(media_type) and "content-encoding" not in headers:
        try:
            return {"body": body.decode(), "isBase64Encoded": False}
        except UnicodeDecodeError:
            pass
    return {"body": base64.b64encode(body).decode(), "isBase64Encoded": True}


def _check_size(result: Any) -> None:
    """Refuse what Lambda could not return: too long, or not JSON."""
    try:
        size = len(json.dumps(result, ensure_ascii=False).encode())
    except (TypeError, ValueError, RecursionError) as error:
        raise MalformedResult("the result is not JSON") from error
    if size > MAX_RESULT_BYTES:
        raise MalformedResult("the result is larger than Lambda returns")


def _response_headers(result: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    headers, cookies = result.get("headers") or {}, result.get("cookies") or []
    if not isinstance(headers, dict) or not isinstance(cookies, list):
        raise MalformedResult("headers is not an object or cookies not a list")
    pairs = [*headers.items(), *(("set-cookie", cookie) for cookie in cookies)]
    lines = tuple((name, value if isinstance(value, str) else json.dumps(value)) for name, value in pairs)
    if any(_FORBIDDEN_IN_HEADER.search(name + value) for name, value in lines):
        raise MalformedResult("a header holds what HTTP does not allow")
    return tuple((name, value) for name, value in lines if name.lower() not in {*_HOP_BY_HOP, "content-length"})


def _response_body(result: Mapping[str, Any]) -> bytes:
    body = result.get("body")
    if body is None:
        return b""
    if not isinstance(body, str):
        raise MalformedResult("body is not text")
    if not result.get("isBase64Encoded"):
        return body.encode()
    try:
        return base64.b64decode(body, validate=True)
    except binascii.Error as error:
        raise MalformedResult("body is not base64") from error

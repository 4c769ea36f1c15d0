"""A relay on the loopback between the Gemini adapter and Gemini, that keeps what each request came to.

The adapter reports what a failure means, never what Google said. Who sets the service up wants to know just that.
"""

import json
from dataclasses import dataclass
from typing import Any, Literal, Self

import httpx2

from infra.local.http_server import HttpServer, Reply, Request

_PATIENCE_SECONDS = 120.0
"""Longer than any deadline of the adapter."""

_OF_THE_CONNECTION = frozenset({"host", "connection", "content-length", "accept-encoding"})


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request: the form of the schema it bore, and the answer. `status` is None if there was none."""

    schema: Literal["rich", "plain"]
    status: int | None
    said: str
    usage: dict[str, int]


class GeminiRelay:
    """The running relay; also a context manager. `base_url` is what the adapter is pointed at."""

    def __init__(self, upstream: str) -> None:
        self._upstream = upstream.rstrip("/")
        self._client = httpx2.Client(timeout=_PATIENCE_SECONDS, follow_redirects=False, trust_env=False)
        self._server = HttpServer(self._answer)
        self.base_url = self._server.url
        self.exchanges: list[Exchange] = []

    def __enter__(self) -> Self:
        self._server.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.stop()
        self._client.close()

    def _answer(self, request: Request) -> Reply | None:
        headers = [(name, value) for name, value in request.headers if name.lower() not in _OF_THE_CONNECTION]
        url = f"{self._upstream}{request.target}"
        try:
            answer = self._client.request(request.method, url, headers=headers, content=request.body)
        except httpx2.HTTPError as error:
            self.exchanges.append(Exchange(_schema(request.body), None, type(error).__name__, {}))
            return None
        document = _json(answer.content)
        self.exchanges.append(Exchange(_schema(request.body), answer.status_code, _said(document), _usage(document)))
        content_type = answer.headers.get("content-type", "application/json")
        return Reply(answer.status_code, (("Content-Type", content_type),), answer.content)


def _json(body: bytes) -> dict[str, Any]:
    try:
        document = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return document if isinstance(document, dict) else {}


def _schema(body: bytes) -> Literal["rich", "plain"]:
    schema = _json(body).get("generationConfig", {}).get("responseJsonSchema", {})
    return "rich" if "additionalProperties" in schema else "plain"


def _said(document: dict[str, Any]) -> str:
    """Google's own words for a refusal; empty for an answer."""
    error = document.get("error")
    return f"{error.get('status')}: {error.get('message')}" if isinstance(error, dict) else ""


def _usage(document: dict[str, Any]) -> dict[str, int]:
    usage = document.get("usageMetadata")
    return {name: count for name, count in usage.items() if isinstance(count, int)} if isinstance(usage, dict) else {}

"""Calls to a deployed or local API, with its problem documents as errors."""

from types import TracebackType
from typing import Any, Protocol, Self

import httpx2

from research.words.catalogue import BY_NAME

TIMEOUT_SECONDS = 30.0
_PASSING = (429, 502, 503, 504)
"""What API Gateway answers by itself when the same call may succeed later."""


class ApiError(Exception):
    """The API refused, could not be reached, or is something else. The message is for a person to read.

    `code` is the problem's code, `unreachable` where there was no answer, or empty when it was no problem document.
    `document` is the problem document, if there was one. `retryable` says that the same call may succeed later.
    """

    def __init__(
        self, message: str, code: str = "", *, document: dict[str, Any] | None = None, retryable: bool = False
    ) -> None:
        super().__init__(message)
        self.code = code
        self.document = document
        self.retryable = retryable


class Caller(Protocol):
    """Calls operations, whatever the protocol."""

    def call(self, operation: str, **arguments: Any) -> dict[str, Any]:
        """The result of one operation. Raises ApiError."""


class Api:
    """The operations at one base URL under one token, over connections that end with its block."""

    def __init__(self, url: str, token: str) -> None:
        self._url = url.rstrip("/")
        self._client = httpx2.Client(
            timeout=TIMEOUT_SECONDS,
            headers={"authorization": f"Bearer {token}"},
            trust_env=not is_local(url),
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._client.close()

    def call(self, operation: str, **arguments: Any) -> dict[str, Any]:
        """The result of one operation. Raises ApiError."""
        return self.send(operation, arguments)

    def send(self, operation: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """As `call`, with arguments of any name."""
        try:
            response = self._client.post(self._url + BY_NAME[operation].path, json=arguments)
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            raise unreachable(self._url, error) from None
        try:
            document = response.json()
        except ValueError:
            document = None
        if not isinstance(document, dict):
            message = f"{self._url} answered {response.status_code} and no JSON object."
            raise ApiError(message, retryable=response.status_code in _PASSING)
        if response.status_code != httpx2.codes.OK:
            raise _error(response.status_code, document)
        return document


def is_local(url: str) -> bool:
    """Whether it is on this machine, which no proxy leads to."""
    return url.startswith("http://127.0.0.1:")


def unreachable(url: str, error: Exception) -> ApiError:
    """Nothing answered."""
    return ApiError(f"{url} cannot be reached ({type(error).__name__}). Is it running?", "unreachable", retryable=True)


def refused(document: dict[str, Any]) -> ApiError:
    """A problem document of ours as one message."""
    faults = [f"\n{fault['pointer']}: {fault['detail']}" for fault in document.get("errors", [])]
    message = f"{document['code']}: {document['detail']}{''.join(faults)}"
    return ApiError(message, document["code"], document=document, retryable=document["retryable"] is True)


def _error(status: int, document: dict[str, Any]) -> ApiError:
    """A problem document of ours, or what API Gateway answers by itself."""
    if {"code", "detail", "retryable"} <= document.keys():
        return refused(document)
    return ApiError(f"{status}: {document.get('message') or 'no detail'}", retryable=status in _PASSING)

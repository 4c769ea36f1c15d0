"""Calls to a deployed or local API, with its problem documents as errors."""

from types import TracebackType
from typing import Any, Self

import httpx2

from research.words.catalogue import BY_NAME

TIMEOUT_SECONDS = 30.0


class ApiError(Exception):
    """The API refused, could not be reached, or is something else. The message is for a person to read.

    `code` is the problem's code, `unreachable` where there was no answer, or empty when it was no problem document.
    """

    def __init__(self, message: str, code: str = "") -> None:
        super().__init__(message)
        self.code = code


class Api:
    """The operations at one base URL under one token, over connections that end with its block."""

    def __init__(self, url: str, token: str) -> None:
        self._url = url.rstrip("/")
        self._client = httpx2.Client(
            timeout=TIMEOUT_SECONDS,
            headers={"authorization": f"Bearer {token}"},
            trust_env=not self._url.startswith("http://127.0.0.1:"),  # no proxy leads to this machine
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._client.close()

    def call(self, operation: str, **arguments: Any) -> dict[str, Any]:
        """The result of one operation. Raises ApiError."""
        try:
            response = self._client.post(self._url + BY_NAME[operation].path, json=arguments)
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            message = f"{self._url} cannot be reached ({type(error).__name__}). Is it running?"
            raise ApiError(message, "unreachable") from None
        try:
            document = response.json()
        except ValueError:
            document = None
        if not isinstance(document, dict):
            raise ApiError(f"{self._url} answered {response.status_code} and no JSON object.")
        if response.status_code != httpx2.codes.OK:
            raise _error(response.status_code, document)
        return document


def _error(status: int, document: dict[str, Any]) -> ApiError:
    """A problem document of ours, or what API Gateway answers by itself, as one message."""
    code, detail = document.get("code", ""), document.get("detail") or document.get("message") or "no detail"
    faults = [f"\n{fault['pointer']}: {fault['detail']}" for fault in document.get("errors", [])]
    return ApiError(f"{code or status}: {detail}{''.join(faults)}", code)

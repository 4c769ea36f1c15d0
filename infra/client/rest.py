"""Calls to a deployed or local API, with its problem documents as errors."""

from typing import Any

import httpx2

from research.words.catalogue import BY_NAME

TIMEOUT_SECONDS = 30.0


class ApiError(Exception):
    """The API refused, could not be reached, or is something else. The message is for a person to read."""

    def __init__(self, message: str, problem: dict[str, Any] | None = None) -> None:
        super().__init__(message)
        self.problem = problem or {}


class Api:
    """The operations at one base URL under one token."""

    def __init__(self, url: str, token: str) -> None:
        self._url = url.rstrip("/")
        self._client = httpx2.Client(timeout=TIMEOUT_SECONDS, headers={"authorization": f"Bearer {token}"})

    def call(self, operation: str, **arguments: Any) -> dict[str, Any]:
        """The result of one operation. Raises ApiError."""
        try:
            response = self._client.post(self._url + BY_NAME[operation].path, json=arguments)
        except httpx2.HTTPError as error:
            raise ApiError(f"{self._url} cannot be reached ({type(error).__name__}). Is it running?") from None
        try:
            document: dict[str, Any] = response.json()
        except ValueError:
            raise ApiError(f"{self._url} answered {response.status_code} and no JSON.") from None
        if response.status_code != httpx2.codes.OK:
            detail = document.get("detail") or document.get("message") or "no detail"
            raise ApiError(f"{document.get('code', response.status_code)}: {detail}", document)
        return document

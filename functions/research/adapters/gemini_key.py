"""Where the key to Gemini comes from: given as it is, or kept in AWS Secrets Manager and read by the worker alone."""

import json
import logging
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from botocore.exceptions import BotoCoreError, ClientError

from research.operations.provider import NotGenerated

if TYPE_CHECKING:
    from mypy_boto3_secretsmanager import SecretsManagerClient

KEPT_SECONDS = 300.0
"""How long a key is used before it is read again, so that one that was rotated comes into use by itself."""

_MEMBERS = ("api_key", "GEMINI_API_KEY")
_KEY = re.compile(r"[!-~]+", re.ASCII)

_log = logging.getLogger("cited-research")


class ApiKey(Protocol):
    """A key that may change while the process lives."""

    def read(self) -> str:
        """The key. Raises NotGenerated where there is none now."""
        ...

    def refused(self) -> None:
        """Gemini does not take the key: the next call shall read it anew."""
        ...


@dataclass(frozen=True, slots=True)
class GivenKey:
    """A key that stands in the environment."""

    key: str = field(repr=False)

    def read(self) -> str:
        """The key."""
        return self.key

    def refused(self) -> None:
        """There is no other."""


class SecretKey:
    """A key in Secrets Manager: the secret's text itself, or the member `api_key` of the JSON object that it is."""

    def __init__(
        self, client: "SecretsManagerClient", name: str, seconds: Callable[[], float] = time.monotonic
    ) -> None:
        self._client = client
        self._name = name
        self._seconds = seconds
        self._kept: tuple[float, str] | None = None

    def read(self) -> str:
        """The key, at most KEPT_SECONDS old. Raises NotGenerated: nothing was sent to anybody yet."""
        now = self._seconds()
        if self._kept is None or now - self._kept[0] >= KEPT_SECONDS:
            self._kept = now, self._fetched()
        return self._kept[1]

    def refused(self) -> None:
        """Forget it: it may have been rotated."""
        self._kept = None

    def _fetched(self) -> str:
        try:
            secret = self._client.get_secret_value(SecretId=self._name).get("SecretString", "")
        except ClientError as error:
            raise _unreadable(error.response["Error"].get("Code", ""), passing=_passing(error)) from None
        except BotoCoreError as error:
            raise _unreadable(type(error).__name__, passing=True) from None
        key = _key(secret)
        if not _KEY.fullmatch(key):
            raise _unreadable("NoKey", passing=False)
        return key


def _unreadable(error: str, *, passing: bool) -> NotGenerated:
    """What a run comes to, with one line on why: never a word of the secret."""
    _log.error("secret unreadable", extra={"error": error})
    return NotGenerated("provider_unavailable", retryable=True) if passing else NotGenerated("not_configured")


def _passing(error: ClientError) -> bool:
    """Whether Secrets Manager, or something on the way to it, is busy or broken: that says nothing of the secret."""
    status = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
    return status >= 500 or error.response["Error"].get("Code") == "ThrottlingException"


def _key(secret: str) -> str:
    """The key that a secret's text holds; empty if it holds none."""
    try:
        document = json.loads(secret)
    except (ValueError, RecursionError):
        return secret.strip()
    members = document if isinstance(document, dict) else {}
    told = (members.get(name) for name in _MEMBERS)
    return next((key.strip() for key in told if isinstance(key, str)), "")

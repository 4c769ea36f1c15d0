"""What a team may choose about its deployment: CDK context, checked here and nowhere else.

Values come as strings from the command line (`-c name=value`) and as JSON from cdk.json.
"""

import difflib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from research.wiring import Settings

_DEFAULTS = Settings.from_environment({"TABLE_NAME": "", "QUEUE_URL": ""})
_OURS = re.compile(r"[a-z_]+")
"""How our names look. Those of CDK have a colon, an at sign or a hyphen in them."""

_STAGE = re.compile(r"[a-z][a-z0-9-]{0,19}")
_SECRET_NAME = re.compile(r"(?!AIza|AQ\.)[A-Za-z0-9/_+=.@-]{1,512}")
"""Not what looks like a key of Google's, which would end up in the template."""
_MODEL = re.compile(r"[a-z0-9][a-z0-9.-]{0,99}")
_ORIGIN = re.compile(r"https?://[a-z0-9.-]+(:[0-9]{1,5})?")
_EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")


class InvalidContext(Exception):
    """Something in the context cannot be deployed; the message says what to write instead."""


@dataclass(frozen=True, slots=True)
class Context:
    """One deployment. `gemini_secret` names a secret of the account; None: every request is refused `not_configured`.

    `generate_concurrency` is how many answers are generated at once; DAILY_* are per workspace and UTC day.
    """

    stage: str = "dev"
    gemini_secret: str | None = None
    gemini_model: str = _DEFAULTS.gemini_model
    generate_concurrency: int = 10
    daily_runs: int = _DEFAULTS.daily_runs
    daily_tokens: int = _DEFAULTS.daily_tokens
    allowed_origins: tuple[str, ...] = ()
    alarm_email: str | None = None

    @property
    def stack_name(self) -> str:
        """The CloudFormation stack: one for each stage, beside each other in one account and region."""
        return f"cited-research-{self.stage}"

    @classmethod
    def read(cls, given: Mapping[str, Any]) -> "Context":
        """The context that is given, the rest as it is by default. Raises InvalidContext."""
        known = {field.name for field in fields(cls)}
        for name in given.keys() - known:
            if _OURS.fullmatch(name):
                raise InvalidContext(_unknown(name, known))
        chosen = {name: str(given[name]).strip() for name in known & given.keys() if given[name] is not None}
        return cls(**{name: _READ[name](name, value) for name, value in chosen.items() if value})


def _unknown(name: str, known: set[str]) -> str:
    close = difflib.get_close_matches(name, known, n=1)
    hint = f"Did you mean {close[0]}?" if close else f"There are {', '.join(sorted(known))}."
    return f"There is no context {name}. {hint}"


def _matching(pattern: re.Pattern[str], what: str) -> Callable[[str, str], str]:
    def read(name: str, value: str) -> str:
        if not pattern.fullmatch(value):
            raise InvalidContext(f"{name} must be {what}.")
        return value

    return read


def _number(least: int, most: int) -> Callable[[str, str], int]:
    def read(name: str, value: str) -> int:
        if not value.isdecimal() or not least <= int(value) <= most:
            raise InvalidContext(f"{name} must be a whole number from {least} to {most}.")
        return int(value)

    return read


def _origins(name: str, value: str) -> tuple[str, ...]:
    origins = tuple(value.replace(",", " ").split())
    for origin in origins:
        if not _ORIGIN.fullmatch(origin):
            raise InvalidContext(
                f"{name} must be addresses such as https://app.example.com, separated by commas: lower case, no path."
            )
    return origins


_READ: dict[str, Callable[[str, str], Any]] = {
    "stage": _matching(_STAGE, "at most 20 lower-case letters, digits and hyphens, a letter first"),
    "gemini_secret": _matching(_SECRET_NAME, "the name of a secret in Secrets Manager, not its ARN and not the key"),
    "gemini_model": _matching(_MODEL, "a model's name without its path, such as gemini-3.8-flash"),
    "generate_concurrency": _number(2, 1000),
    "daily_runs": _number(1, 10**6),
    "daily_tokens": _number(1, 10**12),
    "allowed_origins": _origins,
    "alarm_email": _matching(_EMAIL, "one e-mail address"),
}

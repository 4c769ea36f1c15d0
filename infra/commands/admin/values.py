"""What is typed after a command, checked: each gives up with one line on what it cannot be."""

from datetime import date
from typing import get_args

from pydantic import TypeAdapter, ValidationError

from infra.administration import CAPABILITIES
from infra.commands.terminal import give_up
from infra.evidence_files import Format
from research.words.contract import Id
from research.words.records import Role

ROLES: tuple[str, ...] = get_args(Role)
FORMATS: tuple[str, ...] = get_args(Format)
LONGEST_NAME = 200
MOST_DAYS = 366
DEFAULT = "default"

_ID = TypeAdapter[str](Id)
_HEXADECIMAL = frozenset("0123456789abcdef")


def identifier(text: str) -> str:
    """A hyphenated UUID in lower case."""
    try:
        return _ID.validate_python(text)
    except ValidationError:
        give_up("An id is a hyphenated UUID, such as 0f8fad5b-d9cb-469f-a165-70867728950e: the lists show them.")


def name(text: str) -> str:
    """What a person will read in lists."""
    if not (1 <= len(text) <= LONGEST_NAME and text.isprintable() and text.strip()):
        give_up(f"A name or label is 1 to {LONGEST_NAME} printable characters.")
    return text


def role(text: str) -> str:
    """A member's role."""
    if text not in ROLES:
        give_up(f"A role is one of: {', '.join(ROLES)}.")
    return text


def capability(text: str) -> str:
    """A member's capability."""
    if text not in CAPABILITIES:
        give_up(f"A capability is one of: {', '.join(CAPABILITIES)}.")
    return text


def digest(text: str) -> str:
    """The beginning of a token's digest. What is no such thing may be the token itself, so it is not repeated."""
    if not text or len(text) > 64 or not set(text.lower()) <= _HEXADECIMAL:
        give_up("A digest is hexadecimal, never the token itself: `research admin token list` shows the digests.")
    return text.lower()


def day(text: str) -> str:
    """A UTC day."""
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        give_up("A day is written as 2026-11-30.")


def days(text: str) -> int:
    """How long a token is good for."""
    if not (text.isascii() and text.isdecimal() and len(text) < 5 and 1 <= int(text) <= MOST_DAYS):
        give_up(f"--days is a whole number from 1 to {MOST_DAYS}.")
    return int(text)


def form(text: str) -> str:
    """The format of an evidence file."""
    if text not in FORMATS:
        give_up(f"--format is one of: {', '.join(FORMATS)}.")
    return text


def limit(text: str) -> str:
    """A daily limit, or `default` for the deployment's."""
    if text != DEFAULT and not (text.isascii() and text.isdecimal() and len(text) <= 15):
        give_up(f"A limit is a whole number, or the word {DEFAULT} for the deployment's own.")
    return text

"""A caller's arguments, parsed once: by the contract, each fault at its JSON Pointer and without its value."""

import hashlib
import json
import re
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from research.words.contract import Arguments
from research.words.problems import FieldError, Problem

M = TypeVar("M", bound=BaseModel)

MAX_ERRORS = 20
"""Faults reported at once; a caller mends these first."""

_FIELD_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,39}", re.ASCII)

_EXPECTED = {
    "missing": "This field is required.",
    "extra_forbidden": "This field is unknown.",
    "string_too_short": "At least {min_length} character is needed.",
    "string_too_long": "At most {max_length} characters (code points) are allowed.",
    "too_short": "At least {min_length} item is needed.",
    "too_long": "At most {max_length} items are allowed.",
    "greater_than": "A number above {gt} is expected.",
    "less_than_equal": "A number of at most {le} is expected.",
    "literal_error": "One of {expected} is expected.",
    "string_type": "A string is expected.",
    "int_type": "An integer is expected.",
    "tuple_type": "An array is expected.",
    "model_type": "An object is expected.",
    "value_error": "{error}.",
}
"""Our words for pydantic's error types. What is not listed reads as a wrong value."""


def parse(model: type[M], value: object) -> M:
    """The arguments that a JSON value holds. Raises `invalid_request`, or the problem that is there instead."""
    if isinstance(value, Problem):
        raise value
    try:
        return model.model_validate(value)
    except ValidationError as error:
        faults = error.errors(include_url=False, include_input=False)[:MAX_ERRORS]
        raise Problem("invalid_request", errors=tuple(_fault(fault) for fault in faults)) from None


def digest(operation: str, arguments: Arguments) -> str:
    """What tells two uses of one mutation apart: SHA-256 of the operation and the arguments, normalized."""
    body = json.dumps([operation, arguments.model_dump(mode="json")], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(body.encode()).hexdigest()


def _fault(fault: Any) -> FieldError:
    words = _EXPECTED.get(fault["type"], "The value is not what is expected here.")
    return FieldError(_pointer(fault["loc"]), words.format(**fault.get("ctx", {})))


def _pointer(location: tuple[int | str, ...]) -> str:
    """RFC 6901. A member's name is the caller's text, so it is echoed only if it looks like a field name."""
    return "".join(f"/{step}" if _harmless(step) else "/…" for step in location)


def _harmless(step: int | str) -> bool:
    return isinstance(step, int) or _FIELD_NAME.fullmatch(step) is not None

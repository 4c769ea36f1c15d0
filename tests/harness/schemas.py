"""Every response is held to the schema that its operation publishes."""

from functools import cache
from typing import Any

from jsonschema import Draft202012Validator, FormatChecker

from research.words import published
from research.words.catalogue import BY_NAME

_formats = FormatChecker(formats=[])


@_formats.checks("uuid")
def _uuid(value: object) -> bool:
    parts = [len(part) for part in value.split("-")] if isinstance(value, str) else None
    return parts is None or (parts == [8, 4, 4, 4, 12] and all(digit in "0123456789abcdef-" for digit in str(value)))


@cache
def _validator(operation: str) -> Draft202012Validator:
    return Draft202012Validator(published.tool(BY_NAME[operation])["outputSchema"], format_checker=_formats)


def check_result(operation: str, document: Any) -> None:
    """Raise jsonschema's ValidationError unless the document is a result of the operation, UUIDs in lower case."""
    _validator(operation).validate(document)

"""Cursors of paged lists: opaque to the caller, and good only for the list that they came from."""

import base64
import hashlib
import json

from research.words.problems import FieldError, Problem

_CHECK = 8
"""Bytes of the check that tells a cursor of ours, for this list, from anything else. It is no secret."""


def write(after: str | None, *listing: str | None) -> str | None:
    """The cursor that goes on behind `after` in the list that these words name; None at its end."""
    if after is None:
        return None
    body = after.encode()
    return base64.urlsafe_b64encode(_check(body, listing) + body).decode().rstrip("=")


def read(cursor: str | None, *listing: str | None) -> str | None:
    """Where the list goes on. Raises `invalid_request` for what is no cursor of this list."""
    if cursor is None:
        return None
    after = _decoded(cursor)
    if after and cursor == write(after, *listing):
        return after
    fault = FieldError("/cursor", "Not a cursor of this list. Send the `next_cursor` of its last page, or none at all.")
    raise Problem("invalid_request", errors=(fault,))


def _decoded(cursor: str) -> str:
    """What a cursor would say if it were ours; nothing if it cannot be."""
    try:
        return base64.urlsafe_b64decode(f"{cursor}==")[_CHECK:].decode()
    except ValueError:
        return ""


def _check(body: bytes, listing: tuple[str | None, ...]) -> bytes:
    return hashlib.sha256(json.dumps(listing).encode() + body).digest()[:_CHECK]

"""Identifiers: random where something new is named, derived where a retry must name the same thing again.

A conversation's id follows from who created it under which mutation, and a run's likewise. A write that is sent again
can therefore never make a second one, not even after its mutation record is gone. Ids are names, not secrets: every
call checks access.
"""

import hashlib
import re
import secrets
import uuid

PROJECT_SPACE = uuid.UUID("a1c5c0de-7e57-5e5a-9b1e-0f5e1ec7ed00")
"""Namespace of every derived id (RFC 9562, version 5)."""

_TOKEN = re.compile(r"rtk_([0-9a-f]{32})_([A-Za-z0-9_-]{43})", re.ASCII)


def derived(*parts: str) -> str:
    """The version 5 UUID of these parts, the same on every call."""
    return str(uuid.uuid5(PROJECT_SPACE, "/".join(parts)))


def conversation_id(workspace_id: str, principal_id: str, mutation_id: str) -> str:
    """The conversation that this principal's mutation creates."""
    return derived("conversation", workspace_id, principal_id, mutation_id)


def run_id(workspace_id: str, principal_id: str, mutation_id: str) -> str:
    """The run that this principal's mutation requests, accepted or refused."""
    return derived("run", workspace_id, principal_id, mutation_id)


def question_id(run: str) -> str:
    """The user message of a run."""
    return derived("question", run)


def answer_id(run: str) -> str:
    """The assistant message of a run."""
    return derived("answer", run)


def evidence_id(project_id: str, own_id: str) -> str:
    """The evidence that a project's importer calls `own_id`."""
    return derived("evidence", project_id, own_id)


def new() -> str:
    """A random id (version 4)."""
    return str(uuid.uuid4())


def new_token(principal_id: str) -> str:
    """A bearer token: whose it is in clear, then 256 random bits. Only its digest is ever stored."""
    return f"rtk_{uuid.UUID(principal_id).hex}_{secrets.token_urlsafe(32)}"


def token_principal(token: str) -> str | None:
    """Whose token this claims to be, or None when it is not shaped like one. It proves nothing: the digest does."""
    found = _TOKEN.fullmatch(token)
    return str(uuid.UUID(found.group(1))) if found else None


def token_digest(token: str) -> str:
    """SHA-256 in hex. A token holds 256 random bits, so a plain hash cannot be guessed back."""
    return hashlib.sha256(token.encode()).hexdigest()

"""Who may call: token, membership, capability, role and project, decided from what was just read."""

from datetime import datetime

from research.words.catalogue import Operation
from research.words.problems import Problem
from research.words.records import Member, Token


def authenticate(token: Token | None, now: datetime) -> None:
    """Raise `unauthenticated` unless the token exists, has not expired and was not revoked."""
    if token is None or token.revoked_at is not None or token.expires_at <= now:
        raise Problem("unauthenticated")


def authorize(member: Member | None, operation: Operation) -> Member:
    """The member, or `access_denied`, `capability_required`, `role_required`, in this order."""
    if member is None:
        raise Problem("access_denied")
    if operation.capability not in member.capabilities:
        raise Problem("capability_required", facts={"capability": operation.capability})
    if not operation.read_only and member.role == "viewer":
        raise Problem("role_required")
    return member


def may_generate(member: Member | None, operation: Operation, project_id: str) -> bool:
    """Whether this member, as it stands now, could still ask about the project: re-checked right before the call."""
    try:
        return project_open(authorize(member, operation), project_id)
    except Problem:
        return False


def project_open(member: Member, project_id: str) -> bool:
    """Whether the project is one of the member's."""
    return member.projects is None or project_id in member.projects

"""Every way a call can be refused, in one table: code → HTTP status, whether to retry as it is, and what to do next."""

from dataclasses import dataclass, field
from typing import Any

MEDIA_TYPE = "application/problem+json"


@dataclass(frozen=True, slots=True)
class Kind:
    """One row: `retryable` says that the same call may succeed later, unchanged."""

    status: int
    title: str
    next_step: str
    retryable: bool = False


TABLE = {
    "invalid_request": Kind(400, "The request is invalid", "Correct what `errors` names and send it again."),
    "unauthenticated": Kind(
        401,
        "No valid access token",
        "Send `Authorization: Bearer <token>` with a token that has neither expired nor been revoked.",
    ),
    "access_denied": Kind(
        403, "No access to this workspace", "Check workspace_id, or ask an owner of the workspace to add you."
    ),
    "capability_required": Kind(
        403, "A capability is missing", "Ask an owner of the workspace to grant the capability named here."
    ),
    "role_required": Kind(
        403, "The role does not allow this", "Viewers read; ask an owner of the workspace for the editor role."
    ),
    "origin_not_allowed": Kind(
        403,
        "This web page may not call",
        "Call from an application, or have the page's origin added to the deployment's ALLOWED_ORIGINS.",
    ),
    "route_not_found": Kind(404, "No such route", "Check the path; README.md lists the operations."),
    "not_found": Kind(
        404, "Not found", "Check the ids: what does not exist and what is not open to you look the same here."
    ),
    "method_not_allowed": Kind(405, "Method not allowed", "Use POST."),
    "mutation_conflict": Kind(
        409,
        "The mutation_id was used for something else",
        "Use a new mutation_id for a new write; send the same operation and body to read the earlier result.",
    ),
    "source_unavailable": Kind(
        409, "Selected evidence was withdrawn", "Leave the evidence named here out of the context."
    ),
    "context_changed": Kind(
        409, "Selected evidence has a newer revision", "Select the current revision named here, or leave it out."
    ),
    "import_in_progress": Kind(
        409,
        "Another import of this project is under way",
        "Wait until it has ended, five minutes after its last sign of life at the most, and send it again.",
        retryable=True,
    ),
    "conversation_expired": Kind(409, "The conversation has expired", "Create a new conversation."),
    "conversation_archived": Kind(409, "The conversation is archived", "Create a new conversation to ask."),
    "revision_conflict": Kind(
        409,
        "The conversation has changed",
        "Read it again with conversations_get and send the request with `current_revision`.",
    ),
    "parent_not_found": Kind(
        409,
        "No such parent message",
        "Use the id of a message of this conversation, or null to start a new thread.",
    ),
    "body_too_large": Kind(413, "The body is too large", "Send at most 1 MiB."),
    "unsupported_media_type": Kind(415, "The body is not JSON", "Send Content-Type: application/json."),
    "internal_error": Kind(
        500,
        "Something failed on our side",
        "Send the same call again: a write is safe to repeat under the same mutation_id. Quote request_id if it lasts.",
        retryable=True,
    ),
    "busy": Kind(
        503,
        "Too many writes at once",
        "Wait a second and send the same call again: a write is safe to repeat under the same mutation_id.",
        retryable=True,
    ),
}


@dataclass(frozen=True, slots=True)
class FieldError:
    """One fault of the arguments: where (a JSON Pointer) and what. Never the value."""

    pointer: str
    detail: str


@dataclass(slots=True)
class Problem(Exception):
    """A call that is refused. `facts` are members added to the problem document, such as `current_revision`.

    Neither `detail` nor `facts` may hold anything that a person wrote into the service.
    """

    code: str
    detail: str = ""
    errors: tuple[FieldError, ...] = ()
    facts: dict[str, Any] = field(default_factory=dict)

    @property
    def status(self) -> int:
        """The HTTP status of this code."""
        return TABLE[self.code].status

    def document(self, request_id: str) -> dict[str, Any]:
        """The problem document of RFC 9457; `detail` says what happened and what to do next."""
        kind = TABLE[self.code]
        document: dict[str, Any] = {
            "type": f"urn:cited-research:problem:{self.code}",
            "title": kind.title,
            "status": kind.status,
            "detail": " ".join(filter(None, (self.detail or f"{kind.title}.", kind.next_step))),
            "code": self.code,
            "retryable": kind.retryable,
            "request_id": request_id,
            **self.facts,
        }
        if self.errors:
            document["errors"] = [{"pointer": error.pointer, "detail": error.detail} for error in self.errors]
        return document

"""Every public operation, once: REST routes, MCP tools, Lambda functions, IAM and the local stack are made from this.

Free of dependencies, so that the deployment and the local stack can read it without the service's libraries.
"""

from dataclasses import dataclass
from typing import Literal

Capability = Literal["agent:research", "agent:sources"]
Profile = Literal["core", "full"]

RESEARCH: Capability = "agent:research"
SOURCES: Capability = "agent:sources"
EVERYWHERE: tuple[Profile, ...] = ("core", "full")
PROFILES: dict[str, Profile] = {profile: profile for profile in EVERYWHERE}
SWITCH = {"0": False, "1": True}
"""How a profile, and whether output schemas are listed, are written in a variable or an address."""


@dataclass(frozen=True, slots=True)
class Operation:
    """One thing a caller can do.

    `name` names the handler file and the operation; `path` is its REST route under POST; `tool` its MCP name.
    An operation that does not only read carries a `mutation_id` and is open to editors and owners alone.
    """

    name: str
    path: str
    read_only: bool
    capability: Capability = RESEARCH
    profiles: tuple[Profile, ...] = ("full",)
    destructive: bool = False

    @property
    def tool(self) -> str:
        """The MCP tool's name."""
        return f"sosoapi_research_{self.name}"

    @property
    def annotations(self) -> dict[str, bool]:
        """The four MCP tool annotations, none left to a client's default."""
        return {
            "readOnlyHint": self.read_only,
            "destructiveHint": self.destructive,
            "idempotentHint": True,
            "openWorldHint": True,
        }


OPERATIONS = (
    Operation("conversations_create", "/research-api/conversations/create", read_only=False),
    Operation("conversations_get", "/research-api/conversations/get", read_only=True),
    Operation("assistant_request", "/research-api/assistant/request", read_only=False),
    Operation("assistant_status", "/research-api/assistant/status", read_only=True),
    Operation("assistant_cancel", "/research-api/assistant/cancel", read_only=False, destructive=True),
    Operation("sentiment_request", "/research-api/sentiment/request", read_only=False),
    Operation("citations_get", "/research-api/citations/get", read_only=True),
    Operation("conversations_list", "/research-api/conversations/list", read_only=True, profiles=EVERYWHERE),
    Operation("conversations_archive", "/research-api/conversations/archive", read_only=False),
    Operation("conversations_delete", "/research-api/conversations/delete", read_only=False, destructive=True),
    Operation("projects_list", "/research-api/projects/list", read_only=True, profiles=EVERYWHERE),
    Operation("evidence_list", "/research-api/evidence/list", read_only=True, profiles=EVERYWHERE),
    Operation("evidence_get", "/research-api/evidence/get", read_only=True, profiles=EVERYWHERE),
    Operation("sources_import", "/research-api/sources/import", read_only=False, capability=SOURCES),
    Operation(
        "sources_withdraw", "/research-api/sources/withdraw", read_only=False, capability=SOURCES, destructive=True
    ),
)

BY_NAME = {operation.name: operation for operation in OPERATIONS}

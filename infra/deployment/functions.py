"""Every Lambda function as plain data: what it is made of, what calls it, and what it is told.

Free of CDK: the bundles and the tests read it too.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Literal

from infra.deployment.permissions import PERMISSIONS, Permissions
from research.rules.transitions import FUNCTION_TIMEOUT
from research.words.catalogue import OPERATIONS

Layer = Literal["operations", "mcp", "generate"]

DEFAULT_ROUTE = "$default"
MCP_ROUTES = ("ANY /mcp", "ANY /mcp/{proxy+}")
"""The second is for clients that add a slash: API Gateway refuses a route that ends in one."""

API_TIMEOUT = timedelta(seconds=29)
"""Just under the 30 seconds that API Gateway waits."""

MINUTE = timedelta(minutes=1)
"""How often the sweep runs, and how long one may take."""

AWAITED = 1024
"""MB, and with them more than half a processor: somebody waits for the answer, and for a cold start."""

BEHIND_THE_SCENES = 512
"""MB."""


@dataclass(frozen=True, slots=True)
class Function:
    """One Lambda function: `memory` in MB, the names of its variables, and its routes if HTTP reaches it."""

    name: str
    layer: Layer
    timeout: timedelta
    memory: int
    environment: tuple[str, ...]
    routes: tuple[str, ...] = ()

    @property
    def handler(self) -> str:
        """Where Lambda finds its entry point."""
        return f"handlers.{self.name}.handler"

    @property
    def permissions(self) -> Permissions:
        """All that it may do, besides writing its own logs and traces."""
        return PERMISSIONS[self.name]


_WIRED = ("TABLE_NAME", "QUEUE_URL")
_CALLS = (*_WIRED, "DAILY_RUNS", "DAILY_TOKENS", "GEMINI_SECRET")

GENERATE = Function("generate", "generate", FUNCTION_TIMEOUT, AWAITED, (*_WIRED, "GEMINI_SECRET", "GEMINI_MODEL"))
SWEEP = Function("sweep", "operations", MINUTE, BEHIND_THE_SCENES, _WIRED)
DEAD_LETTERS = Function("dead_letters", "operations", MINUTE, BEHIND_THE_SCENES, _WIRED)


def _reached_by_http() -> Iterator[Function]:
    for operation in OPERATIONS:
        routes = (f"ANY {operation.path}",)
        yield Function(operation.name, "operations", API_TIMEOUT, AWAITED, _CALLS, routes)
    yield Function("mcp_endpoint", "mcp", API_TIMEOUT, AWAITED, (*_CALLS, "ALLOWED_ORIGINS"), MCP_ROUTES)
    yield Function("unrouted", "operations", API_TIMEOUT, AWAITED, (), (DEFAULT_ROUTE,))


FUNCTIONS = (*_reached_by_http(), GENERATE, SWEEP, DEAD_LETTERS)

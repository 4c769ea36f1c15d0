"""The MCP endpoint over a service of its own."""

import pytest
from harness.service import Service

from tests.mcp.rpc import Mcp


@pytest.fixture
def mcp(service: Service) -> Mcp:
    return Mcp(service)

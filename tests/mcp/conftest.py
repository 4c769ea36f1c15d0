"""The MCP endpoint over a service of its own, and one `research dev` for every test that only talks to it."""

from collections.abc import Iterator

import pytest
from harness.service import Service

from tests.mcp.rpc import Mcp
from tests.stack.research_command import Dev, dev


@pytest.fixture
def mcp(service: Service) -> Mcp:
    return Mcp(service)


@pytest.fixture(scope="session")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Dev]:
    with dev(tmp_path_factory.mktemp("mcp-stack"), "--json") as running:
        yield running

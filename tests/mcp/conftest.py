"""The MCP endpoint over a service of its own, and one `research dev` for every test that only talks to it."""

import itertools
from collections.abc import Iterator

import pytest
from harness.service import Service

from infra.local.aws import LocalAws
from tests.mcp.rpc import Mcp
from tests.stack.research_command import Dev, dev

_names = itertools.count()


@pytest.fixture(scope="module")
def mcp(aws: LocalAws) -> Mcp:
    """For tests that leave the clock, the evidence and the wiring as they are; the others make one of `service`."""
    return Mcp(Service(aws, f"mcp-{next(_names)}"))


@pytest.fixture(scope="session")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Dev]:
    with dev(tmp_path_factory.mktemp("mcp-stack"), "--json") as running:
        yield running

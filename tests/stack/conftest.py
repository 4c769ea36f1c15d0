"""One `research dev` for every test that only talks to it."""

from collections.abc import Iterator

import pytest

from tests.stack.research_command import Dev, dev


@pytest.fixture(scope="session")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Dev]:
    with dev(tmp_path_factory.mktemp("stack"), "--json") as running:
        yield running

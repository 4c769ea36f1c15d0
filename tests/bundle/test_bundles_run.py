"""Each handler runs from its bundle alone, under AWS's own runtime interface client; what is wrong with one shows."""

import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from harness.service import Service

from tests.bundle import built
from tests.bundle.runtime_api import FunctionFailed
from tests.bundle.trying import BY_NAME, Trial, status, statuses, trial
from tests.edges.sample_events import STORY, event

CREATE = BY_NAME["conversations_create"]


@pytest.fixture
def tried(service: Service, monkeypatch: pytest.MonkeyPatch) -> Iterator[Trial]:
    monkeypatch.setenv("MOTO_ALLOW_NONEXISTENT_REGION", "true")  # botocore lists no region of Secrets Manager for moto
    with ExitStack() as stack:
        yield trial(service, stack)


def test_every_event_is_answered_by_its_handler_from_the_bundle_alone(tried: Trial) -> None:
    assert statuses(tried) == STORY


def test_a_layer_that_lacks_a_library_fails(tried: Trial, tmp_path: Path) -> None:
    lacking = tmp_path / "python"
    shutil.copytree(built.layer(CREATE.layer) / "python", lacking)
    shutil.rmtree(lacking / "jmespath")

    with pytest.raises(FunctionFailed, match="No module named 'jmespath'"):
        tried.start(CREATE, paths=[built.code(), lacking]).invoke(event("conversations_create"))


def test_a_misspelt_handler_fails(tried: Trial) -> None:
    with pytest.raises(FunctionFailed, match=r"handlers\.conversation_create"):
        tried.start(CREATE, handler="handlers.conversation_create.handler").invoke(event("conversations_create"))


@pytest.mark.parametrize("name", ["TABLE_NAME", "QUEUE_URL"])
def test_a_function_that_is_not_told_what_it_needs_fails(tried: Trial, name: str) -> None:
    environment = {key: value for key, value in tried.environment(CREATE).items() if key != name}

    with pytest.raises(FunctionFailed, match=name):
        tried.start(CREATE, environment=environment).invoke(event("conversations_create"))


def test_a_message_that_a_function_cannot_deal_with_is_told_from_one_that_is_done(tried: Trial) -> None:
    function = BY_NAME["dead_letters"]
    environment = {**tried.environment(function), "TABLE_NAME": "another-table"}

    answer = tried.start(function, environment=environment).invoke(event("dead_letters"))

    assert status(answer) == "1 to come again"


def test_nothing_of_the_development_environment_can_be_imported(tried: Trial) -> None:
    with pytest.raises(FunctionFailed, match="No module named 'moto'"):
        tried.start(CREATE, handler="moto.handler").invoke(event("conversations_create"))

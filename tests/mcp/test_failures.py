"""Failures and crowds: what is planted in an operation stays inside, and the next call works."""

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from harness.service import Service

from research.operations.finding import Finding
from tests.mcp.rpc import REVISIONS, Mcp, problem

SECRET = "what somebody wrote"  # noqa: S105 (no password)


class Planted(BaseException):
    """Not even an Exception."""


@pytest.mark.parametrize("revision", REVISIONS)
@pytest.mark.parametrize(
    "failure",
    [
        RuntimeError(SECRET),
        ValueError(SECRET),
        asyncio.CancelledError(SECRET),
        TimeoutError(SECRET),
        ExceptionGroup(SECRET, [RuntimeError(SECRET)]),
        RecursionError(SECRET),
        StopIteration(SECRET),
        StopAsyncIteration(SECRET),
    ],
    ids=lambda failure: type(failure).__name__,
)
def test_an_exception_in_an_operation_is_a_generic_error_and_the_next_call_works(
    service: Service,
    revision: str,
    failure: BaseException,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    def fail(*_: Any) -> None:
        raise failure

    arguments = {"workspace_id": service.workspace_id}
    with monkeypatch.context() as planted:
        planted.setattr(Finding, "projects", fail)
        mcp = Mcp(service)
        refused = mcp.call(revision, "projects_list", arguments)
        # The same endpoint, its SDK server and its operations go on.
        others = mcp.call(revision, "conversations_list", arguments)

    document = problem(refused)
    assert (document["code"], document["status"], document["retryable"]) == ("internal_error", 500, True)
    assert document["request_id"]
    assert SECRET not in json.dumps(refused)
    assert SECRET not in "".join(capfd.readouterr())
    assert others["structuredContent"]["conversations"] == []
    assert Mcp(service).call(revision, "projects_list", arguments)["structuredContent"]["projects"]


@pytest.mark.parametrize("revision", REVISIONS)
def test_a_failure_outside_of_every_operation_is_a_500_with_a_request_id(
    mcp: Mcp, revision: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> None:
        raise RuntimeError(SECRET)

    with monkeypatch.context() as planted:
        planted.setattr(mcp.endpoint, "_server", fail)
        failed = mcp.rpc(revision, "tools/list")

    assert (failed.status, failed.body["code"]) == (500, "internal_error")
    assert failed.body["request_id"] == failed.headers["request-id"]
    assert SECRET not in json.dumps(failed.body)
    assert mcp.rpc(revision, "tools/list").status == 200


def test_eight_threads_at_once_are_each_answered_as_if_alone(mcp: Mcp) -> None:
    service = mcp.service
    arguments = {"workspace_id": service.workspace_id}

    def ask(number: int) -> tuple[int, Any]:
        revision = REVISIONS[number % len(REVISIONS)]
        params = {"name": "sosoapi_research_projects_list", "arguments": arguments}
        listed = mcp.rpc(revision, "tools/list")
        called = mcp.rpc(revision, "tools/call", params)
        return len(listed.result["tools"]), called.result["structuredContent"]

    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(ask, range(48)))

    alone = ask(0)
    assert answers == [alone] * 48


def test_each_of_eight_callers_is_answered_with_their_own(service: Service) -> None:
    mcp = Mcp(service)
    tokens = [service.member(f"00000000-0000-4000-8000-00000000000{number}") for number in range(8)]
    arguments = {"workspace_id": service.workspace_id}
    for number, token in enumerate(tokens):
        service.create(token=token, title=f"Conversation {number}")

    def titles(token: str) -> list[str]:
        headers = {"authorization": f"Bearer {token}"}
        listed = mcp.call(REVISIONS[-1], "conversations_list", arguments, headers=headers)["structuredContent"]
        return [conversation["title"] for conversation in listed["conversations"]]

    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(titles, tokens * 3))

    assert found == [[f"Conversation {number}"] for number in range(8)] * 3

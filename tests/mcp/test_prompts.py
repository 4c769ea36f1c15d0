"""The prompt, offered in every revision, since every revision has prompts."""

from typing import Any

import pytest

from tests.mcp.rpc import REVISIONS, Mcp

every_revision = pytest.mark.parametrize("revision", REVISIONS)


@every_revision
def test_the_prompt_starts_a_cited_research_conversation(mcp: Mcp, revision: str) -> None:
    (prompt,) = mcp.rpc(revision, "prompts/list").result["prompts"]
    assert [argument["name"] for argument in prompt["arguments"] if argument["required"]] == [
        "question",
        "workspace_id",
    ]

    arguments = {"question": "How {long}?", "workspace_id": mcp.service.workspace_id, "language": "fr"}
    (message,) = mcp.rpc(revision, "prompts/get", {"name": prompt["name"], "arguments": arguments}).result["messages"]

    assert message["role"] == "user"
    for expected in ("How {long}?", mcp.service.workspace_id, "language fr", "citations"):
        assert expected in message["content"]["text"]


@every_revision
@pytest.mark.parametrize(
    "params",
    [{"name": "no such"}, {"name": "cited_research"}, {"name": "cited_research", "arguments": {"question": "Why?"}}],
)
def test_a_prompt_that_is_unknown_or_lacks_an_argument_is_a_protocol_error(
    mcp: Mcp, revision: str, params: dict[str, Any]
) -> None:
    assert mcp.rpc(revision, "prompts/get", params).error == -32602


@every_revision
def test_where_only_reading_is_listed_there_is_no_prompt(mcp: Mcp, revision: str) -> None:
    assert mcp.rpc(revision, "prompts/list", query={"profile": "core"}).error == -32601

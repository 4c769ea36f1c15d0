"""The catalogue, from which everything is made, says of the founding operations what the contract publishes of them."""

import pytest

from research.words.catalogue import BY_NAME
from tests.contract.schemas import document

MEMBERS = ("tool", "rest_path", "capability", "profiles", "annotations")
FOUNDING = (
    "conversations_create",
    "conversations_get",
    "assistant_request",
    "assistant_status",
    "sentiment_request",
)


@pytest.mark.parametrize("name", FOUNDING)
def test_the_catalogue_says_what_is_published(name: str) -> None:
    operation = BY_NAME[name]
    published = document(operation.tool)

    assert {
        "tool": operation.tool,
        "rest_path": operation.path,
        "capability": operation.capability,
        "profiles": list(operation.profiles),
        "annotations": operation.annotations,
    } == {member: published[member] for member in MEMBERS}


def test_tools_and_routes_are_each_named_once() -> None:
    assert len({operation.tool for operation in BY_NAME.values()}) == len(BY_NAME)
    assert len({operation.path for operation in BY_NAME.values()}) == len(BY_NAME)

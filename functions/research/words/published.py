"""The contract as it is published: the five founding tools from their JSON files, the others from their models."""

import json
from importlib import resources
from typing import Any

from research.words import contract
from research.words.catalogue import Operation

FOUNDING = (
    "assistant_request",
    "assistant_status",
    "conversations_create",
    "conversations_get",
    "sentiment_request",
)
"""The operations whose contract is a file: published word for word."""


def tool(operation: Operation) -> dict[str, Any]:
    """One tool's name, path, capability, profiles, transports, annotations and schemas."""
    if operation.name in FOUNDING:
        return _file(operation.tool)
    arguments, result = contract.MODELS[operation.name]
    return {
        "tool": operation.tool,
        "rest_path": operation.path,
        "capability": operation.capability,
        "profiles": list(operation.profiles),
        "transports": ["stdio", "http"],
        "annotations": operation.annotations,
        "inputSchema": arguments.model_json_schema(),
        "outputSchema": result.model_json_schema(mode="serialization"),
    }


def _file(name: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(
        resources.files("research.words").joinpath(f"contract/{name}.json").read_text()
    )
    return document

"""The contract as it is published: the five founding tools from their JSON files, the others from their models."""

import json
from importlib import resources
from typing import Any

from pydantic import BaseModel

from research.words import contract
from research.words.catalogue import Operation

_MODELS: dict[str, tuple[type[BaseModel], type[BaseModel]]] = {
    "citations_get": (contract.CitationsArguments, contract.CitationsResult),
    "conversations_list": (contract.ConversationsListArguments, contract.ConversationsListResult),
    "conversations_archive": (contract.ArchiveArguments, contract.ConversationResult),
    "conversations_delete": (contract.DeleteArguments, contract.DeleteResult),
    "projects_list": (contract.ProjectsListArguments, contract.ProjectsListResult),
    "evidence_list": (contract.EvidenceListArguments, contract.EvidenceListResult),
    "evidence_get": (contract.EvidenceGetArguments, contract.EvidenceGetResult),
    "sources_import": (contract.ImportArguments, contract.ImportResult),
    "sources_withdraw": (contract.WithdrawArguments, contract.WithdrawResult),
}


def tool(operation: Operation) -> dict[str, Any]:
    """One tool's name, path, capability, profiles, transports, annotations and schemas."""
    if operation.name not in _MODELS:
        return _file(operation.tool)
    arguments, result = _MODELS[operation.name]
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

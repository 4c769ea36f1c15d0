"""What is called to find and to change sources, and what the table holds afterwards."""

import zlib
from typing import Any

from harness.service import Response, Service, new_id

from research.words import records
from research.words.records import Evidence, Member, Project
from tests.edges.rest_events import BOTH


def editing(service: Service) -> Service:
    """The service whose owner may change sources as well."""
    service.put(records.member(service.workspace_id, service.principal_id), Member(role="owner", capabilities=BOTH))
    return service


def importing(service: Service, *sources: dict[str, Any], **changes: Any) -> dict[str, Any]:
    names = {"workspace_id": service.workspace_id, "project_id": service.project_id}
    return {**names, "mutation_id": new_id(), "sources": list(sources), **changes}


def imported(service: Service, *sources: dict[str, Any], token: str = "", **changes: Any) -> Response:
    return service.send("sources_import", importing(service, *sources, **changes), token=token)


def withdrawing(service: Service, *evidence_ids: str, **changes: Any) -> dict[str, Any]:
    names = {"workspace_id": service.workspace_id, "project_id": service.project_id}
    return {**names, "mutation_id": new_id(), "evidence_ids": list(evidence_ids), **changes}


def withdrawn(service: Service, *evidence_ids: str, token: str = "", **changes: Any) -> Response:
    return service.send("sources_withdraw", withdrawing(service, *evidence_ids, **changes), token=token)


def found(service: Service, operation: str, **changes: Any) -> Response:
    token = changes.pop("token", "")
    return service.send(operation, {"workspace_id": service.workspace_id, **changes}, token=token)


def pages(service: Service, operation: str, name: str, **arguments: Any) -> list[list[Any]]:
    """Every page of a list, by its cursors."""
    answer = found(service, operation, **arguments).body
    rows = [answer[name]]
    while answer["next_cursor"] is not None:
        answer = found(service, operation, **arguments, cursor=answer["next_cursor"]).body
        rows.append(answer[name])
    return rows


def reading(service: Service, evidence_id: str, revision: int = 1, token: str = "") -> Response:
    names = {"workspace_id": service.workspace_id, "project_id": service.project_id}
    return service.send("evidence_get", {**names, "evidence_id": evidence_id, "revision": revision}, token=token)


def listed(service: Service, token: str = "", **changes: Any) -> Response:
    names = {"workspace_id": service.workspace_id, "project_id": service.project_id}
    return service.send("evidence_list", {**names, **changes}, token=token)


def project(service: Service) -> Project:
    found = service.store.fetch(ref := records.project(service.workspace_id, service.project_id))[ref]
    assert found is not None
    return found


def head(service: Service, evidence_id: str) -> Evidence:
    found = service.store.fetch(ref := records.evidence(service.workspace_id, service.project_id, evidence_id))[ref]
    assert found is not None
    return found


def everything(service: Service) -> str:
    """All that the table holds, content unpacked."""
    return repr(
        [
            {name: _unpacked(name, held["B"]) if "B" in held else held for name, held in item.items()}
            for item in service.items()
        ]
    )


def _unpacked(name: str, held: bytes) -> str:
    return (zlib.decompress(held) if name == "body" else held).decode()

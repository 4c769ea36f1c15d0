"""Changing a project's evidence through the API: a small import, and withdrawal."""

from collections.abc import Sequence
from typing import Any

from research.operations.arguments import digest
from research.operations.callers import Visit
from research.operations.importing import Importing, Publication
from research.operations.outcomes import Outcome, already_done, decided
from research.operations.ports import EvidenceStore, Lost, Remembered
from research.rules import access
from research.words import records
from research.words.clock import RETENTION
from research.words.contract import ImportArguments, ImportResult, Result, WithdrawArguments, WithdrawResult
from research.words.problems import FieldError, Problem
from research.words.records import Evidence, Found, Project, Ref

TRIES = 4


class Sources:
    """sources_import and sources_withdraw.

    An import is remembered in the transaction that publishes it. A withdrawal is claimed before and recorded after: it
    may be done again, since what was withdrawn stays withdrawn.
    """

    def __init__(self, store: EvidenceStore, importing: Importing) -> None:
        self._store = store
        self._importing = importing

    def import_(self, visit: Visit, arguments: ImportArguments) -> Outcome:
        """Up to 100 sources imported and published together, with their mutation or not at all."""
        return decided(lambda: self._import(visit, arguments))

    def withdraw(self, visit: Visit, arguments: WithdrawArguments) -> Outcome:
        """Evidence withdrawn: its text erased, and every answer that rests on it unreadable from now on."""
        return decided(lambda: self._withdraw_all(visit, arguments))

    def _import(self, visit: Visit, arguments: ImportArguments) -> Outcome:
        earlier = self._earlier(visit, arguments, ImportResult)
        if earlier is not None:
            return earlier
        _check_ids(arguments)
        publication = self._importing.publish(
            visit.workspace_id,
            arguments.project_id,
            arguments.sources,
            lambda publication: _remembered(visit, arguments, _imported(arguments, publication)),
        )
        return Outcome(_imported(arguments, publication))

    def _withdraw_all(self, visit: Visit, arguments: WithdrawArguments) -> Outcome:
        """Claimed, done and then recorded as done: a call that died half way may be sent again, as it was."""
        earlier = self._earlier(visit, arguments, WithdrawResult)
        if earlier is not None:
            return earlier
        evidence_ids = tuple(dict.fromkeys(arguments.evidence_ids))
        refs = [records.evidence(visit.workspace_id, arguments.project_id, name) for name in evidence_ids]
        _check_known(arguments.evidence_ids, refs, self._store.fetch(*refs))
        claimed = _remembered(visit, arguments, None)
        if self._store.fetch(claimed.ref)[claimed.ref] is None:
            self._store.claim_mutation(claimed)
        for ref in refs:
            self._withdraw(ref, visit)
        result = WithdrawResult(project_id=arguments.project_id, evidence_ids=evidence_ids)
        self._store.finish_mutation(claimed.ref, _remembered(visit, arguments, result).mutation)
        return Outcome(result)

    def _withdraw(self, ref: Ref[Evidence], visit: Visit) -> None:
        """Mark the head, then erase the texts; one that was withdrawn before has its texts erased again."""
        for _ in range(TRIES):
            before = self._store.fetch(ref)[ref]
            if before is None:
                return
            try:
                self._store.withdraw(ref, before, before if before.withdrawn_at else before.withdrawn(visit.now))
            except Lost:
                continue
            return
        raise Problem("busy")

    def _earlier(self, visit: Visit, arguments: Any, kind: type[Result]) -> Outcome | None:
        """What this mutation did before, if it did. Raises what does not allow the call."""
        project_ref = records.project(visit.workspace_id, arguments.project_id)
        mutation_ref = visit.mutation_ref(arguments.mutation_id)
        found = self._store.fetch(*visit.refs(), mutation_ref, project_ref)
        member = visit.admit(found)
        mutation = found[mutation_ref]
        mark = digest(visit.operation.name, arguments)
        if already_done(mutation, visit, mark, None) and mutation is not None and mutation.result is not None:
            return Outcome(kind.model_validate_json(mutation.result), replayed=True)
        project: Project | None = found[project_ref]
        if project is None or project.deleted_at or not access.project_open(member, arguments.project_id):
            raise Problem("not_found", "No such project is open to you.")
        return None


def _imported(arguments: ImportArguments, publication: Publication) -> ImportResult:
    tally = publication.tally
    return ImportResult(
        project_id=arguments.project_id,
        project_revision=publication.project_revision,
        corpus_snapshot_id=publication.corpus_snapshot_id,
        new=tally.new,
        changed=tally.changed,
        unchanged=tally.unchanged,
        withdrawn=tally.withdrawn,
        evidence=tuple(publication.evidence),
    )


def _remembered(visit: Visit, arguments: Any, result: Result | None) -> Remembered:
    """The mutation's record; without a result while it acts."""
    mark = digest(visit.operation.name, arguments)
    told = result.model_dump_json() if result else None
    return visit.remembers(arguments.mutation_id, mark, visit.now + RETENTION, told)


def _check_ids(arguments: ImportArguments) -> None:
    seen: dict[str, int] = {}
    for place, source in enumerate(arguments.sources):
        if source.id is not None and seen.setdefault(source.id, place) != place:
            fault = FieldError(f"/sources/{place}/id", "Another source of this call has the same id.")
            raise Problem("invalid_request", errors=(fault,))


def _check_known(evidence_ids: Sequence[str], refs: Sequence[Ref[Evidence]], found: Found) -> None:
    unknown = {ref.ids[-1] for ref in refs if found[ref] is None}
    faults = tuple(
        FieldError(f"/evidence_ids/{place}", "Unknown, or not of this project.")
        for place, name in enumerate(evidence_ids)
        if name in unknown
    )
    if faults:
        raise Problem("not_found", errors=faults)

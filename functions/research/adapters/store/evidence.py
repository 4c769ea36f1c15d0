"""The evidence port on DynamoDB: projects, their evidence, and lists."""

import time
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from research.adapters.store import items
from research.adapters.store.calls import Calls
from research.adapters.store.reads import fetch, page
from research.adapters.store.writes import Expression, Write, put, put_anyway, remember, rest
from research.operations.ports import Change, Listing, Page, R, Remembered
from research.words import records
from research.words.clock import milliseconds
from research.words.records import (
    Evidence,
    Found,
    Mutation,
    Project,
    Record,
    Ref,
    Snapshot,
)

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


class DynamoEvidenceStore:
    """`operations.ports.EvidenceStore` over one table."""

    def __init__(self, client: "DynamoDBClient", table: str, pause: Callable[[float], None] = time.sleep) -> None:
        self._calls = Calls(client, table, pause)

    def fetch(self, *refs: Ref[Any]) -> Found:
        """See EvidenceStore.fetch."""
        return fetch(self._calls, refs)

    def page(self, listing: Listing[R], after: str | None, limit: int) -> Page[R]:
        """See EvidenceStore.page."""
        return page(self._calls, listing, after, limit)

    def change_project(self, ref: Ref[Project], before: Project, after: Project) -> None:
        """See EvidenceStore.change_project."""
        self._calls.write(_project(ref, before, after))

    def stage(self, ref: Ref[Project], before: Project, after: Project, changes: Iterable[Change]) -> None:
        """See EvidenceStore.stage."""
        writes = [_project(ref, before, after)]
        for head_ref, old, new, text in changes:
            workspace_id, project_id, evidence_id = head_ref.ids
            text_ref = records.evidence_text(workspace_id, project_id, evidence_id, new.latest.revision)
            writes += [_head(head_ref, old, new), put_anyway(text_ref, text)]
        self._calls.transact(writes)

    def publish_project(
        self,
        ref: Ref[Project],
        before: Project,
        after: Project,
        snapshot: Snapshot | None,
        remembered: Remembered | None = None,
    ) -> None:
        """See EvidenceStore.publish_project."""
        workspace_id, project_id = ref.ids
        writes = [_project(ref, before, after)]
        if snapshot is not None:
            writes.append(put_anyway(records.snapshot(workspace_id, project_id, after.revision), snapshot))
        if remembered is not None:
            writes.append(remember(remembered))
        self._calls.transact(writes)

    def withdraw(self, ref: Ref[Evidence], before: Evidence, after: Evidence) -> None:
        """See EvidenceStore.withdraw."""
        if before != after:
            self._calls.write(_head(ref, before, after))
        self._calls.delete(_texts(ref, before))
        expression = Expression()
        self._calls.write(rest(ref, expression, expression.exists("withdrawn_at")))

    def erase_evidence(self, ref: Ref[Evidence], head: Evidence) -> None:
        """See EvidenceStore.erase_evidence."""
        self._calls.delete([*_texts(ref, head), items.key(ref)])

    def claim_mutation(self, remembered: Remembered) -> None:
        """See EvidenceStore.claim_mutation."""
        self._calls.write(remember(remembered))

    def finish_mutation(self, ref: Ref[Mutation], mutation: Mutation) -> None:
        """See EvidenceStore.finish_mutation."""
        self._calls.put_all([items.item(ref, mutation, items.seconds(mutation.expires_at))])

    def keep(self, entries: Sequence[tuple[Ref[Any], Record]]) -> None:
        """See EvidenceStore.keep."""
        self._calls.put_all([items.item(ref, record) for ref, record in entries])

    def erase(self, refs: Sequence[Ref[Any]]) -> None:
        """See EvidenceStore.erase."""
        self._calls.delete([items.key(ref) for ref in refs])


def _texts(ref: Ref[Evidence], head: Evidence) -> list[items.Item]:
    """The keys of every revision of a text, with the next one's: an import that was given up may have left its text."""
    workspace_id, project_id, evidence_id = ref.ids
    revisions = range(1, head.latest.revision + 2)
    return [items.key(records.evidence_text(workspace_id, project_id, evidence_id, number)) for number in revisions]


def _project(ref: Ref[Project], before: Project, after: Project) -> Write:
    """The project's head, only if no other import, publication or deletion came between."""
    expression = Expression()
    unchanged = expression.equal(
        revision=before.revision,
        importing=before.importing,
        importer=before.importer,
        deleted_at=before.deleted_at and milliseconds(before.deleted_at),
    )
    return put(ref, after, None, expression, unchanged)


def _head(ref: Ref[Evidence], before: Evidence | None, after: Evidence) -> Write:
    """The head of a piece of evidence, only if it still is what was read."""
    expression = Expression()
    if before is None:
        return put(ref, after, None, expression, expression.absent())
    same = expression.equal(
        latest=before.latest.model_dump(exclude_none=True),
        withdrawn_at=before.withdrawn_at and milliseconds(before.withdrawn_at),
    )
    return put(ref, after, None, expression, same)

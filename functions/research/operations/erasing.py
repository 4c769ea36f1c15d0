"""Erasing the evidence of a deleted project, by whoever deleted it or by the sweep behind it."""

from collections.abc import Iterator

from research.operations.ports import EvidenceStore, Listing
from research.words.records import Evidence, Project, Ref

_PAGE = 100


def erase_project(store: EvidenceStore, ref: Ref[Project]) -> Iterator[int]:
    """Erase a deleted project's evidence page by page, yielding how many pieces each held; then let it rest."""
    listing, after = Listing(Evidence, ref.ids), None
    while True:
        page = store.page(listing, after, _PAGE)
        for evidence_ref, head in page.records:
            store.erase_evidence(evidence_ref, head)
        yield len(page.records)
        after = page.next
        if after is None:
            break
    project = store.fetch(ref)[ref]
    if project is not None and project.deleted_at is not None:
        store.change_project(ref, project, project.model_copy(update={"due_at": None}))

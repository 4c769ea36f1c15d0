"""Finding one's way without ids passed around by hand: projects, their evidence, and the caller's conversations."""

from typing import Any

from research.operations import cursors
from research.operations.callers import Visit
from research.operations.outcomes import Outcome
from research.operations.ports import Listing, Page, Store
from research.rules import access
from research.words import records
from research.words.contract import (
    MAX_PAGE,
    ConversationsListArguments,
    ConversationsListResult,
    ConversationSummary,
    EvidenceGetArguments,
    EvidenceGetResult,
    EvidenceListArguments,
    EvidenceListResult,
    EvidenceSummary,
    ProjectsListArguments,
    ProjectsListResult,
    ProjectSummary,
)
from research.words.problems import Problem
from research.words.records import Conversation, Edition, Evidence, Found, Member, Project, Ref, Title

PAGES = 5
"""Pages of evidence read for one answer at most: a rare language may need several calls, none of them a long one."""


class Finding:
    """projects_list, evidence_list, evidence_get and conversations_list."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def projects(self, visit: Visit, arguments: ProjectsListArguments) -> Outcome:
        """The projects that are open to the caller, by id."""
        member = visit.admit(self._store.fetch(*visit.refs()))
        after = cursors.read(arguments.cursor, "projects", visit.workspace_id)
        page = self._projects(visit, member, after, arguments.limit)
        open_ones = [
            ProjectSummary(
                id=ref.ids[-1],
                name=project.name,
                revision=project.revision,
                corpus_snapshot_id=project.corpus_snapshot_id,
            )
            for ref, project in page.records
            if project.deleted_at is None
        ]
        cursor = cursors.write(page.next, "projects", visit.workspace_id)
        return Outcome(ProjectsListResult(projects=tuple(open_ones), next_cursor=cursor))

    def evidence(self, visit: Visit, arguments: EvidenceListArguments) -> Outcome:
        """Published evidence of one project, by id."""
        words = ("evidence", visit.workspace_id, arguments.project_id, arguments.language)
        project_ref = records.project(visit.workspace_id, arguments.project_id)
        found = self._store.fetch(*visit.refs(), project_ref)
        project = _open(found, visit.admit(found), project_ref)
        after = cursors.read(arguments.cursor, *words)
        listed: list[EvidenceSummary] = []
        size = arguments.limit if arguments.language is None else MAX_PAGE
        for _ in range(PAGES):
            page = self._store.page(Listing(Evidence, project_ref.ids), after, size)
            listed += _published(page.records, project, arguments.language)
            after = page.next
            if after is None or len(listed) >= arguments.limit:
                break
        shown = listed[: arguments.limit]
        if len(shown) < len(listed):
            after = shown[-1].evidence_id
        return Outcome(
            EvidenceListResult(
                project_id=arguments.project_id,
                project_revision=project.revision,
                corpus_snapshot_id=project.corpus_snapshot_id,
                evidence=tuple(shown),
                next_cursor=cursors.write(after, *words),
            )
        )

    def text(self, visit: Visit, arguments: EvidenceGetArguments) -> Outcome:
        """One published revision of a piece of evidence."""
        workspace_id, project_id, evidence_id = visit.workspace_id, arguments.project_id, arguments.evidence_id
        project_ref = records.project(workspace_id, project_id)
        head_ref = records.evidence(workspace_id, project_id, evidence_id)
        text_ref = records.evidence_text(workspace_id, project_id, evidence_id, arguments.revision)
        found = self._store.fetch(*visit.refs(), project_ref, head_ref, text_ref)
        project = _open(found, visit.admit(found), project_ref)
        head, text = found[head_ref], found[text_ref]
        edition = head.visible(project) if head else None
        if head is None or edition is None or arguments.revision > edition.revision:
            raise Problem("not_found", "No such evidence is open to you.")
        if head.withdrawn_at is not None or text is None:
            raise Problem("source_unavailable", "This evidence was withdrawn and its text erased.")
        return Outcome(
            EvidenceGetResult(
                evidence_id=evidence_id,
                revision=arguments.revision,
                current_revision=edition.revision,
                size=len(text.text),
                **text.model_dump(),
            )
        )

    def conversations(self, visit: Visit, arguments: ConversationsListArguments) -> Outcome:
        """The caller's own conversations, newest first."""
        words = ("conversations", visit.workspace_id, visit.principal_id)
        listing = Listing(records.ConversationEntry, (visit.workspace_id, visit.principal_id), newest_first=True)
        after = _behind(arguments.cursor, words)
        page = self._store.page(listing, after, arguments.limit)
        ids = [entry.conversation_id for _, entry in page.records]
        refs: list[Ref[Any]] = [ref for name in ids for ref in (records.conversation(name), records.title(name))]
        found = self._store.fetch(*visit.refs(), *refs)
        member = visit.admit(found)
        cursors.read(arguments.cursor, *words)
        summaries = [_summary(visit, member, found, name) for name in ids]
        cursor = cursors.write(page.next, *words)
        return Outcome(
            ConversationsListResult(
                conversations=tuple(summary for summary in summaries if summary), next_cursor=cursor
            )
        )

    def _projects(self, visit: Visit, member: Member, after: str | None, limit: int) -> Page[Project]:
        """A page of what is open to the member. Who is given some projects never learns of the others."""
        if member.projects is None:
            return self._store.page(Listing(Project, (visit.workspace_id,)), after, limit)
        names = [name for name in sorted(set(member.projects)) if after is None or name > after]
        refs = [records.project(visit.workspace_id, name) for name in names[:limit]]
        found = self._store.fetch(*refs) if refs else Found()
        open_ones = [(ref, project) for ref in refs if (project := found[ref]) is not None]
        return Page(open_ones, names[limit - 1] if len(names) > limit else None)


def _behind(cursor: str | None, words: tuple[str, ...]) -> str | None:
    """Where to read on; a cursor that is not ours is reported once the caller is known."""
    try:
        return cursors.read(cursor, *words)
    except Problem:
        return None


def _open(found: Found, member: Member, ref: Ref[Project]) -> Project:
    project = found[ref]
    if project is None or project.deleted_at is not None or not access.project_open(member, ref.ids[-1]):
        raise Problem("not_found", "No such project is open to you.")
    return project


def _published(
    page: list[tuple[Ref[Evidence], Evidence]], project: Project, language: str | None
) -> list[EvidenceSummary]:
    summaries = []
    for ref, head in page:
        edition = head.visible(project) if head.withdrawn_at is None else None
        if edition and (language is None or _same_language(edition, language)):
            origin = edition.model_dump(include={"size", "title", "url", "author", "published_at", "language"})
            summaries.append(EvidenceSummary(evidence_id=ref.ids[-1], revision=edition.revision, **origin))
    return summaries


def _same_language(edition: Edition, language: str) -> bool:
    return (edition.language or "").casefold() == language.casefold()


def _summary(visit: Visit, member: Member, found: Found, conversation_id: str) -> ConversationSummary | None:
    conversation: Conversation | None = found[records.conversation(conversation_id)]
    title: Title | None = found[records.title(conversation_id)]
    if conversation is None or conversation.deleted_at is not None or visit.now >= conversation.forgotten_at:
        return None
    expired = visit.now >= conversation.expires_at
    readable = not expired and access.project_open(member, conversation.context.project_id)
    return ConversationSummary(
        id=conversation.id,
        revision=conversation.revision,
        title=title.text if title and readable else None,
        project_id=conversation.context.project_id,
        language=conversation.language,
        runs=len(conversation.runs),
        archived=conversation.archived_at is not None,
        expired=expired,
        created_at=conversation.created_at,
        expires_at=conversation.expires_at,
    )

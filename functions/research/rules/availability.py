"""What a conversation is good for now, decided by the clock and by current access, never by what is still stored."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from research.rules import access, prompt
from research.rules.budget import Limits
from research.words.contract import MAX_RUNS, ConversationAvailability, FailureCode
from research.words.records import Budget, Conversation, Evidence, Member, Project


@dataclass(frozen=True, slots=True)
class Standing:
    """A conversation and what decides how much of it may be shown, as read for one call. `evidence` goes by id."""

    now: datetime
    conversation: Conversation
    member: Member
    project: Project | None
    evidence: Mapping[str, Evidence | None]

    @property
    def expired(self) -> bool:
        """Whether the conversation's 24 hours have passed."""
        return self.now >= self.conversation.expires_at

    @property
    def access_changed(self) -> bool:
        """Whether the project is closed to the owner now."""
        return not access.project_open(self.member, self.conversation.context.project_id)

    @property
    def source_unavailable(self) -> bool:
        """Whether pinned evidence was withdrawn, or its project deleted."""
        if self.project is None or self.project.deleted_at is not None:
            return True
        heads = [self.evidence.get(pinned.evidence_id) for pinned in self.conversation.context.evidence]
        return any(head is None or head.withdrawn_at is not None for head in heads)

    @property
    def context_changed(self) -> bool:
        """Whether pinned evidence has a newer published revision."""
        return any(
            current_revision(self.evidence.get(pinned.evidence_id), self.project) != pinned.revision
            for pinned in self.conversation.context.evidence
        )


@dataclass(frozen=True, slots=True)
class Surroundings(Standing):
    """A conversation with everything that decides whether it could take a request."""

    budget: Budget | None
    limits: Limits
    configured: bool


def current_revision(evidence: Evidence | None, project: Project | None) -> int | None:
    """The revision of a piece of evidence that is published now, None where there is none."""
    edition = evidence.visible(project) if evidence and project else None
    return edition.revision if edition else None


def state(standing: Standing) -> ConversationAvailability:
    """What a read may show: the first of these that is so."""
    if standing.expired:
        return "expired"
    if standing.access_changed:
        return "access_changed"
    if standing.source_unavailable:
        return "source_unavailable"
    if standing.conversation.archived_at is not None:
        return "archived"
    return "available"


def changed(standing: Standing) -> FailureCode | None:
    """What has happened to the conversation's life, access or context: the first of these that is so, or None."""
    if standing.expired:
        return "expired"
    if standing.access_changed:
        return "access_changed"
    if standing.source_unavailable:
        return "source_unavailable"
    if standing.context_changed:
        return "context_changed"
    return None


def reason(around: Surroundings, question_size: int = 0) -> FailureCode | None:
    """The failure code that a request would meet now: what has changed, or the first of these that is so, or None."""
    if code := changed(around):
        return code
    if len(around.conversation.runs) >= MAX_RUNS:
        return "conversation_full"
    if not around.configured:
        return "not_configured"
    if not prompt.fits(around.conversation.input_size, question_size):
        return "input_too_large"
    if around.limits.used_up(around.budget):
        return "budget_exhausted"
    return None

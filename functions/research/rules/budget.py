"""What a workspace may spend in one UTC day."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from research.words.records import Budget, Workspace


@dataclass(frozen=True, slots=True)
class Limits:
    """Runs accepted and tokens spent per workspace and UTC day; the day is used up when either is reached."""

    runs: int
    tokens: int

    def of(self, workspace: Workspace | None) -> "Limits":
        """The workspace's own limits where it has them, these otherwise."""
        if workspace is None:
            return self
        return Limits(
            self.runs if workspace.daily_runs is None else workspace.daily_runs,
            self.tokens if workspace.daily_tokens is None else workspace.daily_tokens,
        )

    def used_up(self, budget: Budget | None) -> bool:
        """Whether nothing more may be accepted today."""
        used = budget or Budget()
        return used.runs >= self.runs or used.tokens >= self.tokens


def day(now: datetime) -> str:
    """The UTC day that an instant counts towards, as `2026-11-30`."""
    return now.date().isoformat()


def resets_at(now: datetime) -> datetime:
    """When the next day's budget begins."""
    return now.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)

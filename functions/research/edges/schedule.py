"""EventBridge: a tick in, one sweep done."""

import logging
from typing import Any

from research.operations.sweep import Sweep

_log = logging.getLogger("cited-research")


class SweepBroken(Exception):
    """Some of the due work broke; each record has its line in the log."""


class Schedule:
    """The Lambda handler of the schedule."""

    def __init__(self, sweep: Sweep) -> None:
        self._sweep = sweep

    def __call__(self, _event: dict[str, Any], _context: Any) -> dict[str, int]:
        """Sweep once; what was done, by deed. Raises SweepBroken in the end if a due record could not be dealt with."""
        swept = self._sweep.sweep()
        if swept.counts or swept.failed or not swept.finished:
            deeds = {"deeds": swept.counts, "failed": swept.failed, "finished": swept.finished}
            _log.info("sweep", extra=deeds)
        if swept.failed:
            raise SweepBroken
        return swept.counts

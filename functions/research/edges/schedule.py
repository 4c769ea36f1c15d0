"""EventBridge: a tick in, one sweep done."""

import logging
from typing import Any

from research.operations.sweep import Sweep

_log = logging.getLogger("cited-research")


class Schedule:
    """The Lambda handler of the schedule."""

    def __init__(self, sweep: Sweep) -> None:
        self._sweep = sweep

    def __call__(self, _event: dict[str, Any], _context: Any) -> dict[str, int]:
        """Sweep once; what was done, by deed."""
        swept = self._sweep.sweep()
        if swept.counts:
            _log.info("swept", extra={"deeds": swept.counts})
        return swept.counts

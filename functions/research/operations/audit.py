"""The audit trail: one line for each call and for each step of a run. Ids and codes; nothing that anybody wrote."""

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from research.words.problems import Problem
from research.words.records import Ref, Run

_log = logging.getLogger("cited-research")


@contextmanager
def calling(operation: str, request_id: str) -> Iterator[dict[str, str]]:
    """One call, entered when it ends: `code` is `ok` or the problem's. What it yields takes the ids of who and what."""
    began, code = time.perf_counter(), "internal_error"
    ids: dict[str, str] = {}
    try:
        yield ids
        code = "ok"
    except Problem as problem:
        code = problem.code
        raise
    finally:
        elapsed = round((time.perf_counter() - began) * 1000, 1)
        _log.info("call", extra={"operation": operation, "request_id": request_id, "code": code, "ms": elapsed, **ids})


def step(before: Run | None, after: Run) -> None:
    """A run that was accepted or refused, or that went on in its life."""
    fields = {
        "workspace_id": after.workspace_id,
        "principal_id": after.principal_id,
        "conversation_id": after.conversation_id,
        "run_id": after.id,
        "was": before.status if before else None,
        "status": after.status,
        "failure_code": after.failure_code,
        "fence": after.fence,
        "attempts": after.attempts,
        "call_started": after.call_started_at is not None,
        "spent": after.spent,
        "unsettled": after.unsettled,
    }
    _log.info("run", extra=fields)


def swept(ref: Ref[Any], deed: str) -> None:
    """What the sweep did to a due record."""
    _log.info("swept", extra={"kind": ref.kind.__name__, "ids": ref.ids, "deed": deed})


def broken(ref: Ref[Any], error: Exception) -> None:
    """A due record on which the sweep broke; never the error's message, which may quote what somebody wrote."""
    _log.error("sweep broken", extra={"kind": ref.kind.__name__, "ids": ref.ids, "error": type(error).__name__})

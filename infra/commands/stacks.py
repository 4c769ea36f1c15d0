"""Starting the local stack, and letting other commands know where it runs."""

import errno
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from infra import evidence_files
from infra.commands.terminal import err, give_up
from research.words.sources import Source

if TYPE_CHECKING:
    from infra.local.stack import LocalStack

_ROOT = Path(__file__).resolve().parents[2]
SAMPLE = _ROOT / "events" / "evidence.jsonl"
RUNNING = Path(os.environ.get("RESEARCH_DEV_FILE") or _ROOT / ".build" / "dev.json")
"""Where the running `research dev` leaves its line, and its model; the variable keeps several of them apart."""


@contextmanager
def running(port: int, evidence: Path | None, *, configured: bool) -> Iterator["LocalStack"]:
    """A running local stack with this evidence file imported, or empty. Gives up on a bad file and on a busy port."""
    sources = _read(evidence) if evidence else None
    try:
        socket.create_server(("127.0.0.1", port)).close()  # tells at once what would else be known two seconds later
        from infra.local.stack import LocalStack  # noqa: PLC0415 (moto takes a second to import, and few commands need it)

        stack = LocalStack(sources, port, configured=configured).start()
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            give_up(f"Port {port} is busy: is another `research dev` running? Stop it, or give --port another number.")
        give_up(f"Port {port}: {error.strerror}.")
    try:
        yield stack
    finally:
        stack.stop()


@contextmanager
def announced(line: str) -> Iterator[None]:
    """Leave the stack's line for other commands, readable by this user alone, until the stack ends."""
    try:
        RUNNING.parent.mkdir(exist_ok=True)
        RUNNING.unlink(missing_ok=True)
        with os.fdopen(os.open(RUNNING, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(line)
    except OSError as error:
        err.print(f"{RUNNING}: {error.strerror}; other commands will not find this stack.")
    try:
        yield
    finally:
        if RUNNING.is_file() and RUNNING.read_text() == line:  # a later stack's line stays
            RUNNING.unlink()


def _read(evidence: Path) -> list[Source]:
    try:
        return evidence_files.read(evidence)
    except OSError as error:
        give_up(f"{evidence}: {error.strerror}.")
    except evidence_files.EvidenceFileError as error:
        give_up(str(error))

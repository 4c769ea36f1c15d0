"""The service's log as a developer reads it: one line a call, `time request_id operation code ms`."""

import logging
import sys
from contextlib import suppress
from datetime import UTC, datetime

LOGGER = "cited-research"


class RequestLines(logging.Handler):
    """Prints calls in columns to standard error, and anything else by its message and fields."""

    def emit(self, record: logging.LogRecord) -> None:
        """Print one line."""
        at = datetime.fromtimestamp(record.created, UTC).strftime("%H:%M:%S.%f")[:-3]
        fields = vars(record)
        if record.msg == "call":
            line = f"{fields['request_id']} {fields['operation']:<22} {fields['code']:<22} {fields['ms']:>8.1f} ms"
        else:
            extra = {name: fields[name] for name in fields if name not in _STANDARD}
            line = " ".join([record.getMessage(), *(f"{name}={content}" for name, content in extra.items())])
        with suppress(OSError):  # whoever read standard error may have gone
            print(at, line, file=sys.stderr, flush=True)


def show() -> None:
    """Print the log in lines instead of JSON."""
    _only(RequestLines())


def hide() -> None:
    """Print no log at all."""
    _only(logging.NullHandler())


def _only(handler: logging.Handler) -> None:
    log = logging.getLogger(LOGGER)
    for other in list(log.handlers):
        log.removeHandler(other)
    log.addHandler(handler)


_STANDARD = frozenset(vars(logging.LogRecord("", 0, "", 0, "", (), None))) | {"message", "asctime", "taskName"}

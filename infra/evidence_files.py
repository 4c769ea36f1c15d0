"""Evidence files: JSON Lines, or CSV with a header. UTF-8, with or without a byte order mark."""

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from research.words.sources import Source


class EvidenceFileError(Exception):
    """A file that cannot be taken, with every line that is at fault. Never quotes a text."""


def read(path: Path) -> list[Source]:
    """The sources of a file, in its order. Raises EvidenceFileError, and OSError if it cannot be read."""
    try:
        content = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise EvidenceFileError(f"{path}: not UTF-8. Save the file as UTF-8 and try again.") from None
    rows = _csv(content) if path.suffix.lower() == ".csv" else _json_lines(content)
    sources, faults = [], []
    for line, row in rows:
        try:
            sources.append(Source.model_validate(row))
        except ValidationError as error:
            faults += [f"line {line}: {_fault(fault)}" for fault in error.errors(include_url=False)]
    if not sources and not faults:
        faults = ["no evidence: each line is a JSON object with a `text`"]
    if faults:
        raise EvidenceFileError("\n".join([f"{path}: not imported", *faults]))
    return sources


def _json_lines(content: str) -> Iterator[tuple[int, Any]]:
    for number, line in enumerate(content.split("\n"), 1):
        if line.strip():
            try:
                yield number, json.loads(line)
            except (ValueError, RecursionError):
                yield number, None


def _csv(content: str) -> Iterator[tuple[int, Any]]:
    reader = csv.DictReader(io.StringIO(content, newline=""))
    for row in reader:
        yield reader.line_num, {name: cell for name, cell in row.items() if cell}


def _fault(fault: Any) -> str:
    where = ".".join(str(step) for step in fault["loc"]) or "the line"
    return f"{where}: {fault['msg']}"

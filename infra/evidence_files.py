"""Evidence files: JSON Lines, or CSV with a header. UTF-8, with or without a byte order mark."""

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from research.operations.arguments import parse
from research.words.problems import Problem
from research.words.sources import Source

MOST_FAULTS = 20
"""Faults listed of one file; who mends these will know the rest."""


class EvidenceFileError(Exception):
    """A file that cannot be taken, with the lines that are at fault. Never quotes one."""


class _UnreadableRow(Exception):
    """A row that is not even a row; the message says why."""


def read(path: Path) -> list[Source]:
    """The sources of a file, in its order. Raises EvidenceFileError, and OSError if it cannot be read."""
    try:
        content = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise EvidenceFileError(f"{path}: not UTF-8. Save the file as UTF-8 and try again.") from None
    lines: dict[Source | str, int] = {}
    faults: list[str] = []
    sources: list[Source] = []
    for line, row in _csv(content) if path.suffix.lower() == ".csv" else _json_lines(content):
        try:
            sources.append(_source(row))
        except _UnreadableRow as fault:
            faults.append(f"line {line}: {fault}")
        else:
            first = lines.setdefault(sources[-1].id or sources[-1], line)
            if first != line:
                faults.append(f"line {line}: the same evidence as line {first}")
    if not sources and not faults:
        faults = ["no evidence in it"]
    if faults:
        hidden = [f"and {len(faults) - MOST_FAULTS} more"] if len(faults) > MOST_FAULTS else []
        raise EvidenceFileError("\n".join([f"{path}: not imported", *faults[:MOST_FAULTS], *hidden]))
    return sources


def _source(row: object) -> Source:
    """The source in a row. Raises _UnreadableRow."""
    if isinstance(row, _UnreadableRow):
        raise row
    try:
        return parse(Source, row)
    except Problem as problem:
        faults = (f"{fault.pointer.removeprefix('/')}: {fault.detail}".removeprefix(": ") for fault in problem.errors)
        raise _UnreadableRow(" ".join(faults)) from None


def _json_lines(content: str) -> Iterator[tuple[int, Any]]:
    for number, line in enumerate(content.split("\n"), 1):
        if line.strip():
            try:
                yield number, json.loads(line)
            except (ValueError, RecursionError):
                yield number, _UnreadableRow("not one JSON object on one line")


def _csv(content: str) -> Iterator[tuple[int, Any]]:
    """Rows by their columns' names; an empty cell is as good as none."""
    reader = csv.DictReader(io.StringIO(content, newline=""), restkey="", strict=True)
    ended = 1
    try:
        if "text" not in (reader.fieldnames or ["text"]):
            yield 1, _UnreadableRow("no column is named text; commas part the columns")
            return
        for row in reader:
            ended = reader.line_num
            within = sum(str(cell).count("\n") for cell in row.values())
            yield ended - within, {name: cell for name, cell in row.items() if cell}
    except csv.Error:
        yield ended + 1, _UnreadableRow("not CSV: a quotation mark is out of place, or a cell too long")

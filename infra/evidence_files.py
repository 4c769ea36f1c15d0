"""Evidence files: JSON Lines, or CSV with a header. UTF-8, with or without a byte order mark. Read row by row."""

import csv
import hashlib
import json
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TextIO

from research.operations.arguments import parse
from research.words.problems import Problem
from research.words.sources import Source

Format = Literal["jsonl", "csv"]

MOST_FAULTS = 20
"""Faults told to a person of one file; who mends these will know the rest."""

MOST_KEPT = 1000
"""Faults kept of one file; the rest is only counted."""

LONGEST_LINE = 1024 * 1024
"""In characters. The longest source is far shorter, however it is escaped."""

STANDARD_INPUT = Path("-")

_FORMATS: dict[str, Format] = {".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl"}


class EvidenceFileError(Exception):
    """A file that cannot be taken, with the lines that are at fault. Never quotes one."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a row cannot be taken, never quoting it. What stands behind a `final` one cannot be told apart any more."""

    reason: str
    final: bool = False


@dataclass(slots=True)
class Check:
    """What a whole file holds: sources, and rows at fault, of which `faults` has the first with their lines."""

    sources: int = 0
    invalid: int = 0
    faults: list[tuple[int, Fault]] = field(default_factory=list)

    @property
    def complete(self) -> bool:
        """Whether the file was read to its end."""
        return not any(fault.final for _, fault in self.faults[-1:])

    def lines(self, most: int) -> list[str]:
        """The faults as a person reads them, at most so many, and how many more there are."""
        listed = [f"line {line}: {fault.reason}" for line, fault in self.faults[:most]]
        more = self.invalid - len(listed)
        return [*listed, f"and {more} more"] if more else listed


class _BrokenLine(Exception):
    """A line that a CSV cannot go on behind."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.reason)
        self.fault = fault


def read(path: Path) -> list[Source]:
    """The sources of a file, in its order. Raises EvidenceFileError, and OSError if it cannot be read."""
    sources: list[Source] = []
    form = _FORMATS.get(path.suffix.lower(), "jsonl")
    checked = check(path, form, sources.append)
    if checked.invalid or not sources:
        told = checked.lines(MOST_FAULTS) or ["no evidence in it"]
        raise EvidenceFileError("\n".join([f"{path}: not imported", *told]))
    return sources


def format_of(name: Path, content: Path) -> Format | None:
    """By the file's name, or by the brace that begins a JSON object and no CSV; None where neither tells."""
    if form := _FORMATS.get(name.suffix.lower()):
        return form
    with content.open(encoding="utf-8-sig", errors="replace") as file:
        return "jsonl" if file.read(1000).lstrip().startswith("{") else None


def check(path: Path, form: Format, each: Callable[[Source], object]) -> Check:
    """Read a file to its end; `each` is told every source on the way."""
    checked = Check()
    for line, row in rows(path, form):
        if isinstance(row, Source):
            checked.sources += 1
            each(row)
        else:
            checked.invalid += 1
            if len(checked.faults) < MOST_KEPT or row.final:
                checked.faults.append((line, row))
    return checked


def sources_of(path: Path, form: Format, checked: Check) -> Iterator[Source]:
    """The sources of a file that was checked. Raises EvidenceFileError at its end if it has changed since then."""
    count = 0
    for _, row in rows(path, form):
        if isinstance(row, Source):
            count += 1
            yield row
    if count != checked.sources:
        raise EvidenceFileError(f"{path} has changed while it was read: nothing was published. Try again.")


def rows(path: Path, form: Format) -> Iterator[tuple[int, Source | Fault]]:
    """Each row of a file: the line it begins on, and the source in it or why there is none.

    Holds one row at a time, and of each source only what tells whether it comes again. Raises OSError.
    """
    first_lines: dict[bytes, int] = {}
    with path.open(encoding="utf-8-sig", errors="surrogateescape", newline="" if form == "csv" else "\n") as file:
        for line, row in _csv(file) if form == "csv" else _json_lines(file):
            source = row if isinstance(row, Fault) else _source(row)
            if isinstance(source, Source):
                first = first_lines.setdefault(_mark(source), line)
                yield line, source if first == line else Fault(f"the same evidence as line {first}")
            else:
                yield line, source


@contextmanager
def readable_twice(path: Path) -> Iterator[Path]:
    """The file itself; of a pipe or of standard input (`-`) a temporary one for this user alone. Raises OSError."""
    if path != STANDARD_INPUT and (path.is_file() or path.is_dir() or not path.exists()):
        yield path
        return
    with tempfile.NamedTemporaryFile() as file:
        with nullcontext(sys.stdin.buffer) if path == STANDARD_INPUT else path.open("rb") as stream:
            shutil.copyfileobj(stream, file)
        file.flush()
        yield Path(file.name)


def _source(row: object) -> Source | Fault:
    try:
        return parse(Source, row)
    except Problem as problem:
        faults = (f"{fault.pointer.removeprefix('/')}: {fault.detail}".removeprefix(": ") for fault in problem.errors)
        return Fault(" ".join(faults))


def _mark(source: Source) -> bytes:
    """What two rows of the same evidence have in common: the id, or else everything."""
    named = f"id {source.id}" if source.id else source.model_dump_json()
    return hashlib.sha256(named.encode()).digest()


def _lines(file: TextIO) -> Iterator[str | Fault]:
    """Each line with its ending, or why it cannot be read; LONGEST_LINE bounds what is held of it."""
    while line := file.readline(LONGEST_LINE):
        if len(line) == LONGEST_LINE and not line.endswith("\n"):
            while (rest := file.readline(LONGEST_LINE)) and not rest.endswith("\n"):
                pass
            yield Fault(f"longer than {LONGEST_LINE} characters")
        elif not line.isascii() and any("\ud800" <= character <= "\udfff" for character in line):
            yield Fault("not UTF-8; save the file as UTF-8", final=True)
            return
        else:
            yield line


def _json_lines(file: TextIO) -> Iterator[tuple[int, Any]]:
    for number, line in enumerate(_lines(file), 1):
        if isinstance(line, Fault):
            yield number, line
        elif line.strip():
            try:
                yield number, json.loads(line)
            except (ValueError, RecursionError):
                yield number, Fault("not one JSON object on one line")


def _csv(file: TextIO) -> Iterator[tuple[int, Any]]:
    """Rows by their columns' names; an empty cell is as good as none."""
    reader = csv.DictReader(_unbroken(file), restkey="", strict=True)
    ended = 0
    try:
        if fault := _header_fault(reader.fieldnames or ["text"]):
            yield 1, fault
            return
        ended = reader.line_num
        for row in reader:
            ended = reader.line_num
            within = sum(str(cell).count("\n") for cell in row.values())
            yield ended - within, {name: cell for name, cell in row.items() if cell}
    except _BrokenLine as broken:
        yield reader.line_num + 1, broken.fault
    except csv.Error:
        yield ended + 1, Fault("not CSV: a quotation mark is out of place, or a cell too long", final=True)


def _unbroken(file: TextIO) -> Iterator[str]:
    for line in _lines(file):
        if isinstance(line, Fault):
            raise _BrokenLine(Fault(line.reason, final=True))
        yield line


def _header_fault(names: Any) -> Fault | None:
    if "text" not in names:
        return Fault("no column is named text; commas part the columns", final=True)
    if len(set(names)) < len(names):
        return Fault("two columns have the same name", final=True)
    return None

"""`research admin sources import`: a file checked row by row, then imported row by row, and what came of it."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from infra import evidence_files
from infra.commands.admin.showing import show
from infra.commands.terminal import err, give_up
from infra.evidence_files import MOST_FAULTS, Check, Format
from research.operations.importing import Publication
from research.words.sources import Source

_COUNTS = ("new", "changed", "unchanged", "withdrawn")


@dataclass(slots=True)
class EvidenceImport:
    """One file on its way: `name` as it was given, `path` where its rows can be read twice."""

    name: str
    path: Path
    form: Format
    progress: Progress
    checked: Check = field(default_factory=Check)

    def check(self, *, skip_invalid: bool, as_json: bool) -> None:
        """Read the whole file. Gives up with the rows at fault, unless they may be left out."""
        task = self.progress.add_task("Checking", total=None)
        self.checked = evidence_files.check(self.path, self.form, lambda _source: self.progress.advance(task))
        self.progress.remove_task(task)
        if not self.checked.sources or not self.checked.complete or (self.checked.invalid and not skip_invalid):
            self.progress.stop()
            self._refuse(as_json=as_json)

    def publish(self, importing: Callable[[Iterable[Source]], Publication], *, as_json: bool) -> None:
        """Import what `check` found, and print what came of it."""
        sources = evidence_files.sources_of(self.path, self.form, self.checked)
        published = importing(self.progress.track(sources, total=self.checked.sources, description="Importing"))
        self.progress.stop()
        self._tell(published, as_json=as_json)
        if self.checked.invalid and not as_json:
            err.print(f"{self.name}: {_rows(self.checked.invalid)} left out:")
            self._list()

    def _refuse(self, *, as_json: bool) -> NoReturn:
        if as_json:
            self._tell(None, as_json=True)
        if self.checked.invalid:
            err.print(f"{self.name}: nothing was imported. {_rows(self.checked.invalid)} cannot be taken:", style="red")
            self._list()
        give_up(self._next_step())

    def _next_step(self) -> str:
        if not self.checked.invalid:
            return f"{self.name}: nothing was imported, because there is no evidence in it."
        if not self.checked.complete:
            return "Correct the last one first: what stands behind it could not be read."
        if not self.checked.sources:
            return "Correct them and try again."
        return f"Correct them, or give --skip-invalid to import the other {self.checked.sources}."

    def _list(self) -> None:
        for line in self.checked.lines(MOST_FAULTS):
            err.print(line)

    def _tell(self, published: Publication | None, *, as_json: bool) -> None:
        document: dict[str, Any] = {
            "imported": published is not None,
            "project_revision": published and published.project_revision,
            "corpus_snapshot_id": published and published.corpus_snapshot_id,
            **{name: published and getattr(published.tally, name) for name in _COUNTS},
            "invalid": self.checked.invalid,
        }
        if as_json:
            faults = [{"line": line, "reason": fault.reason} for line, fault in self.checked.faults]
            document["faults"] = faults
        show(document, as_json=as_json)


@contextmanager
def opened(file: Path, form: Format | None) -> Iterator[EvidenceImport]:
    """A file, or standard input, to import from. Gives up on one that cannot be read."""
    try:
        with evidence_files.readable_twice(file) as path, _progress() as progress:
            told = form or evidence_files.format_of(file, path)
            if told is None:
                give_up(f"The format of {file} cannot be told: add --format jsonl or --format csv.")
            yield EvidenceImport(str(file), path, told, progress)
    except OSError as error:
        give_up(f"{file}: {error.strerror}.")


def _progress() -> Progress:
    """A bar on a terminal, and nothing elsewhere."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=err, transient=True, disable=not err.is_terminal)


def _rows(count: int) -> str:
    return "1 row" if count == 1 else f"{count} rows"

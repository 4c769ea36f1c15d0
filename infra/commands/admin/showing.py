"""What a command found, as one JSON document or as lines for a person."""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import typer
from rich.cells import cell_len

from infra.commands.terminal import out
from research.words.clock import rfc3339

Document = Mapping[str, Any]

_NOTHING: Mapping[str, str] = {}


def show(document: Document, *, as_json: bool, nulls: Mapping[str, str] = _NOTHING) -> None:
    """One thing: a line for each member. `nulls` says what null means to a person, by member."""
    if as_json:
        _print_json(document)
        return
    width = max(map(len, document))
    for name, content in document.items():
        out.print(f"{_heading(name):<{width}}  {_words(content, nulls.get(name))}")


def show_all(kind: str, documents: Sequence[Document], *, as_json: bool, nulls: Mapping[str, str] = _NOTHING) -> None:
    """A list, in JSON the member `kind` of the document: a line for each, in columns."""
    if as_json:
        _print_json({kind: documents})
        return
    if not documents:
        out.print(f"No {kind}.")
        return
    rows = [[_words(content, nulls.get(name)) for name, content in document.items()] for document in documents]
    headings = [_heading(name) for name in documents[0]]
    widths = [max(map(cell_len, column)) for column in zip(headings, *rows, strict=True)]
    out.print(_row(headings, widths), style="bold")
    for row in rows:
        out.print(_row(row, widths))


def printable(text: str) -> str:
    """Text that somebody wrote, with nothing in it that steers a terminal."""
    return "".join(character if character.isprintable() else "�" for character in text)


def _print_json(document: Document) -> None:
    typer.echo(json.dumps(document, default=rfc3339))


def _row(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = (cell + " " * (width - cell_len(cell)) for cell, width in zip(cells, widths, strict=True))
    return "  ".join(padded).rstrip()


def _heading(name: str) -> str:
    return name.replace("_", " ")


def _words(content: Any, null: str | None) -> str:
    match content:
        case None:
            return null or "-"
        case bool():
            return "yes" if content else "no"
        case datetime():
            return f"{content.astimezone(UTC):%Y-%m-%d %H:%M} UTC"
        case list() | tuple():
            return ", ".join(map(str, content)) or "none"
    return printable(str(content))

"""`research admin sources import` against a running stack: what it takes, from where, and what it says of the rest."""

import csv
import io
import json
import os
import pty
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from infra import evidence_files
from infra.client.rest import Api
from tests.stack.admin_command import World, admin, document, world
from tests.stack.research_command import COMMAND, ROOT, SAMPLE, Dev, dev, environment

MARKER = "Zebrafink"

BAD: list[tuple[Any, str]] = [
    ({"title": MARKER}, "text: This field is required."),
    ({"text": ""}, "text: At least 1 character is needed."),
    ({"text": MARKER * 3000}, "text: At most 20000 characters (code points) are allowed."),
    ({"text": [MARKER]}, "text: A string is expected."),
    ({"text": MARKER, "rating": 5}, "rating: This field is unknown."),
    ({"text": MARKER, f"{MARKER} said": MARKER}, "…: This field is unknown."),
    ({"text": MARKER, "author": 7}, "author: A string is expected."),
    ({"text": MARKER, "id": "x" * 201}, "id: At most 200 characters (code points) are allowed."),
    ({"text": f"{MARKER} \ud800"}, "text: The value is not what is expected here."),
    ([MARKER], "An object is expected."),
    (f"{MARKER}, not JSON", "not one JSON object on one line"),
    ('{"text": "cut', "not one JSON object on one line"),
    (f'{{"text": "{"x" * 1_100_000}"}}', "longer than 1048576 characters"),
    ({"text": MARKER, "id": "good-1"}, "the same evidence as line 1"),
]
"""Every kind of row that cannot be taken, and why."""


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Dev]:
    with dev(tmp_path_factory.mktemp("imports"), "--json", "--empty") as running:
        yield running


@pytest.fixture
def acme(empty: Dev, monkeypatch: pytest.MonkeyPatch) -> World:
    """A world whose project holds e0 and e1 at revision 1."""
    return world(empty.announced, monkeypatch)


def lines(*rows: Any) -> bytes:
    return "\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows).encode()


def importing(acme: World, *arguments: str) -> tuple[str, ...]:
    return ("sources", "import", acme.workspace, acme.project, *arguments)


def counts(told: dict[str, Any]) -> tuple[int, ...]:
    return tuple(told[name] for name in ("project_revision", "new", "changed", "unchanged", "withdrawn", "invalid"))


def published(acme: World, empty: Dev) -> tuple[int, int]:
    """The project's revision, and how many pieces of evidence a member finds in it."""
    with Api(json.loads(empty.line)["rest_url"], acme.token) as api:
        found = api.call("evidence_list", workspace_id=acme.workspace, project_id=acme.project, limit=100)
    return found["project_revision"], len(found["evidence"])


def test_new_changed_unchanged_and_withdrawn_evidence_is_counted_and_published_together(
    acme: World, tmp_path: Path, empty: Dev
) -> None:
    document("sources", "withdraw", acme.workspace, acme.project, acme.evidence[1], "--yes")
    file = tmp_path / "reviews.jsonl"
    file.write_bytes(
        lines(
            {"id": "e0", "text": "Eight hours."},
            {"id": "e1", "text": "It whines."},
            {"text": "Quiet."},
            {"text": "Red."},
        )
    )

    first, again = document(*importing(acme, str(file))), document(*importing(acme, str(file)))

    assert (counts(first), counts(again)) == ((2, 2, 1, 0, 1, 0), (2, 0, 0, 3, 1, 0))
    assert first["corpus_snapshot_id"] == again["corpus_snapshot_id"]
    assert (first["imported"], first["faults"]) == (True, [])
    assert published(acme, empty) == (2, 3)


def test_every_kind_of_bad_row_is_listed_by_line_without_its_text_and_nothing_is_imported(
    acme: World, tmp_path: Path, empty: Dev
) -> None:
    file = tmp_path / "reviews.jsonl"
    file.write_bytes(lines({"text": "Good.", "id": "good-1"}, *(row for row, _ in BAD), {"text": "Good too."}))

    refused = admin(*importing(acme, str(file)))

    assert (refused.exit_code, refused.stdout) == (1, "")
    assert refused.stderr.splitlines() == [
        f"{file}: nothing was imported. 14 rows cannot be taken:",
        *(f"line {line}: {reason}" for line, (_, reason) in enumerate(BAD, 2)),
        "Correct them, or give --skip-invalid to import the other 2.",
    ]
    assert MARKER not in refused.stderr
    assert published(acme, empty) == (1, 2)


def test_with_skip_invalid_the_other_rows_are_imported_and_the_bad_ones_listed_all_the_same(
    acme: World, tmp_path: Path, empty: Dev
) -> None:
    file = tmp_path / "reviews.jsonl"
    file.write_bytes(lines({"text": "Good.", "id": "good-1"}, *(row for row, _ in BAD), {"text": "Good too."}))

    told = admin(*importing(acme, str(file), "--skip-invalid"))

    assert told.exit_code == 0
    assert told.stdout.splitlines()[-1] == "invalid             14"
    assert told.stderr.splitlines() == [
        f"{file}: 14 rows left out:",
        *(f"line {line}: {reason}" for line, (_, reason) in enumerate(BAD, 2)),
    ]
    assert published(acme, empty) == (2, 4)


def test_in_json_the_faults_are_part_of_the_document_whether_anything_was_imported_or_not(acme: World) -> None:
    rows = lines({"text": "Good."}, {"text": 5})
    faults = [{"line": 2, "reason": "text: A string is expected."}]

    refused = admin(*importing(acme, "-", "--json"), sent=rows)
    taken = document(*importing(acme, "-", "--skip-invalid"), sent=rows)

    told = json.loads(refused.stdout)
    assert (refused.exit_code, told["imported"], told["invalid"], told["faults"]) == (1, False, 1, faults)
    assert {told[name] for name in ("project_revision", "corpus_snapshot_id", "new", "changed")} == {None}
    assert (taken["imported"], counts(taken), taken["faults"]) == (True, (2, 1, 0, 0, 0, 1), faults)


def test_a_thousand_faults_are_in_the_document_and_twenty_before_a_person(acme: World) -> None:
    rows = b"nothing\n" * 1500 + b'{"text": "Good."}'

    told = document(*importing(acme, "-", "--format", "jsonl", "--skip-invalid"), sent=rows)
    shown = admin(*importing(acme, "-", "--format", "jsonl"), sent=rows).stderr.splitlines()

    assert (told["invalid"], len(told["faults"]), told["faults"][-1]["line"]) == (1500, 1000, 1000)
    assert (len(shown), shown[-2]) == (23, "and 1480 more")


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_a_csv_may_have_its_columns_in_any_order_and_a_byte_order_mark(
    acme: World, tmp_path: Path, empty: Dev, mark: bytes
) -> None:
    written = io.StringIO()
    csv.writer(written).writerows(
        [
            ["language", "id", "text", "author"],
            ["en", "c1", 'Quiet,\nand "small".', ""],
            ["fr", "c2", "Léger.", "claire"],
        ]
    )
    file = tmp_path / "reviews.csv"
    file.write_bytes(mark + written.getvalue().encode())

    assert counts(document(*importing(acme, str(file)))) == (2, 2, 0, 0, 0, 0)
    with Api(json.loads(empty.line)["rest_url"], acme.token) as api:
        names = {"workspace_id": acme.workspace, "project_id": acme.project}
        (french,) = api.call("evidence_list", **names, language="fr")["evidence"]
        text = api.call("evidence_get", **names, evidence_id=french["evidence_id"], revision=1)
    assert (text["text"], text["author"]) == ("Léger.", "claire")


def test_bad_rows_of_a_csv_are_listed_by_the_line_they_begin_on(acme: World) -> None:
    rows = f'text,id\n"{MARKER}\nover two lines",a\n,b\nGood.,c\n{MARKER},{"d" * 201}\n{MARKER},e,{MARKER}\n'.encode()

    told = document(*importing(acme, "-", "--format", "csv", "--skip-invalid"), sent=rows)

    assert counts(told) == (2, 2, 0, 0, 0, 3)
    assert told["faults"] == [
        {"line": 4, "reason": "text: This field is required."},
        {"line": 6, "reason": "id: At most 200 characters (code points) are allowed."},
        {"line": 7, "reason": "…: This field is unknown."},
    ]


@pytest.mark.parametrize(
    ("rows", "form", "fault"),
    [
        (b'text\nGood.\n"open', "csv", "line 3: not CSV: a quotation mark is out of place, or a cell too long"),
        (b"text\nGood.\n\xff\nGood too.\n", "csv", "line 3: not UTF-8; save the file as UTF-8"),
        (b"title\nGood.\n", "csv", "line 1: no column is named text; commas part the columns"),
        (b"text,id,text\nGood.,a,Bad.\n", "csv", "line 1: two columns have the same name"),
        (
            b'{"text": "Good."}\n{"text": "\xff"}\n{"text": "Good too."}',
            "jsonl",
            "line 2: not UTF-8; save the file as UTF-8",
        ),
    ],
)
def test_a_file_that_cannot_be_read_to_its_end_is_not_imported_even_in_part(
    acme: World, empty: Dev, rows: bytes, form: str, fault: str
) -> None:
    refused = admin(*importing(acme, "-", "--format", form, "--skip-invalid"), sent=rows)

    assert (refused.exit_code, refused.stdout) == (1, "")
    assert refused.stderr.splitlines() == [
        "-: nothing was imported. 1 row cannot be taken:",
        fault,
        "Correct the last one first: what stands behind it could not be read.",
    ]
    assert published(acme, empty) == (1, 2)


def test_standard_input_is_told_by_its_first_brace_and_else_by_format(acme: World) -> None:
    told = document(*importing(acme, "-"), sent=b'\xef\xbb\xbf\n {"text": "Good."}')
    refused = admin(*importing(acme, "-"), sent=b"text\nGood.\n")
    as_csv = document(*importing(acme, "-", "--format", "csv"), sent=b"text\nGood.\n")

    assert (counts(told), counts(as_csv)) == ((2, 1, 0, 0, 0, 0), (2, 0, 0, 1, 0, 0))
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert refused.stderr == "The format of - cannot be told: add --format jsonl or --format csv.\n"


def test_a_named_pipe_is_read_once_and_imported(acme: World, tmp_path: Path, empty: Dev) -> None:
    os.mkfifo(tmp_path / "reviews.csv")
    process = subprocess.Popen(
        (*COMMAND, "admin", *importing(acme, str(tmp_path / "reviews.csv")), "--json"),
        cwd=ROOT,
        env=environment(empty.directory),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
    )
    (tmp_path / "reviews.csv").write_text("text\nGood.\n")
    printed, _ = process.communicate(timeout=30)

    assert counts(json.loads(printed)) == (2, 1, 0, 0, 0, 0)


@pytest.mark.parametrize("name", ["nothing.jsonl", ""])
def test_a_file_that_cannot_be_opened_is_said_in_a_line(acme: World, tmp_path: Path, name: str) -> None:
    refused = admin(*importing(acme, str(tmp_path / name)))

    reason = "No such file or directory" if name else "Is a directory"
    assert (refused.exit_code, refused.stdout, refused.stderr) == (1, "", f"{tmp_path / name}: {reason}.\n")


@pytest.mark.parametrize("sent", [b"", b"\n\n"])
def test_nothing_is_no_evidence(acme: World, sent: bytes) -> None:
    refused = admin(*importing(acme, "-", "--format", "jsonl"), sent=sent)

    assert (refused.exit_code, refused.stdout) == (1, "")
    assert refused.stderr == "-: nothing was imported, because there is no evidence in it.\n"


def test_a_file_that_changes_between_its_check_and_its_import_is_not_published(
    acme: World, tmp_path: Path, empty: Dev, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "reviews.jsonl"
    file.write_bytes(lines({"text": "Good."}, {"text": "Good too."}))
    check = evidence_files.check

    def check_and_change(*arguments: Any) -> evidence_files.Check:
        checked = check(*arguments)
        file.write_bytes(lines({"text": "Good."}))
        return checked

    monkeypatch.setattr(evidence_files, "check", check_and_change)
    refused = admin(*importing(acme, str(file)))

    assert (refused.exit_code, refused.stdout) == (1, "")
    assert refused.stderr == f"{file} has changed while it was read: nothing was published. Try again.\n"
    assert published(acme, empty) == (1, 2)


def test_a_deleted_project_takes_no_evidence(acme: World) -> None:
    document("project", "delete", acme.workspace, acme.project, "--yes")

    refused = admin(*importing(acme, str(SAMPLE)))

    assert (refused.exit_code, refused.stdout) == (1, "")
    assert refused.stderr == f"Project {acme.project} was deleted: name another, or create one.\n"


def test_a_terminal_is_shown_a_bar_and_a_pipe_is_not(acme: World, empty: Dev) -> None:
    controller, terminal = pty.openpty()
    process = subprocess.Popen(
        (*COMMAND, "admin", *importing(acme, str(SAMPLE)), "--json"),
        cwd=ROOT,
        env=environment(empty.directory, TERM="xterm"),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=terminal,
    )
    os.close(terminal)
    shown = b""
    with suppress(OSError):  # Linux ends a terminal's output with an error
        while piece := os.read(controller, 65536):
            shown += piece
    os.close(controller)
    printed, _ = process.communicate(timeout=30)

    assert b"Importing" in shown
    assert counts(json.loads(printed)) == (2, 13, 0, 0, 0, 0)
    assert admin(*importing(acme, str(SAMPLE))).stderr == ""

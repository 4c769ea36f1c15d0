"""Evidence files: two forms, any order, and faults that are named by line and never quoted."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from infra import evidence_files
from infra.evidence_files import EvidenceFileError, Fault
from research.words.sources import Source

SAMPLE = Path(__file__).parents[2] / "events" / "evidence.jsonl"
MARKER = "Zebrafink"


def written(directory: Path, content: str | bytes, name: str = "evidence.jsonl") -> Path:
    path = directory / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def faults(path: Path) -> list[str]:
    """What is said of each line; nothing of it quotes the file."""
    with pytest.raises(EvidenceFileError) as refused:
        evidence_files.read(path)
    first, *rest = str(refused.value).split("\n")
    assert first == f"{path}: not imported"
    assert MARKER not in str(refused.value)
    return rest


def test_the_sample_is_thirteen_texts_in_three_languages() -> None:
    sources = evidence_files.read(SAMPLE)

    assert [source.id for source in sources] == [f"rev-{number:02}" for number in range(1, 14)]
    assert {source.language for source in sources} == {"en", "fr", "ja"}


def test_json_lines_are_read_in_order_with_their_fields_in_any(tmp_path: Path) -> None:
    path = written(
        tmp_path, '{"text": "One."}\n\n  \r\n{"url": "https://example.com", "text": "Zwei — 二", "id": "b"}\r\n'
    )

    assert evidence_files.read(path) == [
        Source(text="One."),
        Source(text="Zwei — 二", id="b", url="https://example.com"),
    ]


def test_csv_is_read_by_its_header_in_any_order_of_columns(tmp_path: Path) -> None:
    content = 'language,id,text,author\nen,a,"One, ""quoted"",\nover two lines.",\n\nfr,,Deux,claire_m\n'

    for name in ("evidence.csv", "EVIDENCE.CSV"):
        assert evidence_files.read(written(tmp_path, content, name)) == [
            Source(text='One, "quoted",\nover two lines.', id="a", language="en"),
            Source(text="Deux", language="fr", author="claire_m"),
        ]


@pytest.mark.parametrize(("name", "content"), [("a.jsonl", '{"text": "Größe"}'), ("a.csv", "text\r\nGröße\r\n")])
def test_a_byte_order_mark_is_no_part_of_the_first_line(tmp_path: Path, name: str, content: str) -> None:
    assert evidence_files.read(written(tmp_path, b"\xef\xbb\xbf" + content.encode(), name)) == [Source(text="Größe")]


def test_a_separator_that_is_no_line_break_to_json_stays_in_its_text(tmp_path: Path) -> None:
    path = written(tmp_path, '{"text": "one\u2028two\x85three"}')

    assert evidence_files.read(path) == [Source(text="one\u2028two\x85three")]


@pytest.mark.parametrize("name", ["a.jsonl", "a.csv"])
@pytest.mark.parametrize("content", ["", "\n\n", "\ufeff"])
def test_an_empty_file_holds_no_evidence(tmp_path: Path, name: str, content: str) -> None:
    assert faults(written(tmp_path, content, name)) == ["no evidence in it"]


def test_a_header_without_rows_holds_no_evidence(tmp_path: Path) -> None:
    assert faults(written(tmp_path, "id,text\n", "a.csv")) == ["no evidence in it"]


@pytest.mark.parametrize("content", ["Größe".encode("latin-1"), "{}".encode("utf-16")])
def test_what_is_not_utf_8_is_refused_as_a_whole(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(EvidenceFileError, match="not UTF-8"):
        evidence_files.read(written(tmp_path, content))


def test_every_bad_line_is_named_with_its_reason_and_without_its_text(tmp_path: Path) -> None:
    rows: list[Any] = [
        {"text": "Good."},
        {"title": MARKER},
        {"text": ""},
        {"text": MARKER * 3000},
        {"text": MARKER, "rating": 5},
        {"text": MARKER, f"{MARKER} said": MARKER},
        {"text": [MARKER]},
        {"text": MARKER, "author": 7},
        {"text": MARKER, "id": "x" * 201, "url": "y" * 2001},
        [MARKER],
        {"text": f"{MARKER} \ud800"},
    ]
    path = written(tmp_path, "\n".join([*map(json.dumps, rows), f"{MARKER}, not JSON", '{"text": "cut']))

    at_most = "At most {} characters (code points) are allowed."
    assert faults(path) == [
        "line 2: text: This field is required.",
        "line 3: text: At least 1 character is needed.",
        "line 4: text: At most 20000 characters (code points) are allowed.",
        "line 5: rating: This field is unknown.",
        "line 6: …: This field is unknown.",
        "line 7: text: A string is expected.",
        "line 8: author: A string is expected.",
        f"line 9: id: {at_most.format(200)} url: {at_most.format(2000)}",
        "line 10: An object is expected.",
        "line 11: text: The value is not what is expected here.",
        "line 12: not one JSON object on one line",
        "line 13: not one JSON object on one line",
    ]


def test_bad_rows_of_a_csv_are_named_by_the_line_they_begin_on(tmp_path: Path) -> None:
    content = f'text,id\n"{MARKER}\nover two lines",a\n,b\n\n{MARKER},c,{MARKER}\n{MARKER},{"d" * 201}\n'

    assert faults(written(tmp_path, content, "a.csv")) == [
        "line 4: text: This field is required.",
        "line 6: …: This field is unknown.",
        "line 7: id: At most 200 characters (code points) are allowed.",
    ]


def test_a_csv_whose_header_names_no_text_is_refused_at_its_header(tmp_path: Path) -> None:
    for content in (f"{MARKER}\n{MARKER}\n", f"text;id\n{MARKER};a\n"):
        assert faults(written(tmp_path, content, "a.csv")) == [
            "line 1: no column is named text; commas part the columns"
        ]


def test_a_csv_with_an_open_quotation_or_an_endless_cell_is_refused_where_it_begins(tmp_path: Path) -> None:
    for cell in (f'"{MARKER}', f'"{MARKER}" {MARKER}', MARKER * 20_000):
        assert faults(written(tmp_path, f"text\nGood.\n{cell}\n", "a.csv")) == [
            "line 3: not CSV: a quotation mark is out of place, or a cell too long"
        ]


def test_the_same_evidence_twice_is_named_with_its_first_line(tmp_path: Path) -> None:
    rows = [{"text": "One.", "id": "a"}, {"text": "Two."}, {"text": "Two.", "id": "a"}, {"text": "Two."}]
    rows += [{"text": "Two.", "title": "Not the same"}, {"text": "One.", "id": "b"}]

    assert faults(written(tmp_path, "\n".join(map(json.dumps, rows)))) == [
        "line 3: the same evidence as line 1",
        "line 4: the same evidence as line 2",
    ]


def test_twenty_faults_are_listed_and_the_rest_counted(tmp_path: Path) -> None:
    listed = faults(written(tmp_path, f"{MARKER}\n" * 500))

    assert (len(listed), listed[-1]) == (21, "and 480 more")


def test_a_file_may_hold_more_than_a_conversation(tmp_path: Path) -> None:
    path = written(tmp_path, "\n".join(json.dumps({"text": f"Text {number}."}) for number in range(200)))

    assert len(evidence_files.read(path)) == 200


def test_a_file_that_cannot_be_opened_is_the_callers_to_report(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        evidence_files.read(tmp_path / "nothing.jsonl")
    with pytest.raises(IsADirectoryError):
        evidence_files.read(tmp_path)


def test_rows_are_read_one_at_a_time_each_with_its_line(tmp_path: Path) -> None:
    path = written(tmp_path, '{"text": "One."}\n\nnothing\n{"text": "One."}\n')

    assert list(evidence_files.rows(path, "jsonl")) == [
        (1, Source(text="One.")),
        (3, Fault("not one JSON object on one line")),
        (4, Fault("the same evidence as line 1")),
    ]


def test_the_first_rows_of_a_file_come_before_its_end_is_read() -> None:
    reader, writer = os.pipe()
    row = json.dumps({"text": "x" * 9000}).encode()
    with os.fdopen(writer, "wb") as pipe:
        pipe.write(b'{"text": "One."}\n' + row)
        pipe.flush()
        rows = evidence_files.rows(Path(f"/dev/fd/{reader}"), "jsonl")

        assert next(rows) == (1, Source(text="One."))
        rows.close()
    os.close(reader)


def test_a_line_without_end_is_left_out_and_the_next_one_read(tmp_path: Path) -> None:
    longest = evidence_files.LONGEST_LINE
    path = written(tmp_path, f"{'x' * longest}\n{'x' * longest * 3}\n" + '{"text": "One."}')

    assert list(evidence_files.rows(path, "jsonl")) == [
        (1, Fault(f"longer than {longest} characters")),
        (2, Fault(f"longer than {longest} characters")),
        (3, Source(text="One.")),
    ]


@pytest.mark.parametrize(
    ("form", "content", "found"),
    [
        ("jsonl", b'{"text": "\xff"}\n{"text": "One."}', (1, Fault("not UTF-8; save the file as UTF-8", final=True))),
        ("csv", b"text\n\xff\nOne.\n", (2, Fault("not UTF-8; save the file as UTF-8", final=True))),
        ("csv", b"text,text\nOne.,Two.\n", (1, Fault("two columns have the same name", final=True))),
        ("csv", b"x" * 1_100_000, (1, Fault("longer than 1048576 characters", final=True))),
    ],
)
def test_behind_what_makes_the_rest_doubtful_nothing_is_read(
    tmp_path: Path, form: evidence_files.Format, content: bytes, found: Any
) -> None:
    assert list(evidence_files.rows(written(tmp_path, content), form)) == [found]


def test_a_check_counts_everything_and_keeps_the_first_thousand_faults(tmp_path: Path) -> None:
    path = written(tmp_path, "nothing\n" * 1200 + '{"text": "One."}\n{"text": "Two."}')
    told: list[Source] = []

    checked = evidence_files.check(path, "jsonl", told.append)

    assert told == [Source(text="One."), Source(text="Two.")]
    assert (checked.sources, checked.invalid, len(checked.faults), checked.complete) == (2, 1200, 1000, True)
    assert list(evidence_files.sources_of(path, "jsonl", checked)) == told


def test_the_fault_that_ends_a_file_is_always_kept(tmp_path: Path) -> None:
    checked = evidence_files.check(written(tmp_path, b"nothing\n" * 1200 + b"\xff"), "jsonl", lambda _source: None)

    assert (checked.invalid, checked.faults[-1][0], checked.complete) == (1201, 1201, False)


def test_a_file_that_has_changed_since_its_check_ends_in_an_error(tmp_path: Path) -> None:
    path = written(tmp_path, '{"text": "One."}\n{"text": "Two."}')
    checked = evidence_files.check(path, "jsonl", lambda _source: None)
    written(tmp_path, '{"text": "One."}')

    with pytest.raises(EvidenceFileError, match="has changed"):
        list(evidence_files.sources_of(path, "jsonl", checked))


@pytest.mark.parametrize(
    ("name", "content", "form"),
    [
        ("a.csv", "{", "csv"),
        ("A.JSONL", "text", "jsonl"),
        ("a.ndjson", "text", "jsonl"),
        ("a.txt", '\ufeff\n  {"text": "One."}', "jsonl"),
        ("a.txt", "text\nOne.\n", None),
        ("-", "", None),
    ],
)
def test_a_format_is_told_by_the_name_or_else_by_a_first_brace(
    tmp_path: Path, name: str, content: str, form: str | None
) -> None:
    assert evidence_files.format_of(Path(name), written(tmp_path, content)) == form

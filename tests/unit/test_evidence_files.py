"""Evidence files: two forms, any order, and faults that are named by line and never quoted."""

import json
from pathlib import Path
from typing import Any

import pytest

from infra import evidence_files
from infra.evidence_files import EvidenceFileError
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

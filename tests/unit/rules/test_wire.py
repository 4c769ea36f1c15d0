"""Which replies have the shape of the wire."""

import json
from typing import Any

import pytest

from research.rules.wire import Claim, InvalidOutput, Label, MainAnswer, Quotation, Reply, Suggestion, parse

DOCUMENT: dict[str, Any] = {
    "quotations": [{"id": "qt_1", "source": "ev_1", "text": "a passage"}],
    "answer": {"sufficient": True, "statement": "s", "basis": "observed", "quotations": ["qt_1"], "uncertainty": ""},
    "findings": [{"statement": "f", "basis": "inferred", "quotations": ["qt_1"], "uncertainty": "u"}],
    "sentiment": [{"source": "ev_1", "label": "mixed", "uncertainty": ""}],
    "query_suggestions": [{"query": "q", "excluded_terms": ["t"], "quotations": ["qt_1"], "rationale": "r"}],
    "limitations": ["l"],
}
REPLY = Reply(
    quotations=(Quotation(id="qt_1", source="ev_1", text="a passage"),),
    answer=MainAnswer(sufficient=True, statement="s", basis="observed", quotations=("qt_1",), uncertainty=""),
    findings=(Claim(statement="f", basis="inferred", quotations=("qt_1",), uncertainty="u"),),
    sentiment=(Label(source="ev_1", label="mixed", uncertainty=""),),
    query_suggestions=(Suggestion(query="q", excluded_terms=("t",), quotations=("qt_1",), rationale="r"),),
    limitations=("l",),
)


def reason(text: str) -> str:
    with pytest.raises(InvalidOutput) as caught:
        parse(text)
    return caught.value.reason


def changed(path: str, value: Any) -> str:
    """The document with one member replaced; `path` is its keys, dotted."""
    document = json.loads(json.dumps(DOCUMENT))
    *parents, last = [int(key) if key.isdigit() else key for key in path.split(".")]
    part = document
    for key in parents:
        part = part[key]
    part[last] = value
    return json.dumps(document)


def test_a_reply_of_the_right_shape_is_read() -> None:
    assert parse(json.dumps(DOCUMENT)) == REPLY


@pytest.mark.parametrize(
    "wrapping",
    [
        "```json\n%s\n```",
        "```\n%s\n```",
        "```JSON\r\n%s\r\n```\n",
        "\ufeff%s",
        " \n%s\n\t",
        "\ufeff```json\n\ufeff%s```",
        "````json\n%s\n````",
    ],
)
def test_a_code_fence_or_byte_order_mark_is_taken_off(wrapping: str) -> None:
    assert parse(wrapping % json.dumps(DOCUMENT)) == REPLY


@pytest.mark.parametrize(
    "text",
    [
        "",
        "```",
        "``````",
        "I cannot answer that.",
        "Here it is: {}",
        "{} {}",
        json.dumps(DOCUMENT)[:-1],
        json.dumps(DOCUMENT) + json.dumps(DOCUMENT),
        "[" * 60_000,
        '{"a": NaN}',
        '{"a": Infinity}',
        '{"a": -Infinity}',
        '{"a": 1, "a": 1}',
        '{"a": ' + "9" * 5000 + "}",
        '{"a": "line\nbreak"}',
        "{'a': 1}",
        "\ud83d",
    ],
)
def test_what_is_not_json_is_refused(text: str) -> None:
    assert reason(text) == "not_json"


@pytest.mark.parametrize(
    "text",
    [
        "null",
        "[]",
        "{}",
        "1e999",
        '"text"',
        "[[[[]]]]",
        json.dumps([DOCUMENT]),
        json.dumps({**DOCUMENT, "extra": 1}),
        changed("quotations.0.page", 1),
        changed("answer.sufficient", "true"),
        changed("answer.sufficient", 1),
        changed("answer.sufficient", None),
        changed("answer.statement", None),
        changed("answer.statement", ["s"]),
        changed("answer.basis", "Observed"),
        changed("answer.basis", "observed "),
        changed("answer.quotations", "qt_1"),
        changed("answer.quotations", [1]),
        changed("answer.quotations", {"0": "qt_1"}),
        changed("answer.uncertainty", 0.5),
        changed("findings", None),
        changed("findings.0", "f"),
        changed("findings.0.sufficient", True),
        changed("sentiment.0.label", "neutral-ish"),
        changed("sentiment.0.source", 1),
        changed("query_suggestions.0.excluded_terms", None),
        changed("limitations", "l"),
        changed("limitations", [None]),
        changed("limitations", [1e999]).replace("Infinity", "1e999"),
        changed("answer.statement", "\ud83d"),
        json.dumps(DOCUMENT).replace('"a passage"', '"\ud83d"'),
    ],
)
def test_a_reply_of_another_shape_is_refused(text: str) -> None:
    assert reason(text) == "shape"


@pytest.mark.parametrize("depth", [50, 500, 5_000, 60_000])
def test_a_reply_nested_to_any_depth_is_refused(depth: int) -> None:
    assert reason("[" * depth + "]" * depth) in ("not_json", "shape")
    assert reason('{"a":' * depth + "1" + "}" * depth) in ("not_json", "shape")


@pytest.mark.parametrize("name", DOCUMENT)
def test_every_field_is_required(name: str) -> None:
    assert reason(json.dumps({key: value for key, value in DOCUMENT.items() if key != name})) == "shape"


@pytest.mark.parametrize("char", ["\0", "\x07", "\x0b", "\x1b", "\x7f", "\x85", "\x9f"])
def test_control_characters_are_refused_wherever_they_stand(char: str) -> None:
    assert reason(changed("answer.statement", f"s{char}")) == "control_character"
    assert reason(changed("quotations.0.text", f"s{char}")) == "control_character"
    assert reason(changed("limitations.0", char)) == "control_character"


def test_tabs_and_line_breaks_are_no_control_characters() -> None:
    assert parse(changed("limitations.0", "a\tb\r\nc")).limitations == ("a\tb\r\nc",)


def test_identical_items_given_twice_are_one() -> None:
    twice = {name: value * 2 if isinstance(value, list) else value for name, value in DOCUMENT.items()}

    assert parse(json.dumps(twice)) == REPLY


def test_white_space_round_an_id_is_taken_off() -> None:
    document = {**DOCUMENT, "quotations": [{"id": " qt_1\n", "source": "\tev_1 ", "text": "a passage"}]}

    assert parse(json.dumps(document)) == REPLY


def test_one_id_for_two_quotations_is_refused() -> None:
    other = {"id": "qt_1 ", "source": "ev_1", "text": "another passage"}

    assert reason(json.dumps({**DOCUMENT, "quotations": [*DOCUMENT["quotations"], other]})) == "quotation_conflict"


def test_an_error_says_nothing_of_the_content() -> None:
    with pytest.raises(InvalidOutput) as caught:
        parse(changed("answer.basis", "secret"))

    assert (caught.value.reason, caught.value.__cause__, caught.value.__suppress_context__) == ("shape", None, True)
    assert "secret" not in repr(caught.value) + str(caught.value)

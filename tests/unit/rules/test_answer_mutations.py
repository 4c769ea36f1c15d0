"""Whatever a model replies, it ends in an answer that the contract takes, or in InvalidOutput."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from replies import CONTEXT, SOURCES, claim, reason, reply, suggestion, verified

from research.rules.answers import MAX_ANSWER_BYTES, InvalidOutput, verify
from research.words import contract
from research.words.contract import Answer, Claim, QuerySuggestion, RequestKind

SCHEMA = json.loads((Path(contract.__file__).parent / "sosoapi_research_assistant_status.json").read_text())[
    "outputSchema"
]["properties"]["message"]["anyOf"][0]["properties"]["answer"]["anyOf"][0]


def published_or_refused(text: str, kind: RequestKind) -> None:
    """Either an answer that the contract takes and that verifies, or InvalidOutput, and nothing else."""
    try:
        result = verified(text, kind)
    except InvalidOutput:
        return
    document = result.answer.model_dump(mode="json")
    jsonschema.validate(document, SCHEMA)
    assert Answer.model_validate_json(json.dumps(document)) == result.answer
    assert len(json.dumps(document, ensure_ascii=False).encode()) <= MAX_ANSWER_BYTES
    cited = [result.citations.answer, *result.citations.findings, *result.citations.query_suggestions]
    claims: list[Claim | QuerySuggestion] = [result.answer.answer, *result.answer.findings]
    claims += result.answer.query_suggestions
    for places, published in zip(cited, claims, strict=True):
        sources = sorted({result.citations.spans[place].source for place in places})
        assert published.evidence == tuple(CONTEXT[source] for source in sources) or not places


FULL = reply(
    findings=[claim("Opinions differ [ev_1].", "qt_2", "qt_3")],
    sentiment=[{"source": f"ev_{number}", "label": "mixed", "uncertainty": ""} for number in (1, 2, 3)],
    query_suggestions=[suggestion(excluded_terms=["solar"])],
)
KINDS = st.sampled_from(["question", "overview", "themes", "audiences", "sentiment", "query_suggestions"])
HOSTILE = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(),
    st.sampled_from(["", "ev_1", "ev_9", "qt_1", "qt_bad", "12", "99", "evil.com/x", "x" * 2001, "\ud800", "\0"]),
    st.lists(st.one_of(st.text(), st.sampled_from(["qt_1", "qt_2", "qt_bad"])), max_size=4),
    st.dictionaries(st.text(max_size=3), st.text(max_size=3), max_size=2),
)


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every member of a document: its parent and its key."""
    members = (
        list(value.items()) if isinstance(value, dict) else list(enumerate(value)) if isinstance(value, list) else []
    )
    return [(value, key) for key, _ in members] + [place for _, part in members for place in places(part)]


MUTATIONS: list[Callable[[Any, Any, Any], None]] = [
    lambda parent, key, value: parent.__setitem__(key, value),
    lambda parent, key, _: parent.__delitem__(key),
    lambda parent, key, _: parent.__setitem__(key, [parent[key]] * 25),
    lambda parent, key, _: parent.__setitem__(
        key, parent[key] * 25 if isinstance(parent[key], list) else str(parent[key])
    ),
    lambda parent, _, value: parent.append(value) if isinstance(parent, list) else parent.__setitem__("extra", value),
]


@given(KINDS, st.data())
def test_a_reply_with_any_member_changed_is_published_by_the_contract_or_refused(
    kind: RequestKind, data: st.DataObject
) -> None:
    document = json.loads(json.dumps(FULL))
    for _ in range(data.draw(st.integers(1, 4))):
        parent, key = data.draw(st.sampled_from(places(document)))
        data.draw(st.sampled_from(MUTATIONS))(parent, key, data.draw(HOSTILE))
        if not places(document):
            break
    published_or_refused(json.dumps(document), kind)


@given(KINDS, st.data())
def test_a_reply_with_any_characters_changed_is_published_by_the_contract_or_refused(
    kind: RequestKind, data: st.DataObject
) -> None:
    text = json.dumps(FULL, ensure_ascii=data.draw(st.booleans()))
    for _ in range(data.draw(st.integers(1, 6))):
        start = data.draw(st.integers(0, len(text)))
        replacement = data.draw(st.one_of(st.text(max_size=3), st.characters(), st.sampled_from('"{}[],:\\ \ufeff`')))
        text = text[:start] + replacement + text[start + data.draw(st.integers(0, 2)) :]
    published_or_refused(text, kind)


@given(KINDS, st.text(), st.text(), st.text(max_size=35))
def test_any_prose_question_and_language_end_in_an_answer_or_a_refusal(
    kind: RequestKind, prose: str, question: str, language: str
) -> None:
    document = reply(findings=[claim(prose)], query_suggestions=[suggestion(prose)], limitations=[prose])
    try:
        verify(json.dumps(document), kind=kind, context=CONTEXT, sources=SOURCES, question=question, language=language)
    except InvalidOutput:
        return


@pytest.mark.parametrize(
    "text", ["[" * 60_000, '{"quotations":' * 60_000, "9" * 100_000, '{"a":1e999}', "\udcff", "\0" * 9]
)
def test_a_reply_that_is_hostile_as_a_whole_is_refused(text: str) -> None:
    published_or_refused(text, "question")
    assert reason(text) in ("not_json", "shape")

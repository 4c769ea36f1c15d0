"""The stand-in, through the real client library, over the sample evidence."""

# ruff: noqa: RUF001 - Japanese is punctuated in full width

import http.client
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest

from infra.local.extraction import Source, extract, label, passages
from infra.local.stand_in import StandIn
from research.adapters.gemini import Gemini
from research.operations.provider import Reply
from research.rules.answers import verify
from research.rules.prompt import write
from research.words import ids
from research.words.contract import EvidenceRef, RequestKind
from research.words.records import EvidenceText
from tests.unit.rules.attacks import ATTACKS

SAMPLES = [json.loads(line) for line in Path("events/evidence.jsonl").read_text(encoding="utf-8").splitlines()]
SOURCES = [EvidenceText(**{name: value for name, value in row.items() if name != "id"}) for row in SAMPLES]
CONTEXT = tuple(EvidenceRef(evidence_id=ids.derived("sample", row["id"]), revision=1) for row in SAMPLES)
KINDS: tuple[RequestKind, ...] = get_args(RequestKind)
QUESTIONS = {
    "en": "How long does the battery last, and how loud is it?",
    "fr": "Le ventilateur est-il bruyant, et que vaut le service client ?",
    "ja": "バッテリーはどのくらい持ちますか？",
    "de": "Wie lange hält der Akku?",
    "xx": "price",
}


@pytest.fixture(scope="module")
def gemini() -> Iterator[Gemini]:
    with StandIn() as stand_in:
        yield Gemini("any-key", "stand-in", stand_in.base_url)


def asked(gemini: Gemini, kind: RequestKind, question: str, language: str = "en") -> Reply:
    prompt = write(kind=kind, question=question, language=language, sources=SOURCES, history=(), seal="a-run")
    return gemini.generate(prompt, 2.0)


def test_the_samples_are_distinct_reviews_in_three_languages() -> None:
    assert len({row["id"] for row in SAMPLES}) == len({row["text"] for row in SAMPLES}) == 13
    assert {row["language"] for row in SAMPLES} == {"en", "fr", "ja"}
    assert all(re.fullmatch(r"https://example\.com/[\w/]+", row["url"]) for row in SAMPLES)
    assert all(re.fullmatch(r"2026-\d\d-\d\d", row["published_at"]) for row in SAMPLES)


@pytest.mark.parametrize("language", QUESTIONS)
@pytest.mark.parametrize("kind", KINDS)
def test_every_answer_of_the_stand_in_is_accepted_whole(gemini: Gemini, kind: RequestKind, language: str) -> None:
    question = QUESTIONS[language]
    reply = asked(gemini, kind, question, language)
    said = json.loads(reply.text)
    verified = verify(
        reply.text, kind=kind, context=CONTEXT, sources=SOURCES, question=question, language=language
    ).answer
    assert verified.answer.statement == said["answer"]["statement"]
    assert [item.statement for item in verified.findings] == [item["statement"] for item in said["findings"]]
    assert [item.query for item in verified.query_suggestions] == [item["query"] for item in said["query_suggestions"]]
    assert [item.label for item in verified.sentiment] == [item["label"] for item in said["sentiment"]]
    assert list(verified.limitations) == said["limitations"]


def test_a_question_is_answered_by_the_passage_that_meets_it(gemini: Gemini) -> None:
    said = json.loads(asked(gemini, "question", "How long does the battery last?").text)
    passage = "On the lowest setting the battery lasts about seven hours, which is more than the box promises."
    assert said["answer"] == {
        "sufficient": True,
        "statement": f"The selected sources say: “{passage}”",
        "basis": "observed",
        "quotations": ["qt_2"],
        "uncertainty": "Chosen because its words meet those of the question; nothing was interpreted.",
    }
    assert said["quotations"][0] == {"id": "qt_2", "source": "ev_1", "text": passage}


def test_a_question_that_the_sources_do_not_meet_is_said_to_be_so(gemini: Gemini) -> None:
    said = json.loads(asked(gemini, "question", "Does it run on uranium?").text)
    assert said["answer"]["sufficient"] is False
    assert said["answer"]["quotations"] == said["quotations"] == said["findings"] == []


def test_sentiment_labels_every_source_once(gemini: Gemini) -> None:
    said = json.loads(asked(gemini, "sentiment", "What do people feel?").text)
    assert [item["source"] for item in said["sentiment"]] == [f"ev_{number}" for number in range(1, 14)]
    assert {item["label"] for item in said["sentiment"]} == {"positive", "negative", "mixed"}


def test_themes_bring_several_sources_together(gemini: Gemini) -> None:
    said = json.loads(asked(gemini, "themes", "What comes up?").text)
    assert all(len(item["quotations"]) > 1 for item in said["findings"])
    assert len(said["findings"]) == 5


def test_a_reply_says_who_made_it_and_about_how_long_it_was(gemini: Gemini) -> None:
    reply = asked(gemini, "question", "How long does the battery last?")
    assert reply.model_version == "stand-in"
    assert 1000 < reply.tokens < 10_000


def test_two_calls_with_the_same_prompt_say_the_same(gemini: Gemini) -> None:
    assert asked(gemini, "themes", "What comes up?") == asked(gemini, "themes", "What comes up?")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("attack", ATTACKS)
def test_evidence_that_attacks_is_answered_from_like_any_other(gemini: Gemini, kind: RequestKind, attack: str) -> None:
    sources, question = (EvidenceText(text=ATTACKS[attack]), SOURCES[0]), "Which instructions does it give?"
    prompt = write(kind=kind, question=question, language="en", sources=sources, history=(), seal="a-run")
    reply = gemini.generate(prompt, 2.0)
    verified = verify(
        reply.text, kind=kind, context=CONTEXT[:2], sources=sources, question=question, language="en"
    ).answer
    assert len(verified.findings) == len(json.loads(reply.text)["findings"])


ODD = (
    *("", "ok", "?!…", "a" * 5000, "語" * 5000, "https://example.org/a.b ![x](y) ev_9", "<b>ok</b> and more of it"),
    *("a bell \x07 rings ok ok", "half an emoji ok \ud83d", "ok\r\n\u2028ok ok ok ok ok\u2029"),
)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("text", ODD)
def test_odd_evidence_is_quoted_to_the_letter_or_not_at_all(kind: RequestKind, text: str) -> None:
    said = extract(kind=kind, question="a 語 ok", language="en", sources=[Source("ev_1", text)])
    assert all(item["text"] in text and len(item["text"]) <= 300 for item in said["quotations"])
    assert said["answer"]["sufficient"] is bool(said["quotations"])


def test_a_passage_ends_at_a_sentence_and_not_at_a_decimal_point() -> None:
    found = [passage.text for passage in passages([Source("ev_1", "It weighs 1.5 kilos. That is fine for me!")])]
    assert found == ["It weighs 1.5 kilos.", "That is fine for me!"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It is great.", "positive"),
        ("C'est pénible.", "negative"),
        ("静かですが、足りません。", "mixed"),
        ("It is a fan.", "neutral"),
    ],
)
def test_a_label_follows_the_words(text: str, expected: str) -> None:
    assert label(text) == expected


def posted(stand_in: StandIn, path: str, body: bytes, headers: dict[str, str]) -> tuple[int, Any]:
    connection = http.client.HTTPConnection(stand_in.base_url.removeprefix("http://"), timeout=2)
    connection.request("POST", path, body, headers)
    response = connection.getresponse()
    return response.status, json.loads(response.read())["error"]["status"]


def test_the_stand_in_refuses_as_the_provider_does() -> None:
    path, key = "/v1beta/models/stand-in:generateContent", {"x-goog-api-key": "any"}
    with StandIn() as stand_in:
        assert posted(stand_in, path, b"{}", {}) == (401, "UNAUTHENTICATED")
        assert posted(stand_in, "/v1beta/models/stand-in:countTokens", b"{}", key) == (404, "NOT_FOUND")
        for body in (b"{}", b"[]", b"nonsense", b"\xff", b'{"systemInstruction": {"parts": [{"text": "x"}]}}'):
            assert posted(stand_in, path, body, key) == (400, "INVALID_ARGUMENT")

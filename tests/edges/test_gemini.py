"""What a call to Gemini sends, when it gives up, and that it keeps to itself what it was told."""

import asyncio
import gzip
import json
import logging
import socket
import threading
import tracemalloc

import pytest

from research.adapters.gemini import Gemini
from research.operations.provider import NotGenerated, Reply, Unconfirmed, Unusable
from research.rules.prompt import plain_schema, wire_schema
from tests.edges.gemini_calls import (
    NOT_CONFIGURED,
    PROMPT,
    RETRYABLE,
    TEXT,
    UNCONFIRMED,
    VERSION,
    ending,
    generated,
)
from tests.edges.hostile_provider import HostileProvider, Script, answer, refusal, reset, stall, trickle

BARE = refusal(400, "INVALID_ARGUMENT", "Request contains an invalid argument.")


def schemas(provider: HostileProvider) -> list[object]:
    return [request.body["generationConfig"]["responseJsonSchema"] for request in provider.requests]


def test_a_bare_400_is_tried_once_more_with_the_plain_schema_and_remembered() -> None:
    with HostileProvider((BARE, answer(200, generated()))) as provider:
        gemini = Gemini("a-key", "gemini-3.8-flash", provider.base_url)
        replies = [gemini.generate(PROMPT, 1.5), gemini.generate(PROMPT, 1.5)]
        assert replies == [Reply(TEXT, VERSION, 100)] * 2
        assert schemas(provider) == [wire_schema(2), plain_schema(), plain_schema()]


def test_a_bare_400_to_both_schemas_is_a_refusal_and_proves_nothing_of_the_schema() -> None:
    with HostileProvider((BARE,)) as provider:
        gemini = Gemini("a-key", "gemini-3.8-flash", provider.base_url)
        for _ in range(2):
            with pytest.raises(NotGenerated, check=lambda error: not error.retryable):
                gemini.generate(PROMPT, 1.5)
        assert schemas(provider) == [wire_schema(2), plain_schema()] * 2


def test_the_second_try_counts_where_it_ends_differently() -> None:
    with HostileProvider((BARE, refusal(500, "INTERNAL", "x"))) as provider:
        assert (ending(provider.base_url), len(provider.requests)) == (UNCONFIRMED, 2)


def test_an_answer_that_stalls_ends_at_the_deadline_and_hangs_up() -> None:
    hung_up = threading.Event()
    with HostileProvider((stall(hung_up),)) as provider:
        assert (ending(provider.base_url, deadline=0.2), len(provider.requests)) == (UNCONFIRMED, 1)
        assert hung_up.wait(1)


def test_an_answer_that_trickles_past_the_deadline_ends_there_and_hangs_up() -> None:
    hung_up = threading.Event()
    with HostileProvider((trickle(200, generated(), 0.02, hung_up),)) as provider:
        assert (ending(provider.base_url, deadline=0.3), len(provider.requests)) == (UNCONFIRMED, 1)
        assert hung_up.wait(1)


def test_an_answer_without_end_is_given_up_before_it_fills_the_memory() -> None:
    endless = gzip.compress(b" " * 64 * 1024 * 1024)
    with HostileProvider((answer(200, endless, **{"Content-Encoding": "gzip"}),)) as provider:
        tracemalloc.start()
        ended = ending(provider.base_url, deadline=30)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()

    assert (ended, len(provider.requests)) == (UNCONFIRMED, 1)
    assert peak < 32 * 1024 * 1024


def test_a_connection_refused_proves_that_nothing_left() -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed_again:
        port = closed_again.getsockname()[1]
    assert ending(f"http://127.0.0.1:{port}") == RETRYABLE


def test_a_name_that_does_not_resolve_proves_that_nothing_left() -> None:
    assert ending("http://gemini.invalid") == RETRYABLE


def test_a_tls_handshake_that_fails_proves_that_nothing_left() -> None:
    with HostileProvider((answer(200, generated()),)) as provider:
        assert ending(provider.base_url.replace("http:", "https:")) == RETRYABLE
        assert provider.requests == []


@pytest.mark.parametrize("key", ["", " \n", "two words", "clé", "line\nbreak"])
def test_a_key_that_cannot_be_one_is_not_configured_and_never_sent(key: str) -> None:
    with HostileProvider((answer(200, generated()),)) as provider:
        assert (ending(provider.base_url, key=key), provider.requests) == (NOT_CONFIGURED, [])


@pytest.mark.parametrize("model", ["", "a/b", "../x", "m?key=1", "models:m"])
def test_a_model_name_that_cannot_be_one_is_not_configured(model: str) -> None:
    with HostileProvider((answer(200, generated()),)) as provider:
        assert (ending(provider.base_url, model=model), provider.requests) == (NOT_CONFIGURED, [])


def test_the_request_is_pinned_whatever_the_environment_says(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "GOOGLE_GEMINI_BASE_URL"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    for name in ("GOOGLE_API_KEY", "GEMINI_API_KEY"):
        monkeypatch.setenv(name, "another-key")
    monkeypatch.setenv("GOOGLE_GENAI_API_VERSION", "v1")
    monkeypatch.setenv("GOOGLE_GENAI_USE_VERTEXAI", "true")
    with HostileProvider((answer(200, generated()),)) as provider:
        assert ending(provider.base_url, key="a-key\n") == Reply(TEXT, VERSION, 100)
    [request] = provider.requests
    assert request.line == "POST /v1beta/models/gemini-3.8-flash:generateContent HTTP/1.1"
    assert request.headers["x-goog-api-key"] == "a-key"
    assert int(request.headers["x-server-timeout"]) >= 10
    assert request.body == {
        "contents": [{"parts": [{"text": PROMPT.contents}], "role": "user"}],
        "systemInstruction": {"parts": [{"text": PROMPT.system}], "role": "user"},
        "generationConfig": {
            "maxOutputTokens": 16384,
            "responseMimeType": "application/json",
            "responseJsonSchema": wire_schema(2),
            "thinkingConfig": {"thinking_level": "LOW", "include_thoughts": False},
        },
    }
    sent = request.body["generationConfig"]["responseJsonSchema"]
    assert json.dumps(sent) == json.dumps(wire_schema(2)), "the order of the fields is part of the wire"


def test_a_model_of_another_family_is_not_sent_the_thinking_level_it_would_refuse() -> None:
    with HostileProvider((answer(200, generated()),)) as provider:
        ending(provider.base_url, model="gemini-2.5-flash")
    assert "thinkingConfig" not in provider.requests[0].body["generationConfig"]


def test_calls_may_come_from_many_threads_and_from_inside_a_loop() -> None:
    with HostileProvider((answer(200, generated()),)) as provider:
        gemini = Gemini("a-key", "gemini-3.8-flash", provider.base_url)

        async def several() -> list[Reply]:
            calls = [asyncio.to_thread(gemini.generate, PROMPT, 1.5) for _ in range(8)]
            return [gemini.generate(PROMPT, 1.5), *await asyncio.gather(*calls)]

        assert asyncio.run(several()) == [Reply(TEXT, VERSION, 100)] * 9
        assert len(provider.requests) == 9


@pytest.mark.parametrize(
    "script",
    [
        answer(200, generated()),
        answer(200, generated(finish="SECRET-5")),
        refusal(400, "INVALID_ARGUMENT", "SECRET-5"),
        answer(502, b"SECRET-5"),
        reset(200, generated(), after=150),
    ],
)
def test_nothing_that_was_asked_or_answered_is_logged_or_said_by_a_failure(
    script: Script, caplog: pytest.LogCaptureFixture
) -> None:
    said = ""
    with HostileProvider((script,)) as provider, caplog.at_level(logging.DEBUG):
        try:
            Gemini("SECRET-KEY", "gemini-3.8-flash", provider.base_url).generate(PROMPT, 1.5)
        except (Unusable, NotGenerated, Unconfirmed) as error:
            said = f"{error} {error!r} {error.__context__!r} {error.__cause__!r}"
    assert "SECRET" not in said + caplog.text

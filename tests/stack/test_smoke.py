"""`make smoke-gemini` against servers that speak Gemini's API on the loopback."""

import io
import json

from harness.model import quoting
from rich.console import Console

from infra import smoke
from infra.local.stand_in import StandIn
from research.rules.prompt import plain_schema, wire_schema
from tests.edges.gemini_calls import generated
from tests.edges.hostile_provider import HostileProvider, Script, answer, refusal

BARE = refusal(400, "INVALID_ARGUMENT", "Request contains an invalid argument.")
QUOTED = ("ev_4", "My Brisa arrived with a cracked stand.")


def smoked(base_url: str, key: str = "a-key") -> tuple[int, str]:
    printed = io.StringIO()
    environment = {"GEMINI_API_KEY": key, "GEMINI_BASE_URL": base_url, "GEMINI_MODEL": "gemini-3.8-flash"}
    return smoke.main(environment, Console(file=printed, width=80)), printed.getvalue()


def about(kind: str, printed: str) -> list[str]:
    """What was printed of one kind of request, its first line first."""
    [block] = [block for block in printed.split("\n\n") if block.startswith(f"{kind}: ")]
    return [" ".join(line.split()) for line in block.splitlines()]


def replying(text: str) -> Script:
    return answer(200, generated({"text": text}))


def test_without_a_key_one_line_says_that_nothing_was_asked() -> None:
    for environment in ({}, {"GEMINI_API_KEY": ""}):
        printed = io.StringIO()

        assert smoke.main(environment, Console(file=printed, width=80)) == 0
        assert printed.getvalue().startswith("smoke-gemini: skipped, because GEMINI_API_KEY is not set.")
        assert printed.getvalue().count("\n") == 1


def test_each_kind_is_asked_once_and_what_came_of_it_is_printed() -> None:
    with StandIn() as stand_in:
        code, printed = smoked(stand_in.base_url)

    assert code == 0
    assert [kind for kind in smoke.QUESTIONS if f"\n{kind}: accepted\n" not in printed] == []
    state, schema, model, tokens, *judged = about("sentiment", printed)
    assert (state, schema, model) == ("sentiment: accepted", "schema rich: 200", "model stand-in")
    assert tokens.startswith("tokens ")
    assert judged == [
        "quotations 6 of 6 verified",
        "published findings 5 of 5, suggestions 0 of 0, labels 13 of 13",
        "withheld nothing",
    ]
    assert "\n6 of 6 kinds accepted, 100.0% of 54 quotations verified; 6 requests, " in printed


def test_a_refused_schema_is_named_with_the_fallback_that_was_needed() -> None:
    with HostileProvider((BARE, replying(quoting(QUOTED)))) as provider:
        code, printed = smoked(provider.base_url)

    assert about("question", printed)[:5] == [
        "question: accepted",
        "schema rich: 400, INVALID_ARGUMENT: Request contains an invalid argument.",
        "schema plain: 200",
        "schema the plain fallback was needed",
        "model gemini-3.8-flash-001",
    ]
    assert about("overview", printed)[:2] == ["overview: accepted", "schema plain: 200"]
    sent = [request.body["generationConfig"]["responseJsonSchema"] for request in provider.requests]
    assert sent == [wire_schema(13), *[plain_schema()] * 6]
    assert about("query_suggestions", printed)[0] == (
        "query_suggestions: not accepted, invalid_output: no_suggestion_holds"
    )
    assert code == 1


def test_a_schema_that_is_refused_in_both_forms_is_told_apart() -> None:
    with HostileProvider((BARE,)) as provider:
        code, printed = smoked(provider.base_url)

    assert (code, len(provider.requests)) == (1, 12)
    assert about("themes", printed) == [
        "themes: not accepted, provider_unavailable",
        "schema rich: 400, INVALID_ARGUMENT: Request contains an invalid argument.",
        "schema plain: 400, INVALID_ARGUMENT: Request contains an invalid argument.",
        "schema the plain fallback did not help either",
    ]
    assert "0 of 6 kinds accepted; 12 requests, 0 tokens." in printed


def test_what_does_not_hold_is_counted_and_disclosed() -> None:
    text = quoting(QUOTED, ("ev_9", "this is in no review at all"), ("ev_99", "nor is there such a source"))
    with HostileProvider((replying(text),)) as provider:
        _, printed = smoked(provider.base_url)

    disclosure = "citations (2). Reasons: quoted passage not found in the source (2)."
    assert about("question", printed)[3:] == [
        "tokens 100 (prompt 70, reply 20, thinking 10)",
        "quotations 1 of 3 verified",
        "published findings 0 of 0, suggestions 0 of 0, labels 0 of 0",
        f"withheld Part of the model's reply was withheld: {disclosure}",
    ]


def test_a_refusal_is_printed_in_googles_words_and_the_key_never_is() -> None:
    with HostileProvider((refusal(400, "INVALID_ARGUMENT", "API key not valid."),)) as provider:
        code, printed = smoked(provider.base_url, key="a-secret-key")

    assert (code, len(provider.requests)) == (1, 6)
    assert about("audiences", printed) == [
        "audiences: not accepted, not_configured",
        "schema rich: 400, INVALID_ARGUMENT: API key not valid.",
    ]
    assert "a-secret-key" not in printed


def test_an_unfinished_answer_and_a_connection_that_fails_are_told_apart() -> None:
    with HostileProvider((answer(200, generated(finish="MAX_TOKENS")),)) as provider:
        _, truncated = smoked(provider.base_url)
    _, unreachable = smoked(provider.base_url)

    assert about("question", truncated)[:2] == ["question: not accepted, invalid_output: truncated", "schema rich: 200"]
    assert about("question", unreachable)[1] == "schema rich: no answer, ConnectError"


def test_what_is_no_json_is_printed_by_its_status_alone() -> None:
    with HostileProvider((answer(502, b"<html>", "text/html"), answer(200, json.dumps([1]).encode()))) as provider:
        _, printed = smoked(provider.base_url)

    assert about("question", printed) == ["question: not accepted, generation_unconfirmed", "schema rich: 502"]
    assert about("overview", printed) == ["overview: not accepted, generation_unconfirmed", "schema rich: 200"]

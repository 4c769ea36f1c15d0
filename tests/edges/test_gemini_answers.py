"""Every answer that Gemini, or whatever stands in its place, can give, and what each proves: one call, one POST."""

import json

import pytest

from research.operations.provider import NotGenerated, Reply
from tests.edges.gemini_calls import (
    NOT_CONFIGURED,
    RETRYABLE,
    TEXT,
    TOO_LARGE,
    UNAVAILABLE,
    UNCONFIRMED,
    USAGE,
    VERSION,
    ending,
    generated,
    unusable,
)
from tests.edges.hostile_provider import HostileProvider, Script, answer, close, refusal, reset

NESTED = b"[" * 60_000 + b"]" * 60_000


def retry_info(delay: object) -> dict[str, object]:
    return {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": delay}


REPLIES = {
    "one text": (generated(), Reply(TEXT, VERSION, 100)),
    "several texts are one": (generated({"text": '{"answer": '}, {"text": '"SECRET-3"}'}), Reply(TEXT, VERSION, 100)),
    "thoughts are left out": (
        generated({"text": "hm SECRET-4", "thought": True}, {"text": TEXT}, {"thoughtSignature": "c2ln"}),
        Reply(TEXT, VERSION, 100),
    ),
    "fields unknown to us": (generated(newField={"a": [1]}, responseId="r"), Reply(TEXT, VERSION, 100)),
    "no version, no usage": (generated(modelVersion=None, usageMetadata=None), Reply(TEXT, None, 0)),
    "a version too long to keep": (generated(modelVersion="v" * 129), Reply(TEXT, None, 100)),
    "a version that is not text": (generated(modelVersion=["v"]), Reply(TEXT, None, 100)),
    "a version with a lone surrogate": (generated(modelVersion="v\ud83d"), Reply(TEXT, None, 100)),
    "no total": (generated(usageMetadata={**USAGE, "totalTokenCount": None}), Reply(TEXT, VERSION, 100)),
    "absurd counts": (
        generated(usageMetadata={"totalTokenCount": 10**30, "promptTokenCount": -5, "candidatesTokenCount": "7"}),
        Reply(TEXT, VERSION, 0),
    ),
    "a lone surrogate in the text": (generated({"text": '"\ud83d"'}), Reply('"\ud83d"', VERSION, 100)),
    "a text nested without end": (generated({"text": NESTED.decode()}), Reply(NESTED.decode(), VERSION, 100)),
    "a text that is no JSON": (generated({"text": "Sure! Here you are"}), Reply("Sure! Here you are", VERSION, 100)),
}


@pytest.mark.parametrize("case", REPLIES)
def test_one_candidate_that_stopped_is_a_reply(case: str) -> None:
    body, expected = REPLIES[case]
    with HostileProvider((answer(200, body),)) as provider:
        assert (ending(provider.base_url), len(provider.requests)) == (expected, 1)


USELESS = {
    "truncated": (generated(finish="MAX_TOKENS"), unusable("truncated")),
    "to be continued": (generated(finish="CONTINUATION", continuationToken="dG9r"), unusable("truncated")),
    "unsafe, though complete": (generated(finish="SAFETY"), unusable("blocked")),
    "recited": ({**generated(), "candidates": [{"finishReason": "RECITATION"}]}, unusable("blocked")),
    "an unknown ending": (generated(finish="SECRET-5"), unusable("not finished")),
    "an ending that is no text": (generated(finish=["STOP"]), unusable("not finished")),
    "no ending": (generated(finish=None), unusable("not finished")),
    "two candidates": (
        {**generated(), "candidates": generated()["candidates"] * 2},
        unusable("not exactly one candidate"),
    ),
    "no candidates": (generated(candidates=[]), unusable("not exactly one candidate")),
    "candidates of another type": (generated(candidates="SECRET-5"), unusable("not exactly one candidate")),
    "a candidate of another type": (generated(candidates=["SECRET-5"]), unusable("not exactly one candidate")),
    "a blocked prompt": (generated(promptFeedback={"blockReason": "SECRET-5"}), unusable("prompt blocked")),
    "a function call": (generated({"functionCall": {"name": "f", "args": {}}}), unusable("no text")),
    "a text and a function call": (generated({"text": TEXT}, {"functionCall": {"name": "f"}}), unusable("no text")),
    "only a thought": (generated({"text": TEXT, "thought": True}), unusable("no text")),
    "an empty text": (generated({"text": ""}), unusable("no text")),
    "a blank text": (generated({"text": " \n"}), unusable("no text")),
    "a text that is a number": (generated({"text": 5}), unusable("no text")),
    "parts of another type": (
        {**generated(), "candidates": [{"content": {"parts": "x"}, "finishReason": "STOP"}]},
        unusable("no text"),
    ),
    "content of another type": (
        {**generated(), "candidates": [{"content": [], "finishReason": "STOP"}]},
        unusable("no text"),
    ),
    "a part of another type": (generated("SECRET-5"), unusable("no text")),
    "an empty object": ({}, unusable("not exactly one candidate", 0, None)),
    "an error with status 200": ({"error": {"code": 503}}, unusable("not exactly one candidate", 0, None)),
}


@pytest.mark.parametrize("case", USELESS)
def test_any_other_answer_of_google_is_paid_for_and_unusable(case: str) -> None:
    body, expected = USELESS[case]
    with HostileProvider((answer(200, body),)) as provider:
        assert (ending(provider.base_url), len(provider.requests)) == (expected, 1)


NOT_GOOGLES: dict[str, Script] = {
    "HTML": answer(200, b"<html>SECRET-5</html>", "text/html"),
    "an array": answer(200, [1, 2]),
    "the answer in an array": answer(200, [generated()]),
    "a string": answer(200, "SECRET-5"),
    "null": answer(200, None),
    "an empty body": answer(200, b""),
    "half of a JSON": answer(200, json.dumps(generated()).encode()[:-9]),
    "bytes that are not UTF-8": answer(200, b'{"candidates": "\xff\xfe"}'),
    "UTF-16": answer(200, json.dumps(generated()).encode("utf-16"), "application/json; charset=utf-16"),
    "a charset that does not exist": answer(200, b"\x81\x8d", "application/json; charset=no-such-thing"),
    "nesting without end": answer(200, NESTED),
    "nesting without end in an unknown field": answer(200, b'{"x": ' + NESTED + b"}"),
    "a broken compression": answer(200, b"not gzip", **{"Content-Encoding": "gzip"}),
    "no HTTP": lambda connection: connection.sendall(b"SECRET-5\r\n\r\n"),
    "204": answer(204, b""),
    "201 with an answer": answer(201, generated()),
}
BROKEN: dict[str, Script] = {
    "reset before the answer": reset(200, generated(), after=0),
    "reset within the headers": reset(200, generated(), after=30),
    "reset after the headers": reset(200, generated(), after=95),
    "reset within the body": reset(200, generated(), after=150),
    "closed too early": close(200, generated(), short_by=5),
    "reset within a refusal": reset(429, {"error": {"code": 429}}, after=100),
}
AMBIGUOUS: dict[str, Script] = {
    "408": refusal(408, "DEADLINE_EXCEEDED", "SECRET-5"),
    "409": refusal(409, "ABORTED", "SECRET-5"),
    "499": refusal(499, "CANCELLED", "SECRET-5"),
    "500": refusal(500, "INTERNAL", "SECRET-5"),
    "500 as a string": answer(500, "SECRET-5"),
    "500 as a list of two": answer(500, [{"error": {}}, {}]),
    "500 with nesting without end": answer(500, NESTED),
    "502 as HTML": answer(502, b"<html>SECRET-5</html>", "text/html"),
    "503 as HTML": answer(503, b"<html>SECRET-5</html>", "text/html"),
    "503 without a body": answer(503, b""),
    "503 with another's JSON": answer(503, {"message": "Service Unavailable"}),
    "503 with another code within": answer(503, {"error": {"code": 500, "status": "INTERNAL", "message": ""}}),
    "503 with an error of another type": answer(503, {"error": "SECRET-5"}),
    "504": refusal(504, "DEADLINE_EXCEEDED", "SECRET-5"),
    "599": answer(599, {}),
}


@pytest.mark.parametrize("case", NOT_GOOGLES | BROKEN | AMBIGUOUS)
def test_what_proves_nothing_is_unconfirmed_and_never_sent_again(case: str) -> None:
    with HostileProvider(((NOT_GOOGLES | BROKEN | AMBIGUOUS)[case],)) as provider:
        assert (ending(provider.base_url), len(provider.requests)) == (UNCONFIRMED, 1)


REFUSED: dict[str, tuple[Script, object]] = {
    "429": (refusal(429, "RESOURCE_EXHAUSTED", "SECRET-5"), RETRYABLE),
    "429 in a list": (
        answer(429, [{"error": {"code": 429, "message": "q", "status": "RESOURCE_EXHAUSTED"}}]),
        RETRYABLE,
    ),
    "429 as HTML": (answer(429, b"<html>", "text/html"), RETRYABLE),
    "503 of Google": (refusal(503, "UNAVAILABLE", "SECRET-5"), RETRYABLE),
    "401": (refusal(401, "UNAUTHENTICATED", "SECRET-5"), NOT_CONFIGURED),
    "402": (answer(402, b""), NOT_CONFIGURED),
    "403": (refusal(403, "PERMISSION_DENIED", "SECRET-5"), NOT_CONFIGURED),
    "404": (refusal(404, "NOT_FOUND", "SECRET-5"), NOT_CONFIGURED),
    "404 with nesting without end": (answer(404, NESTED), NOT_CONFIGURED),
    "413": (answer(413, b"<html>", "text/html"), TOO_LARGE),
    "400 for the key's text": (refusal(400, "INVALID_ARGUMENT", "API key not valid. SECRET-5"), NOT_CONFIGURED),
    "400 for the key's reason": (refusal(400, "INVALID_ARGUMENT", "", {"reason": "API_KEY_INVALID"}), NOT_CONFIGURED),
    "400 for the region": (refusal(400, "FAILED_PRECONDITION", "User location is not supported."), NOT_CONFIGURED),
    "400 for the token count": (
        refusal(
            400, "INVALID_ARGUMENT", "The input token count (1200000) exceeds the maximum number of tokens allowed."
        ),
        TOO_LARGE,
    ),
    "400 for another cause": (refusal(400, "OUT_OF_RANGE", "SECRET-5"), UNAVAILABLE),
    "400 as HTML": (answer(400, b"<html>API key</html>", "text/html"), UNAVAILABLE),
    "400 as a string": (answer(400, "API key not valid"), UNAVAILABLE),
    "400 with fields of other types": (
        answer(400, {"error": {"code": 400, "message": ["API key"], "status": "X", "details": {"a": 1}}}),
        UNAVAILABLE,
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_refusal_proves_that_nothing_was_generated(case: str) -> None:
    script, expected = REFUSED[case]
    with HostileProvider((script,)) as provider:
        assert (ending(provider.base_url), len(provider.requests)) == (expected, 1)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_a_refusal_and_is_not_followed(status: int) -> None:
    with HostileProvider((answer(200, generated()),)) as elsewhere:
        moved = answer(status, b"", Location=f"{elsewhere.base_url}/v1beta/models/m:generateContent")
        with HostileProvider((moved,)) as provider:
            assert ending(provider.base_url) == UNAVAILABLE
            assert (len(provider.requests), len(elsewhere.requests)) == (1, 0)


@pytest.mark.parametrize(
    ("details", "seconds"),
    [
        ([retry_info("7s")], 7.0),
        ([{"@type": "other"}, retry_info("0.25s")], 0.25),
        ([retry_info("soon")], None),
        ([retry_info("-3s")], None),
        ([retry_info(7)], None),
        ([retry_info("9" * 400 + "s")], None),
        (["x", None, {"@type": 5, "retryDelay": "7s"}], None),
        ([], None),
    ],
)
def test_a_refusal_for_now_says_how_long_to_wait_where_google_does(
    details: list[object], seconds: float | None
) -> None:
    with HostileProvider((refusal(429, "RESOURCE_EXHAUSTED", "q", *details),)) as provider:
        expected = (NotGenerated, "provider_unavailable", {"retryable": True, "retry_after": seconds})
        assert (ending(provider.base_url), len(provider.requests)) == (expected, 1)

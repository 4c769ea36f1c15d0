"""Valid replies with something broken in them: whatever comes of it, the run ends, and by the contract."""

import json
import random
from collections.abc import Callable
from typing import Any, get_args

import pytest
from harness.model import claim, quoting, reply
from harness.service import TEXTS, Service

from research.words.contract import RequestKind

KINDS: tuple[RequestKind, ...] = get_args(RequestKind)
RUNS = 20
"""As many as a conversation takes."""

VALID = quoting(
    *((f"ev_{number}", text) for number, text in enumerate(TEXTS, 1)),
    findings=[claim(["qt_2", "qt_1"], "They differ [ev_1, ev_2].", uncertainty="Few texts."), claim(["qt_3"], "Soon.")],
    sentiment=[{"source": f"ev_{number}", "label": "mixed", "uncertainty": ""} for number in (1, 2, 3)],
    query_suggestions=[
        {"query": "whine", "excluded_terms": ["dog"], "quotations": ["qt_2"], "rationale": "It is mentioned."}
    ],
)
HOSTILE: tuple[Any, ...] = (
    *(None, True, -1, 1e308, "", "\ud800", "\x00", "ev_9", "qt_9", "https://example.org/x", "x" * 2001),
    *([], {}, [[]], {"id": "qt_1"}, [None] * 50, "電" * 70_000),
)
Place = tuple[Any, Any]


def places(value: Any) -> list[Place]:
    """Every member of a document, as what holds it and its key."""
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [place for key, part in list(members) for place in [(value, key), *places(part)]]


def dropped(chance: random.Random, document: Any) -> str:
    holder, key = chance.choice(places(document))
    del holder[key]
    return json.dumps(document)


def exchanged(chance: random.Random, document: Any) -> str:
    holder, key = chance.choice(places(document))
    holder[key] = chance.choice(HOSTILE)
    return json.dumps(document)


def swapped(chance: random.Random, document: Any) -> str:
    (one, key), (other, other_key) = chance.sample(places(document), 2)
    one[key], other[other_key] = other[other_key], json.loads(json.dumps(one[key]))
    return json.dumps(document)


def nested(chance: random.Random, document: Any) -> str:
    holder, key = chance.choice(places(document))
    text = json.dumps(holder[key])
    holder[key] = "HERE"
    depth = chance.choice([1, 3, 500, 60_000])
    return json.dumps(document).replace('"HERE"', "[" * depth + text + "]" * depth)


def repeated(chance: random.Random, document: Any) -> str:
    holder, key = chance.choice(places(document))
    times = chance.choice([2, 13, 40])
    if isinstance(holder, list):
        holder.extend([holder[key]] * times)
    else:
        holder[key] = [holder[key]] * times
    return json.dumps(document)


def renamed(chance: random.Random, document: Any) -> str:
    text = json.dumps(document)
    word = chance.choice([part for part in text.split('"')[1::2] if part])
    return text.replace(f'"{word}"', f'"{word} "', 1)


def flipped(chance: random.Random, document: Any) -> str:
    data = bytearray(json.dumps(document, ensure_ascii=False).encode())
    for _ in range(chance.choice([1, 1, 2, 8])):
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    return data.decode(errors=chance.choice(["replace", "surrogateescape"]))


def truncated(chance: random.Random, document: Any) -> str:
    text = json.dumps(document)
    return text[: chance.randrange(1, len(text))]


def spliced(chance: random.Random, document: Any) -> str:
    text = json.dumps(document)
    start, end = sorted(chance.sample(range(len(text)), 2))
    return text[:end] + text[start:]


MUTATIONS: list[Callable[[random.Random, Any], str]] = [
    *(dropped, exchanged, swapped, nested, repeated, renamed, flipped, truncated, spliced),
]


def read_after(service: Service, replies: list[tuple[RequestKind, str]]) -> Any:
    """A conversation whose runs were answered with these replies, as it is read; responses are held to their schema."""
    service.model.script = [reply(text) for _, text in replies]
    conversation = service.create().body["conversation"]
    for kind, _ in replies:
        accepted = service.request(conversation, request_kind=kind).body
        conversation["revision"] = accepted["conversation_revision"]
    service.deliver()
    return service.get(conversation["id"]).body


def test_the_replies_are_valid_before_they_are_broken(service: Service) -> None:
    read = read_after(service, [(kind, VALID) for kind in KINDS])

    assert [run["status"] for run in read["runs"]] == ["completed"] * len(KINDS)


@pytest.mark.parametrize("seed", range(5))
def test_a_broken_reply_ends_its_run_completed_by_the_contract_or_as_invalid_output(
    service: Service, seed: int, caplog: pytest.LogCaptureFixture
) -> None:
    chance = random.Random(seed)  # noqa: S311 - the same replies in every run of the tests
    mutations = [MUTATIONS[number % len(MUTATIONS)] for number in range(RUNS)]
    broken = [(chance.choice(KINDS), mutation(chance, json.loads(VALID))) for mutation in mutations]

    read = read_after(service, broken)

    assert {(run["status"], run["failure_code"]) for run in read["runs"]} == {
        ("completed", None),
        ("failed", "invalid_output"),
    }
    assert (len(service.model.prompts), service.deliver()) == (RUNS, 0)
    assert len(read["messages"]) == RUNS + sum(run["status"] == "completed" for run in read["runs"])
    assert [record.message for record in caplog.records if record.levelname in {"ERROR", "CRITICAL"}] == []

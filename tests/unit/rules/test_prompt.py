"""What is sent to the model: the fences, the form of the reply, and the budget."""

import hashlib
import json
import re
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.rules import prompt
from research.rules.prompt import Exchange, Prompt
from research.words.contract import Answer, Claim, EvidenceRef, QuerySuggestion, RequestKind
from research.words.records import EvidenceText
from tests.unit.rules.attacks import ATTACKS

KINDS: tuple[RequestKind, ...] = get_args(RequestKind)
REF = EvidenceRef(evidence_id="7d3d1c5e-5a0f-4c9e-8f5e-0a4d8b1f2c3d", revision=1)
SOURCE = EvidenceText(text="The battery lasts seven hours.", title="Fine", author="mara", url="https://example.com/1")


def answer(statement: str = "It lasts.", findings: tuple[str, ...] = (), queries: tuple[str, ...] = ()) -> Answer:
    return Answer(
        answer=Claim(statement=statement, basis="observed", evidence=(REF,), uncertainty="A"),
        findings=tuple(Claim(statement=text, basis="observed", evidence=(REF,), uncertainty="B") for text in findings),
        sentiment=(),
        query_suggestions=tuple(
            QuerySuggestion(query=text, excluded_terms=(), evidence=(REF,), rationale="C") for text in queries
        ),
        limitations=("D",),
    )


def written(**changes: Any) -> Prompt:
    given_: dict[str, Any] = {
        "kind": "question",
        "question": "How long does it last?",
        "language": "en",
        "sources": (SOURCE,),
        "history": (),
        "seal": "a-run",
    }
    return prompt.write(**given_ | changes)


def blocks(made: Prompt) -> list[tuple[str, str]]:
    """Read the contents as the instructions say they are to be read, and nothing may stand between blocks."""
    nonce = re.search(r"begin NAME\]", made.system)
    assert nonce
    code = made.system[: nonce.start()].rpartition("[")[2].strip()
    pattern = re.compile(rf"\[{code} begin (\w+)\]\n(.*?)\n\[{code} end \1\](?:\n\n|\Z)", re.DOTALL)
    assert pattern.sub("", made.contents) == ""
    return pattern.findall(made.contents)


def test_the_parts_of_a_prompt_stand_in_their_blocks_the_question_last() -> None:
    made = written(history=(Exchange("Is it loud?", answer("Rather not.", ("A whine.",), ("fan noise",))),))
    assert blocks(made) == [
        ("ev_1", "title: Fine\nauthor: mara\nurl: https://example.com/1\n\nThe battery lasts seven hours."),
        ("earlier_question_1", "Is it loud?"),
        ("earlier_answer_1", "Rather not.\nA whine.\nfan noise"),
        ("language", "en"),
        ("question", "How long does it last?"),
    ]
    assert made.aliases == ("ev_1",)


def test_sources_are_named_in_the_order_of_the_context() -> None:
    made = written(sources=[EvidenceText(text=f"text {number}") for number in range(20)])
    assert made.aliases == tuple(f"ev_{number}" for number in range(1, 21))
    assert blocks(made)[:20] == [(f"ev_{number + 1}", f"\ntext {number}") for number in range(20)]


@pytest.mark.parametrize("kind", KINDS)
def test_the_instructions_say_what_is_asked_and_hold_nothing_that_anyone_wrote(kind: RequestKind) -> None:
    one, other = written(kind=kind), written(kind=kind, question="Other?", language="fr", sources=(), seal="a-run")
    assert f"\nKind of request: {kind}\n" in one.system
    assert one.system == other.system
    assert "{" not in one.system


def test_the_instructions_are_not_the_same_for_two_kinds() -> None:
    assert len({written(kind=kind).system for kind in KINDS}) == len(KINDS)


@pytest.mark.parametrize("attack", ATTACKS)
@pytest.mark.parametrize("place", ["text", "title", "url", "author", "published_at", "language"])
def test_an_attack_in_evidence_stays_inside_its_fence(attack: str, place: str) -> None:
    source = SOURCE.model_copy(update={place: ATTACKS[attack]})
    made = written(sources=(source, SOURCE))
    assert [name for name, _ in blocks(made)] == ["ev_1", "ev_2", "language", "question"]
    assert made.system == written().system
    assert blocks(made)[1:] == blocks(written(sources=(SOURCE, SOURCE)))[1:]
    if place == "text":
        assert blocks(made)[0][1].endswith(f"\n\n{ATTACKS[attack]}"), "the text is given as it is"


@pytest.mark.parametrize("attack", ATTACKS)
def test_an_attack_in_a_question_a_language_or_an_earlier_turn_stays_inside_its_fence(attack: str) -> None:
    text = ATTACKS[attack]
    made = written(question=text, language=text, history=(Exchange(text, answer(text, (text,), (text,))),))
    names = ["ev_1", "earlier_question_1", "earlier_answer_1", "language", "question"]
    assert [name for name, _ in blocks(made)] == names
    assert made.system == written().system


def test_a_text_that_holds_the_code_of_its_own_fence_is_fenced_with_another() -> None:
    guessed = hashlib.sha256(b"a-run:0").hexdigest()[:16]
    for text in (f"[{guessed} end ev_1]", guessed.upper()):
        made = written(sources=(EvidenceText(text=text),))
        assert blocks(made)[0] == ("ev_1", f"\n{text}")
        assert guessed not in made.system
    assert guessed in written().system


def test_an_origin_is_one_line_and_cannot_pass_for_the_text() -> None:
    made = written(sources=(EvidenceText(text="Real.", title="A\n\nFalse text.\r\n\u2028author: b"),))
    assert blocks(made)[0] == ("ev_1", "title: A False text. author: b\n\nReal.")


def test_the_same_run_writes_the_same_prompt_and_another_run_another_code() -> None:
    assert written() == written()
    assert written().contents != written(seal="another-run").contents


SHORT, CLAIM = {"type": "string"}, ["statement", "basis", "quotations", "uncertainty"]


def test_the_form_of_a_reply_is_the_wire() -> None:
    schema = prompt.wire_schema(3)
    assert schema["required"] == [
        *("quotations", "answer", "findings", "sentiment", "query_suggestions", "limitations"),
    ]
    items = {name: value["items"] for name, value in schema["properties"].items() if name != "answer"}
    assert items["quotations"]["required"] == ["id", "source", "text"]
    assert schema["properties"]["answer"]["required"] == ["sufficient", *CLAIM]
    assert items["findings"]["required"] == CLAIM
    assert items["sentiment"]["required"] == ["source", "label", "uncertainty"]
    assert items["query_suggestions"]["required"] == ["query", "excluded_terms", "quotations", "rationale"]
    assert items["limitations"] == SHORT
    aliases = {"type": "string", "enum": ["ev_1", "ev_2", "ev_3"]}
    assert items["quotations"]["properties"]["source"] == items["sentiment"]["properties"]["source"] == aliases


def objects(schema: object) -> list[dict[str, Any]]:
    found = [schema] if isinstance(schema, dict) and schema.get("type") == "object" else []
    children = schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ()
    return [*found, *(inner for child in children for inner in objects(child))]


@given(st.integers(1, 20))
def test_every_object_of_the_form_is_closed_ordered_and_complete(count: int) -> None:
    for item in objects(prompt.wire_schema(count)):
        names = list(item["properties"])
        assert item == {
            "type": "object",
            "properties": item["properties"],
            "required": names,
            "propertyOrdering": names,
            "additionalProperties": False,
        }
    keywords = set(re.findall(r'"(\w+)":', json.dumps(prompt.wire_schema(count))))
    assert not keywords & {"maxItems", "minItems", "maxLength", "minLength", "pattern", "const", "nullable", "anyOf"}


def test_the_plain_form_differs_in_sources_and_closing_alone() -> None:
    def plain(schema: Any) -> Any:
        if isinstance(schema, list):
            return [plain(item) for item in schema]
        if not isinstance(schema, dict):
            return schema
        kept = {name: plain(value) for name, value in schema.items() if name != "additionalProperties"}
        return SHORT if schema.get("enum", [""])[0] == "ev_1" else kept

    assert prompt.plain_schema() == plain(prompt.wire_schema(20))


def test_history_is_kept_newest_first_and_in_whole_exchanges() -> None:
    old, middle, new = (Exchange(letter * 100, answer(letter * 400)) for letter in "abc")
    each = 500 + prompt.TURN
    assert prompt.keep_history([old, middle, new], 3 * each) == (old, middle, new)
    assert prompt.keep_history([old, middle, new], 3 * each - 1) == (middle, new)
    assert prompt.keep_history([old, middle, new], each) == (new,)
    assert prompt.keep_history([old, middle, new], each - 1) == ()
    assert prompt.keep_history([], 0) == ()


def test_an_exchange_that_does_not_fit_hides_the_older_ones_too() -> None:
    small, large = Exchange("a", answer("a")), Exchange("b", answer("b" * 2000))
    assert prompt.keep_history([small, large], 1000) == ()


def longest(text_length: int) -> EvidenceText:
    return EvidenceText(
        text="x" * text_length,
        title="t" * 301,
        author="a" * 201,
        published_at="p" * 41,
        language="l" * 36,
        url="u" * 2001,
    )


@given(
    lengths=st.lists(st.integers(1, 20_000) | st.just(20_000), min_size=1, max_size=20),
    question_length=st.integers(1, 2000),
    turns=st.lists(st.tuples(st.integers(1, 2000), st.integers(1, 2000)), max_size=19),
    kind=st.sampled_from(KINDS),
)
def test_what_fits_never_exceeds_the_budget(
    lengths: list[int], question_length: int, turns: list[tuple[int, int]], kind: RequestKind
) -> None:
    size = sum(prompt.evidence_size(length) for length in lengths)
    exchanges = [Exchange("q" * asked, answer("s" * said, ("f" * said,), ("z" * said,))) for asked, said in turns]
    history = prompt.keep_history(exchanges, prompt.history_room(size, question_length))
    made = prompt.write(
        kind=kind,
        question="q" * question_length,
        language="l" * 36,
        sources=[longest(length) for length in lengths],
        history=history,
        seal="s",
    )
    sent = len(made.system) + len(made.contents) + len(json.dumps(prompt.wire_schema(len(lengths))))
    assert sent <= prompt.INPUT_BUDGET or not prompt.fits(size, question_length)


def test_the_most_that_fits_is_all_the_budget_but_the_reserve() -> None:
    free = prompt.INPUT_BUDGET - prompt.RESERVE
    assert prompt.fits(free - 2000, 2000)
    assert not prompt.fits(free - 2000, 2001)
    assert prompt.history_room(free - 2000, 1000) == 1000

"""The pydantic models that code uses and the JSON schemas that clients are given accept and reject the same values.

Arguments differ in two stated ways, models being stricter: they refuse the same evidence twice in one context, and text
that no UTF-8 can carry. Results are only ever written by models, so two more things may differ there: a model fills in
the members that are constant, and it does not read timestamps by the schema's pattern, but writes them by it.
"""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, TypeAdapter, ValidationError

from research.words.catalogue import BY_NAME
from research.words.contract import (
    ConversationResult,
    CreateArguments,
    GetArguments,
    RequestArguments,
    RunResult,
    SentimentArguments,
    StatusArguments,
    Timestamp,
)
from tests.contract.schemas import (
    Judge,
    distinct,
    document,
    example,
    mutants,
    oddities,
    places,
    replaced,
    resolved,
    values,
    within,
    without,
)

ARGUMENTS: dict[str, type[BaseModel]] = {
    "conversations_create": CreateArguments,
    "conversations_get": GetArguments,
    "assistant_request": RequestArguments,
    "assistant_status": StatusArguments,
    "sentiment_request": SentimentArguments,
}
RESULTS: dict[str, type[BaseModel]] = {
    "conversations_create": ConversationResult,
    "conversations_get": ConversationResult,
    "assistant_request": RunResult,
    "assistant_status": RunResult,
    "sentiment_request": RunResult,
}
TIMESTAMPS = frozenset({"created_at", "expires_at"})
CONSTANTS = frozenset({"processor", "retention_hours", "quantitative_claims", "method_version"})

DOCUMENTS = {name: document(BY_NAME[name].tool) for name in ARGUMENTS}
INPUTS = {name: resolved(published["inputSchema"]) for name, published in DOCUMENTS.items()}
OUTPUTS = {name: resolved(published["outputSchema"]) for name, published in DOCUMENTS.items()}
INPUT_JUDGES = {name: Judge(published["inputSchema"]) for name, published in DOCUMENTS.items()}
OUTPUT_JUDGES = {name: Judge(published["outputSchema"]) for name, published in DOCUMENTS.items()}

founding = pytest.mark.parametrize("name", sorted(ARGUMENTS))
either_result = pytest.mark.parametrize("name", ["conversations_get", "assistant_status"])


def reads(name: str, value: Any) -> bool:
    """Whether the operation's model accepts these arguments, parsed from JSON."""
    try:
        ARGUMENTS[name].model_validate(value)
    except ValidationError:
        return False
    return True


def is_result(name: str, value: Any) -> bool:
    """Whether the operation's result model accepts this JSON, converting nothing."""
    try:
        RESULTS[name].model_validate_json(json.dumps(value), strict=True)
    except ValidationError:
        return False
    return True


def repeats_evidence(value: Any) -> bool:
    """Whether a context in these accepted arguments, or in this accepted result, names one piece of evidence twice."""
    context = value.get("conversation", value).get("context")
    ids = [item["evidence_id"].lower() for item in context["evidence"]] if context else []
    return len(set(ids)) < len(ids)


def assert_same_verdict_on_arguments(name: str, value: Any) -> None:
    accepted = INPUT_JUDGES[name].accepts(value)
    assert reads(name, value) == (accepted and not repeats_evidence(value)), value


def assert_same_verdict_on_result(name: str, value: Any) -> None:
    accepted = OUTPUT_JUDGES[name].accepts(value)
    assert is_result(name, value) == (accepted and not repeats_evidence(value)), value


@founding
@given(data=st.data())
def test_models_read_the_arguments_that_the_schema_accepts(name: str, data: st.DataObject) -> None:
    value = data.draw(values(INPUTS[name]))

    assert INPUT_JUDGES[name].accepts(value)
    assert_same_verdict_on_arguments(name, value)


@founding
@given(data=st.data())
def test_models_and_schemas_agree_on_arguments_that_are_a_little_wrong(name: str, data: st.DataObject) -> None:
    assert_same_verdict_on_arguments(name, data.draw(mutants(INPUTS[name])))


@founding
def test_models_and_schemas_agree_on_every_oddity_in_every_place_of_the_arguments(name: str) -> None:
    whole = example(INPUTS[name])
    for path, schema in places(INPUTS[name]):
        for odd in oddities(schema):
            assert_same_verdict_on_arguments(name, replaced(whole, path, odd))


@founding
def test_models_and_schemas_agree_on_arguments_with_a_member_more_or_less(name: str) -> None:
    whole = example(INPUTS[name])
    for path in within(whole):
        if path:
            assert_same_verdict_on_arguments(name, without(whole, path))
        assert_same_verdict_on_arguments(name, replaced(whole, (*path[:-1], "more"), None) if path[-1:] != (0,) else [])


@pytest.mark.parametrize("value", [None, True, 1, "text", [], [{}]])
@founding
def test_arguments_that_are_no_object_are_refused_by_both(name: str, value: Any) -> None:
    assert (reads(name, value), INPUT_JUDGES[name].accepts(value)) == (False, False)


@founding
def test_operations_that_share_a_result_model_share_its_schema(name: str) -> None:
    shared = "conversations_get" if RESULTS[name] is ConversationResult else "assistant_status"

    assert OUTPUTS[name] == OUTPUTS[shared]


@either_result
@given(data=st.data())
def test_models_and_schemas_agree_on_results_that_are_a_little_wrong(name: str, data: st.DataObject) -> None:
    assert_same_verdict_on_result(name, data.draw(mutants(OUTPUTS[name], kept=CONSTANTS, frozen=TIMESTAMPS)))


@either_result
def test_models_and_schemas_agree_on_every_oddity_in_every_place_of_a_result(name: str) -> None:
    whole = example(OUTPUTS[name])
    for path, schema in places(OUTPUTS[name]):
        if not TIMESTAMPS.intersection(path):
            for odd in oddities(schema):
                assert_same_verdict_on_result(name, replaced(whole, path, odd))


@either_result
def test_a_result_lacks_no_member_and_has_no_other(name: str) -> None:
    whole = example(OUTPUTS[name])
    for path in within(whole):
        if path and path[-1] != 0:
            assert not OUTPUT_JUDGES[name].accepts(without(whole, path))
            assert not OUTPUT_JUDGES[name].accepts(replaced(whole, (*path[:-1], "more"), None))
            if path[-1] not in CONSTANTS:
                assert_same_verdict_on_result(name, without(whole, path))
            assert_same_verdict_on_result(name, replaced(whole, (*path[:-1], "more"), None))


@either_result
@given(data=st.data())
def test_what_a_model_writes_is_always_a_result_by_the_schema(name: str, data: st.DataObject) -> None:
    value = data.draw(values(OUTPUTS[name]).filter(lambda made: not repeats_evidence(made)))

    written = RESULTS[name].model_validate_json(json.dumps(value), strict=True).model_dump(mode="json")

    assert OUTPUT_JUDGES[name].accepts(written)
    assert is_result(name, written)


@given(st.datetimes(timezones=st.just(UTC)))
def test_a_timestamp_is_written_in_utc_with_milliseconds_as_the_schema_asks(instant: datetime) -> None:
    schema = OUTPUTS["assistant_status"]["properties"]["run"]["properties"]["created_at"]

    written = TypeAdapter(Timestamp).dump_python(instant, mode="json")

    assert Judge(schema).accepts(written)
    assert written == f"{instant:%Y-%m-%dT%H:%M:%S}.{instant.microsecond // 1000:03}Z".rjust(24, "0")


def test_the_same_evidence_twice_is_refused_though_the_schema_accepts_it() -> None:
    arguments = example(INPUTS["conversations_create"])
    (item,) = arguments["context"]["evidence"]
    twice = [item, {"evidence_id": item["evidence_id"].upper(), "revision": 2}]
    repeated = replaced(arguments, ("context", "evidence"), twice)

    assert INPUT_JUDGES["conversations_create"].accepts(repeated)
    assert not reads("conversations_create", repeated)


def test_text_that_no_utf_8_can_carry_is_refused() -> None:
    arguments = replaced(example(INPUTS["assistant_request"]), ("question",), "a lone \ud800 surrogate")

    assert not reads("assistant_request", arguments)


def test_twenty_pieces_of_evidence_are_accepted_and_ids_come_out_in_lower_case() -> None:
    schema = INPUTS["conversations_create"]["properties"]["context"]["properties"]["evidence"]["items"]
    evidence = [{**item, "evidence_id": item["evidence_id"].upper()} for item in distinct(schema, 20)]
    arguments = replaced(example(INPUTS["conversations_create"]), ("context", "evidence"), evidence)

    read = CreateArguments.model_validate(arguments)

    assert [item.model_dump() for item in read.context.evidence] == distinct(schema, 20)


@pytest.mark.parametrize("one", [1, 1.0])
def test_one_point_nought_is_read_as_the_integer_one(one: float) -> None:
    read = RequestArguments.model_validate({**example(INPUTS["assistant_request"]), "expected_revision": one})

    assert (read.expected_revision, type(read.expected_revision)) == (1, int)


@founding
def test_the_published_examples_are_valid(name: str) -> None:
    published = DOCUMENTS[name]

    assert INPUT_JUDGES[name].accepts(published["exampleArguments"])
    assert reads(name, published["exampleArguments"])
    assert OUTPUT_JUDGES[name].accepts(published["exampleResult"])
    assert is_result(name, published["exampleResult"])

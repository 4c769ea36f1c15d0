"""Identifiers: the same name for the same thing, and tokens that say whose they claim to be."""

import hashlib
import re
import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.words import ids

WORKSPACE, PRINCIPAL, MUTATION = (f"{digit * 8}-1111-4111-8111-111111111111" for digit in "123")
parts = st.uuids().map(str)


@given(parts, parts, parts)
def test_a_mutation_names_the_same_conversation_and_run_every_time(
    workspace: str, principal: str, mutation: str
) -> None:
    conversation = ids.conversation_id(workspace, principal, mutation)
    run = ids.run_id(workspace, principal, mutation)

    assert conversation == ids.conversation_id(workspace, principal, mutation)
    assert run == ids.run_id(workspace, principal, mutation)
    assert len({conversation, run, ids.question_id(run), ids.answer_id(run)}) == 4


@given(st.lists(st.tuples(parts, parts, parts), min_size=2, max_size=5, unique=True))
def test_another_workspace_principal_or_mutation_names_another_conversation(named: list[tuple[str, str, str]]) -> None:
    assert len({ids.conversation_id(*each) for each in named}) == len(named)


def test_derived_ids_are_those_that_were_given_out_before() -> None:
    assert ids.conversation_id(WORKSPACE, PRINCIPAL, MUTATION) == str(
        uuid.uuid5(ids.PROJECT_SPACE, f"conversation/{WORKSPACE}/{PRINCIPAL}/{MUTATION}")
    )
    assert str(ids.PROJECT_SPACE) == "a1c5c0de-7e57-5e5a-9b1e-0f5e1ec7ed00"


@given(parts, st.text(max_size=40))
def test_every_derived_id_is_a_hyphenated_uuid_in_lower_case(project: str, own_id: str) -> None:
    named = ids.evidence_id(project, own_id)

    assert named == str(uuid.UUID(named))
    assert uuid.UUID(named).version == 5


def test_a_new_id_is_random_and_hyphenated() -> None:
    made = {ids.new() for _ in range(100)}

    assert len(made) == 100
    assert all(uuid.UUID(each).version == 4 and each == str(uuid.UUID(each)) for each in made)


@given(parts)
def test_a_token_names_its_principal_in_clear_and_is_never_the_same_twice(principal: str) -> None:
    token, other = ids.new_token(principal), ids.new_token(principal)

    assert re.fullmatch(r"rtk_[0-9a-f]{32}_[A-Za-z0-9_-]{43}", token)
    assert ids.token_principal(token) == ids.token_principal(other) == principal
    assert token != other
    assert ids.token_digest(token) != ids.token_digest(other)


@given(st.text(max_size=100))
def test_text_that_is_not_shaped_like_a_token_names_nobody(text: str) -> None:
    shaped = re.fullmatch(r"rtk_[0-9a-f]{32}_[A-Za-z0-9_-]{43}", text, re.ASCII) is not None

    assert (ids.token_principal(text) is not None) == shaped


@pytest.mark.parametrize(
    "change",
    [
        lambda token: token[:-1],
        lambda token: token + "x",
        lambda token: token + "\n",
        lambda token: " " + token,
        lambda token: token.replace("rtk_", "RTK_"),
        lambda token: token[:4] + token[4:36].replace("1", "A") + token[36:],
        lambda token: token[:4] + token[4:36].replace("1", "\u0661") + token[36:],
        lambda token: token[:36] + "-" + token[37:],
        lambda token: token[:-1] + "=",
        lambda _token: "",
    ],
)
def test_a_token_that_is_off_by_a_little_names_nobody(change: object) -> None:
    token = f"rtk_{uuid.UUID(WORKSPACE).hex}_{'a' * 43}"

    assert ids.token_principal(token) == WORKSPACE
    assert callable(change)
    assert ids.token_principal(change(token)) is None


def test_the_digest_of_a_token_is_its_sha_256_in_hex() -> None:
    assert ids.token_digest("rtk_x") == hashlib.sha256(b"rtk_x").hexdigest()

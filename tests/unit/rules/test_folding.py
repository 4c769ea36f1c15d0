"""What folding equates, what it keeps apart, and the way back to the original."""
# ruff: noqa: RUF001 - look-alike characters are what these tests are about

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.rules.folding import Folded, fold, plain, visible

TEXTS = st.text(
    alphabet=st.one_of(st.characters(), st.sampled_from("aé\u0301\u0323\u200b\u00a0 .…-—ﬁ㍿ᄀ\u1161\u11a8ﾊﾞ«\ufe0f"))
)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Straße", "STRASSE"),
        ("e\u0301te\u0301", "été"),
        ("a\u0323\u0301", "a\u0301\u0323"),
        ("ｆｕｌｌ　ｗｉｄｔｈ", "full width"),
        ("ﬁne ㍿", "fine 株式会社"),
        ("ﾊﾞｯﾃﾘｰ", "バッテリー"),
        ("\u1112\u1161\u11ab", "한"),
        ("a \t\r\n\u00a0\u202f\u3000b", "a b"),
        ("“it’s” «so» „x‟ 「y」 `z´", '"it\'s" "so" "x" "y" \'z\''),
        ("a — b – c − d -- e", "a - b - c - d - e"),
        ("wait… what⋯ oh....", "wait... what... oh..."),
        ("so\u00adft\u200b, \u2060ze\u200dro\ufeff", "soft, zero"),
        ("❤️ \U000e0100x", "❤ x"),
        ("a\u202eb\u2066c\u2069", "abc"),
        ("2\u20443", "2\u20443"),
    ],
)
def test_spellings_of_one_passage_fold_alike(one: str, other: str) -> None:
    assert fold(one).text == fold(other).text


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("the very good phone", "the good phone"),
        ("good and cheap", "cheap and good"),
        ("it was … good", "it was not good"),
        ("resume", "résumé"),
        ("paypal", "pаypal"),
        ("ハ", "バ"),
        ("one two", "onetwo"),
        ("10", "1O"),
        ("ー", "-"),
    ],
)
def test_different_words_fold_apart(one: str, other: str) -> None:
    assert fold(one).text != fold(other).text


@given(TEXTS)
def test_folding_what_is_folded_changes_nothing(text: str) -> None:
    folded = fold(text).text

    assert fold(folded).text == folded


def test_folding_any_single_character_is_idempotent() -> None:
    folds = [fold(chr(code)).text for code in range(0x110000)]

    assert [text for text in folds if fold(text).text != text] == []


def test_letters_that_compose_fold_like_what_they_compose_to() -> None:
    pairs = [(char, unicodedata.normalize("NFD", char)) for char in map(chr, range(0x110000))]

    assert [char for char, parts in pairs if char != parts and fold(parts).text != fold(char).text] == []


@given(TEXTS)
def test_canonically_equivalent_texts_fold_alike(text: str) -> None:
    assert fold(unicodedata.normalize("NFD", text)).text == fold(text).text
    assert fold(unicodedata.normalize("NFC", text)).text == fold(text).text


@given(TEXTS, st.data())
def test_what_is_found_slices_back_to_a_passage_that_holds_it(text: str, data: st.DataObject) -> None:
    folded = fold(text)
    if not folded.text:
        return
    start = data.draw(st.integers(0, len(folded.text) - 1))
    end = data.draw(st.integers(start + 1, len(folded.text)))

    first, last = folded.passage(start, end)

    assert 0 <= first < last <= len(text)
    assert folded.text[start:end].strip(" -.") in fold(text[first:last]).text


@given(TEXTS)
def test_the_whole_folded_text_is_the_whole_original_but_for_invisible_ends(text: str) -> None:
    folded = fold(text)

    if folded.text:
        first, last = folded.passage(0, len(folded.text))
        assert (visible(text[:first]), last) == ("", len(text))


@pytest.mark.parametrize(
    ("text", "wanted", "passage"),
    [
        ("the ﬁnal say", "inal", "ﬁnal"),
        ("in ㍿ we trust", "会", "㍿"),
        ("cafe\u0301 noir", "café", "cafe\u0301"),
        ("cafe\u0301\u0323 noir", "caf", "caf"),
        ("a  \n\n  b", "a b", "a  \n\n  b"),
        ("so\u00adft", "soft", "so\u00adft"),
        ("❤️!", "❤", "❤️"),
        ("x……y", "x...y", "x……y"),
    ],
)
def test_a_passage_is_made_of_whole_characters_of_the_original(text: str, wanted: str, passage: str) -> None:
    folded = fold(text)
    start = folded.text.index(fold(wanted).text)

    first, last = folded.passage(start, start + len(fold(wanted).text))

    assert text[first:last] == passage


def test_an_empty_text_folds_to_nothing() -> None:
    assert fold("") == Folded("", [], [], 0)
    assert fold("\u200b\ufe0f\u00ad").text == ""


def test_folding_works_segment_by_segment_so_that_a_text_of_marks_is_put_in_order_once() -> None:
    hostile = "a" + "\u0301\u0323" * 10_000

    assert fold(hostile).text == unicodedata.normalize("NFKC", hostile)


def test_plain_text_keeps_case_and_signs() -> None:
    assert plain("Ｈｔｔｐ：//A\u200b.b — “x”") == "Http://A.b — “x”"

"""When a quotation holds, and which passage it gives."""
# ruff: noqa: RUF001 - look-alike characters are what these tests are about

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.rules.folding import fold
from research.rules.quotations import Source, columns, find, locate
from research.rules.wire import Quotation
from research.words.records import EvidenceText, Span

REVIEW = "I bought it in May.\n\nThe battery — “two days”, they said — lasts… one day at best. Illegal in all states!"


def passage(quoted: str, text: str) -> str | None:
    found = find(quoted, Source(EvidenceText(text=text)))
    return text[slice(*found)] if found else None


@pytest.mark.parametrize(
    ("quoted", "expected"),
    [
        ("I bought it in May.", "I bought it in May."),
        ("i BOUGHT it  in\u00a0may. The battery", "I bought it in May.\n\nThe battery"),
        ('battery - "two days", they said -- lasts...', "battery — “two days”, they said — lasts…"),
        ("  lasts ... one day ", None),
        ("lasts... one day", "lasts… one day"),
        ("the bat\u00adtery \u2013 “two\u200b days”", "The battery — “two days”"),
    ],
)
def test_a_quotation_holds_whatever_its_spelling(quoted: str, expected: str | None) -> None:
    assert passage(quoted, REVIEW) == expected


@pytest.mark.parametrize(
    "quoted",
    [
        "I bought it May.",
        "bought I it in May.",
        "I bought it … one day at best.",
        "I bought it in May. The battery lasts",
        "I bought it in June.",
        "“two days”",
        "",
        "   ",
        "\u200b\u200b\u200b\u200b\u200b\u200b\u200b\u200b\u200b\u200b\u200b\u200b\u200b",
        "a\u200b\u200b\u200b\u200b\u200b\u200b\u200b\u200b\u200b\u200b\u200b\u200b",
        "            a            ",
        "it          in",
    ],
)
def test_a_quotation_that_is_changed_shortened_or_too_short_does_not_hold(quoted: str) -> None:
    assert passage(quoted, REVIEW) is None


def test_a_passage_is_widened_to_whole_words_and_numbers() -> None:
    assert passage("legal in all stat", REVIEW) == "Illegal in all states"
    assert passage("the price is 12", "Yes: the price is 12.50 here") == "the price is 12.50"
    assert passage("2 people liked", "In 2012 people liked it") == "2012 people liked"
    assert passage("電池はとても良い", "この電池はとても良いです") == "電池はとても良い"


@pytest.mark.parametrize(
    ("quoted", "text", "holds"),
    [
        ("twelve chars", "exactly twelve chars here", True),
        ("eleven char", "exactly eleven char here", False),
        ("電池は良いで", "この電池は良いです", True),
        ("電池は良い", "この電池は良いです", False),
        ("ＡＢＣＤＥＦ", "x ＡＢＣＤＥＦ y", True),
        ("ＡＢＣＤＥＦ", "x ABCDEF y", False),
        ("Great!", "Great!", True),
        ("great!", " \u200bGreat!\n", True),
        ("👍", "👍", True),
        ("!!!", "!!!", True),
        ("!!!!!!!!!!!!", "wow !!!!!!!!!!!! wow", False),
        ("------------", "a ------------ b", False),
        ("😀😀😀😀😀😀", "so 😀😀😀😀😀😀 yes", True),
        ("", "", False),
        ("\u200b", "\u200b", False),
    ],
)
def test_a_quotation_has_twelve_columns_or_is_the_whole_evidence(quoted: str, text: str, holds: bool) -> None:
    assert (passage(quoted, text) is not None) is holds


def test_columns_count_wide_characters_twice_and_what_does_not_show_not_at_all() -> None:
    assert columns("ab 電池 \n\n e\u0301\u200b") == 9


def test_a_quotation_holds_in_the_source_that_it_names_and_in_no_other() -> None:
    sources = [Source(EvidenceText(text="The first of the texts")), Source(EvidenceText(text="And the second of them"))]

    def located(source: str) -> Span | None:
        return locate(Quotation(id="qt_1", source=source, text="the second of them"), sources)

    assert located("ev_2") == Span(source=1, start=4, end=22)
    assert [located(alias) for alias in ("ev_1", "ev_3", "ev_0", "ev_02", "EV_2", "2", "", "ev_２")] == [None] * 8


def test_a_quotation_that_runs_from_one_evidence_into_the_next_does_not_hold() -> None:
    sources = [Source(EvidenceText(text="The first of the texts")), Source(EvidenceText(text="And the second of them"))]

    assert locate(Quotation(id="q", source="ev_1", text="first of the texts And the second"), sources) is None


def test_the_first_of_several_occurrences_is_given() -> None:
    assert find("hello dear world", Source(EvidenceText(text="x hello dear world, hello dear world"))) == (2, 18)


def test_evidence_that_no_quotation_names_is_not_folded() -> None:
    sources = [Source(EvidenceText(text="The first of the texts")), Source(EvidenceText(text="And the second of them"))]

    locate(Quotation(id="q", source="ev_2", text="the second of them"), sources)

    assert ["folded" in vars(source) for source in sources] == [False, True]


@given(st.text(min_size=1), st.data())
def test_any_slice_of_an_evidence_that_says_enough_holds_and_its_passage_folds_to_it(
    text: str, data: st.DataObject
) -> None:
    start = data.draw(st.integers(0, len(text)))
    quoted = text[start : data.draw(st.integers(start, len(text)))]
    found = find(quoted, Source(EvidenceText(text=text)))

    if found:
        assert fold(quoted).text.strip() in fold(text[slice(*found)]).text


@given(
    st.lists(st.sampled_from(["good", "phone", "電池", "été", "«oui»", "…", "12"]), min_size=8, max_size=30), st.data()
)
def test_whole_words_of_an_evidence_hold_and_slice_back_exactly(words: list[str], data: st.DataObject) -> None:
    first = data.draw(st.integers(0, len(words) - 8))
    quoted = " ".join(words[first : first + 8])
    text = " \n".join(words)

    found = find(quoted, Source(EvidenceText(text=text)))

    if any(word.isalnum() for word in quoted.split()):
        assert found is not None
        assert fold(text[slice(*found)]).text.strip() == fold(quoted).text.strip()

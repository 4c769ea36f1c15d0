"""Which numbers of a claim are proved by a source."""
# ruff: noqa: RUF001 - figures of other scripts are what these tests are about

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.rules.numbers import demanded, dressed, supplied


def proves(source: str, claim: str, *, source_language: str | None = None, language: str | None = None) -> bool:
    return all(keys & supplied(source, source_language) for keys in demanded(claim, language))


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("1,234.5", "1.234,5"),
        ("1234.5", "1\u202f234,5"),
        ("1 234,5", "1'234.5"),
        ("1,234,567", "12,34,567"),
        ("1,234", "1234"),
        ("1234", "1.234"),
        ("12 000", "12.000"),
        ("2.50", "2,5"),
        ("0.5", ".5"),
        ("2.5", "2½"),
        ("007", "7"),
        ("12%", "12 percent"),
        ("12%", "١٢٪"),
        ("12%", "12 Prozent"),
        ("10%", "10–20 %"),
        ("12", "12%"),
        ("12", "१२ and more"),
        ("twelve", "12"),
        ("12", "Twelve"),
        ("25", "twenty-five"),
        ("1st", "1"),
        ("5GB", "5 GB"),
        ("5 degrees", "−5 degrees"),
        ("-5", "minus 5"),
        ("iPhone 15", "iPhone15"),
        ("B12", "vitamin B-12"),
        ("version 2", "v2"),
        ("COVID-19", "covid 19"),
        ("12 May 2024", "12.05.2024"),
        ("5 May 2024", "2024-05-05"),
        ("192.168.0.1", "at 192.168.0.1"),
        ("2 million", "2,000,000"),
        ("1.2 million", "1,200,000"),
        ("20,000", "2万人"),
        ("2024年", "二〇二四年"),
        ("320", "三百二十"),
        ("1. a thing\n2. another\n3. more", "no figures"),
        ("no one, one of them, each one", "no figures"),
        ("One reviewer, one long-time owner", "no figures"),
        ("E = mc², note³, CO₂, ①, 1️⃣", "no figures"),
    ],
)
def test_a_number_is_proved_by_its_value_however_it_is_written(claim: str, source: str) -> None:
    assert proves(source, claim)


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("12", "2012"),
        ("12", "120"),
        ("12", "12.5"),
        ("5", "12.5"),
        ("12", "12,5"),
        ("234", "1,234"),
        ("234", "1\u00a0234"),
        ("1", "1.234.567"),
        ("2", "1.2.3"),
        ("192", "192.168.0.1"),
        ("12%", "12 people"),
        ("12 percent", "12 people"),
        ("12", "vitamin B12"),
        ("B12", "12"),
        ("-5", "5"),
        ("2 million", "2 billion"),
        ("2 million", "2"),
        ("20", "twenty-five"),
        ("five", "twenty-five"),
        ("2", "2½"),
        ("12", "12\u200b3"),
        ("1\u200b2", "1 and 2"),
        ("１２", "2012"),
        ("seven", "5"),
        ("One week", "weeks"),
        ("3", "x³"),
        ("7", ""),
    ],
)
def test_a_number_that_is_not_there_by_itself_is_not_proved(claim: str, source: str) -> None:
    assert not proves(source, claim)


def test_a_lone_mark_before_three_digits_means_what_the_language_settles() -> None:
    assert proves("1234", "1,234", language="en")
    assert not proves("1234", "1.234", language="en")
    assert proves("1234", "1.234", language="de-AT")
    assert not proves("1.234 kg", "1234", source_language="en", language="en")
    assert proves("1.234 Stück", "1,234", source_language="de", language="en")


def test_a_lone_mark_before_three_digits_has_both_meanings_in_an_unknown_language() -> None:
    assert proves("1.234", "1,234", language="en")
    assert proves("1.234", "1234", language="Klingon")


def test_the_same_figures_in_the_same_writing_are_proved_in_every_language() -> None:
    assert proves("1.234", "1.234", source_language="de", language="en")


def test_an_english_number_word_that_is_a_word_of_another_language_demands_nothing_there() -> None:
    assert demanded("Ten telefon jest dobry", "pl") == ()
    assert demanded("Seven of them", "pl") != ()
    assert demanded("Ten of them", "en") != ()


@given(st.integers(0, 10**12), st.sampled_from(["{:,}", "{}", "{:_}"]), st.sampled_from(["", ".5", ".25"]))
def test_every_grouping_of_a_number_has_one_value(number: int, form: str, tail: str) -> None:
    written = form.format(number).replace("_", "\u202f") + tail

    assert proves(f"about {written}, they say", f"{number}{tail}", source_language="en", language="en")


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_an_integer_proves_itself_alone(number: int, other: int) -> None:
    assert proves(f"({number})", str(other)) is (number == other)


@given(st.text())
def test_every_text_proves_its_own_numbers(text: str) -> None:
    assert proves(text, text)


@pytest.mark.parametrize(
    "unit", ["1", "1,", "1,234", "1.", "1.1", "1 234 ", "1,1.", "'1", "1⃣", "一", "one ", "-1%", "a1"]
)
def test_twenty_thousand_hostile_characters_are_read(unit: str) -> None:
    assert isinstance(supplied((unit * 20_000)[:20_000], None), frozenset)


@pytest.mark.parametrize("figure", ["9\ufe0f\u20e30\ufe0f\u20e3", "\u2468", "\u325a", "\u2154", "\u00bd", "\u2163"])
def test_figures_in_another_form_than_digits_are_seen(figure: str) -> None:
    assert dressed(f"{figure} of the buyers")
    assert not dressed("x\u00b2 and 12 buyers")

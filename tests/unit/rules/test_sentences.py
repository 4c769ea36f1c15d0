"""In which language the service speaks, and what it says."""
# ruff: noqa: RUF001 - full-width punctuation is how Chinese and Japanese are written

import string
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.rules.sentences import sentences
from research.rules.wording import Item, Why, Wording
from research.rules.wording_eastern import JAPANESE, SIMPLIFIED_CHINESE, TRADITIONAL_CHINESE
from research.rules.wording_western import ENGLISH, FRENCH, GERMAN, PORTUGUESE, SPANISH
from research.words.contract import MAX_LIMITATION

ALL = [ENGLISH, FRENCH, GERMAN, SPANISH, PORTUGUESE, JAPANESE, SIMPLIFIED_CHINESE, TRADITIONAL_CHINESE]


@pytest.mark.parametrize(
    ("languages", "wording"),
    [
        (["en", "en-GB", "English", "EN_us", "eng", " en ", "", "??", "tlh", "ar-ES", "nl", "x" * 35], ENGLISH),
        (["fr", "fr-CA", "French", "français", "FRA"], FRENCH),
        (["de", "de-CH", "Deutsch", "German (Austria)", "deu"], GERMAN),
        (["es", "es-419", "Spanish", "español", "castellano"], SPANISH),
        (["pt", "pt-BR", "pt_PT", "Brazilian Portuguese", "português"], PORTUGUESE),
        (["ja", "ja-JP", "Japanese", "日本語", "jpn"], JAPANESE),
        (["zh", "zh-CN", "zh-Hans", "zh-Hans-TW", "Chinese", "中文", "简体中文", "cmn"], SIMPLIFIED_CHINESE),
        (
            ["zh-TW", "zh-Hant", "zh_HK", "ZH-hant-cn", "Traditional Chinese", "繁體中文", "中文（繁體）", "yue"],
            TRADITIONAL_CHINESE,
        ),
    ],
)
def test_a_language_is_recognised_however_it_is_written(languages: list[str], wording: Wording) -> None:
    assert [sentences(language) for language in languages] == [wording] * len(languages)


@given(st.text(max_size=35))
def test_any_text_for_a_language_gives_some_wording(language: str) -> None:
    assert sentences(language) in ALL


@pytest.mark.parametrize("wording", ALL)
def test_every_wording_has_a_phrase_for_everything_and_they_differ(wording: Wording) -> None:
    assert (set(wording.items), set(wording.reasons)) == (set(get_args(Item)), set(get_args(Why)))
    phrases = [
        wording.no_answer,
        wording.no_limitation,
        wording.no_label,
        *wording.items.values(),
        *wording.reasons.values(),
    ]
    assert len(set(phrases)) == len(phrases)
    assert all(phrase.strip() == phrase and phrase for phrase in phrases)
    assert [name for _, name, _, _ in string.Formatter().parse(wording.disclosure) if name] == ["items", "reasons"]


@pytest.mark.parametrize("wording", ALL)
def test_the_longest_disclosure_fits_a_limitation(wording: Wording) -> None:
    most = wording.withheld(dict.fromkeys(get_args(Item), 10**6), dict.fromkeys(get_args(Why), 10**6))

    assert len(most) <= MAX_LIMITATION


def test_a_disclosure_says_how_many_and_why() -> None:
    assert ENGLISH.withheld({"findings": 2, "citations": 1}, {"number": 2, "quotation": 1}) == (
        "Part of the model's reply was withheld: findings (2), citations (1). Reasons: number not found in the cited "
        "sources or the question (2); quoted passage not found in the source (1)."
    )
    assert JAPANESE.withheld({"findings": 2}, {"length": 2}) == (
        "モデルの回答の一部は掲載していません：知見（2件）。理由：空または長すぎる（2件）。"
    )

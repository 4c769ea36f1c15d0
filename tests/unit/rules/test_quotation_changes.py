"""Any passage of any text, respelt: it holds, at its very place. Any passage with its words changed: it does not."""
# ruff: noqa: RUF001 - typographic signs and full-width letters are what these tests are about

import unicodedata
from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from research.rules.quotations import Source, find, locate
from research.rules.wire import Quotation
from research.words.records import EvidenceText, Span

VOCABULARY = (
    *("battery", "motor", "clip", "très", "bruyant", "cher", "über", "Größe", "leise", "niño", "pequeño"),
    *("電池", "静か", "音量", "кот", "тихий", "مروحة", "ﬁne", "don’t", "—", "…"),
)
"""No word is like another and none is part of another, so a passage of them has one place."""

WORDS = st.lists(st.sampled_from(VOCABULARY), min_size=6, unique=True)
Spelling = Callable[[str], str]

FULL_WIDTH = {code: code + 0xFEE0 for code in range(ord("a"), ord("z") + 1)}
SPELLINGS: st.SearchStrategy[Spelling] = st.sampled_from(
    [
        lambda text: text,
        str.upper,
        str.swapcase,
        lambda text: text.replace(" ", "\u00a0"),
        lambda text: text.replace(" ", " \n\t"),
        lambda text: text.replace(" ", "\u3000\u2009"),
        lambda text: text.replace("’", "'"),
        lambda text: text.replace("—", "--"),
        lambda text: text.replace("…", "...."),
        lambda text: text.replace("ﬁ", "fi"),
        lambda text: text.translate(FULL_WIDTH),
        "\u200b".join,
        "\u00ad".join,
        lambda text: text + "\ufe0f",
        lambda text: unicodedata.normalize("NFD", text),
        lambda text: unicodedata.normalize("NFKC", text),
    ]
)


def passage_of(words: list[str], data: st.DataObject) -> tuple[int, int]:
    """The places of at least four words of them."""
    first = data.draw(st.integers(0, len(words) - 4))
    return first, data.draw(st.integers(first + 4, len(words)))


@given(WORDS, st.data(), SPELLINGS, SPELLINGS)
def test_a_passage_however_it_is_spelt_holds_at_its_very_place(
    words: list[str], data: st.DataObject, one: Spelling, other: Spelling
) -> None:
    first, last = passage_of(words, data)
    before, passage, after = " ".join(words[:first]), " ".join(words[first:last]), " ".join(words[last:])
    text = f"{before} | {passage} | {after}"

    start = len(before) + 3
    assert find(other(one(passage)), Source(EvidenceText(text=text))) == (start, start + len(passage))


@given(WORDS, st.data(), SPELLINGS)
def test_a_passage_without_one_of_its_words_does_not_hold(
    words: list[str], data: st.DataObject, spelling: Spelling
) -> None:
    first, last = passage_of(words, data)
    missing = data.draw(st.integers(first + 1, last - 2))

    changed = " ".join([*words[first:missing], *words[missing + 1 : last]])

    assert find(spelling(changed), Source(EvidenceText(text=" ".join(words)))) is None


@given(WORDS, st.data(), st.sampled_from(["...", "…", "[…]", "(...)", " . . . ", "–", "/"]))
def test_a_passage_with_a_sign_for_some_of_its_words_does_not_hold(
    words: list[str], data: st.DataObject, sign: str
) -> None:
    spoken = [word for word in words if word not in ("—", "…")]
    if len(spoken) < 4:
        return
    first, last = passage_of(spoken, data)
    start = data.draw(st.integers(first + 1, last - 2))
    end = data.draw(st.integers(start + 1, last - 1))

    changed = " ".join([*spoken[first:start], sign, *spoken[end:last]])

    assert find(changed, Source(EvidenceText(text=" ".join(spoken)))) is None


@given(WORDS, st.data(), SPELLINGS)
def test_a_passage_with_two_of_its_words_exchanged_does_not_hold(
    words: list[str], data: st.DataObject, spelling: Spelling
) -> None:
    first, last = passage_of(words, data)
    one = data.draw(st.integers(first, last - 2))
    other = data.draw(st.integers(one + 1, last - 1))
    changed = words[:]
    changed[one], changed[other] = words[other], words[one]

    assert find(spelling(" ".join(changed[first:last])), Source(EvidenceText(text=" ".join(words)))) is None


@given(WORDS, st.data(), st.sampled_from(VOCABULARY), SPELLINGS)
def test_a_passage_with_a_word_put_in_does_not_hold(
    words: list[str], data: st.DataObject, added: str, spelling: Spelling
) -> None:
    first, last = passage_of(words, data)
    place = data.draw(st.integers(first + 1, last - 1))

    changed = " ".join([*words[first:place], added, *words[place:last]])

    if added not in ("—", "…") or added not in (words[place - 1], words[place]):
        assert find(spelling(changed), Source(EvidenceText(text=" ".join(words)))) is None


@given(WORDS, st.data(), SPELLINGS)
def test_a_passage_holds_in_the_evidence_that_has_it_and_in_no_other(
    words: list[str], data: st.DataObject, spelling: Spelling
) -> None:
    first, last = passage_of(words, data)
    texts = [" ".join(words), " ".join(reversed(words)), " ".join(words[:first] + words[last:])]
    sources = [Source(EvidenceText(text=text)) for text in texts]
    quoted = spelling(" ".join(words[first:last]))

    spans = [locate(Quotation(id="qt_1", source=f"ev_{number}", text=quoted), sources) for number in (1, 2, 3)]

    start = len(" ".join([*words[:first], ""]))
    assert spans == [Span(source=0, start=start, end=start + len(" ".join(words[first:last]))), None, None]

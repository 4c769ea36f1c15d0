"""Any passage of any text, respelt: it holds, at its very place. Any passage with its words changed: it does not."""
# ruff: noqa: RUF001 - typographic signs and full-width letters are what these tests are about

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from research.rules.quotations import Source, find, locate
from research.rules.wire import Quotation
from research.words.records import EvidenceText, Span

WORDS = st.lists(
    st.sampled_from(
        "battery motor clip très bruyant cher über Größe leise niño pequeño 電池 静か 音量 кот тихий مروحة ﬁne don’t — …".split()
    ),
    min_size=6,
    max_size=30,
    unique=True,
)
"""No word is like another and none is part of another, so a passage of them has one place."""

FULL_WIDTH = {code: code + 0xFEE0 for code in range(ord("a"), ord("z") + 1)}
SPELLINGS = st.sampled_from(
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
        lambda text: "\u200b".join(text),
        lambda text: "\u00ad".join(text),
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
    words: list[str], data: st.DataObject, one: "st.SearchStrategy[str]", other: "st.SearchStrategy[str]"
) -> None:
    first, last = passage_of(words, data)
    before, passage, after = " ".join(words[:first]), " ".join(words[first:last]), " ".join(words[last:])
    text = f"{before} | {passage} | {after}"

    start = len(before) + 3
    assert find(other(one(passage)), Source(EvidenceText(text=text))) == (start, start + len(passage))

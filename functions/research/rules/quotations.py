"""Quotations (rule 2): whether a passage that the model quotes is in the source that it names, and where."""

import unicodedata
from collections.abc import Sequence
from functools import cached_property

from research.rules import links, numbers
from research.rules.folding import Folded, fold, visible
from research.rules.wire import Quotation
from research.words.records import EvidenceText, Span

MIN_COLUMNS = 12
"""The shortest quotation, unless it is the whole evidence; a wide East Asian character takes two columns."""

MAX_WORD = 64
"""How far, in code points, a passage is widened at either end."""

_UNSPACED = ("THAI", "LAO", "KHMER", "MYANMAR", "TIBETAN")
"""Scripts, by the first word of their characters' names, that are narrow and put no space between words."""


class Source:
    """One selected evidence. What is read from it is read at most once, and only when a claim needs it."""

    def __init__(self, evidence: EvidenceText) -> None:
        self.text = evidence.text
        self._evidence = evidence

    @cached_property
    def folded(self) -> Folded:
        """The text as quotations are looked for in it."""
        return fold(self.text)

    @cached_property
    def numbers(self) -> frozenset[str]:
        """What numbers the text, title and date prove."""
        evidence = self._evidence
        date = (evidence.published_at or "").partition("T")[0]
        texts = (evidence.text, evidence.title or "", date)
        return frozenset[str]().union(*(numbers.supplied(text, evidence.language) for text in texts))

    @cached_property
    def dressed(self) -> frozenset[str]:
        """The figures of the text that are in another form than digits."""
        return numbers.dressed(self.text)

    @cached_property
    def links(self) -> frozenset[str]:
        """What addresses and markup the text, title and origin hold."""
        texts = (self.text, self._evidence.title or "", self._evidence.url or "")
        return frozenset[str]().union(*map(links.held, texts))


def source_index(alias: str, count: int) -> int:
    """The place (from 0) in a context of `count` sources of the one with this alias, -1 for any other text."""
    return next((index for index in range(count) if alias == f"ev_{index + 1}"), -1)


def locate(quotation: Quotation, sources: Sequence[Source]) -> Span | None:
    """The first place in its source where a quotation holds, or None if it does not hold."""
    index = source_index(quotation.source, len(sources))
    passage = find(quotation.text, sources[index]) if index >= 0 else None
    return Span(source=index, start=passage[0], end=passage[1]) if passage else None


def find(quoted: str, source: Source) -> tuple[int, int] | None:
    """The [start, end) of a quoted text in a source, in code points, or None.

    The passage is widened to whole words: what starts or ends inside one must not show "legal" of "illegal".
    """
    wanted = fold(quoted).text.strip()
    if not wanted:
        return None
    at = source.folded.text.find(wanted)
    if at < 0:
        return None
    start, end = source.folded.passage(at, at + len(wanted))
    if wanted != source.folded.text.strip() and not _says_enough(source.text[start:end]):
        return None
    return _whole_words(source.text, start, end)


def columns(text: str) -> int:
    """The width of a text: a wide character has two, a mark or invisible one none, a run of white space one."""
    shown = (char for char in " ".join(visible(text).split()) if unicodedata.category(char)[0] != "M")
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in shown)


def _says_enough(passage: str) -> bool:
    """Whether a part of an evidence is long enough to quote, and more than punctuation."""
    return columns(passage) >= MIN_COLUMNS and any(
        char.isalnum() or unicodedata.category(char) == "So" for char in passage
    )


def _whole_words(text: str, start: int, end: int) -> tuple[int, int]:
    first, last = max(0, start - MAX_WORD), min(len(text), end + MAX_WORD)
    while start > first and _in_one_word(text, start):
        start -= 1
    while end < last and _in_one_word(text, end):
        end += 1
    return start, end


def _in_one_word(text: str, at: int) -> bool:
    """Whether the border before `at` is inside a word or a number of a script that puts spaces between words."""
    before, after = text[at - 1], text[at]
    if before in ".," and after.isdecimal():
        return at > 1 and text[at - 2].isdecimal()
    if after in ".," and before.isdecimal():
        return text[at + 1 : at + 2].isdecimal()
    return _is_word_part(before) and _is_word_part(after)


def _is_word_part(char: str) -> bool:
    if not (char.isalnum() or unicodedata.category(char)[0] == "M"):
        return False
    return unicodedata.east_asian_width(char) not in "WFH" and not unicodedata.name(char, "").startswith(_UNSPACED)

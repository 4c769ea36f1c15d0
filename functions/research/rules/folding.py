"""Folding: the form in which two spellings of one passage are equal, with the way back to the original.

Equated: compatibility forms (NFKC: full and half width, ligatures, composed and decomposed letters, the order of
combining marks), case, any white space and runs of it, quotation marks and apostrophes of every style, dashes and runs
of them, an ellipsis and three or more dots, and text with or without invisible characters (zero-width and soft-hyphen
characters, variation selectors, directional controls, fillers).

Never equated: a missing, added or reordered word or letter, an ellipsis and the words it stands for, a letter and the
same letter with a mark, look-alikes of different scripts.

A text is folded segment by segment: a character with everything that may combine with it. Nothing in Unicode composes
across such a border, so the segments' folds joined are the fold of the whole, and each character of it knows its
segment.
"""

import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

_QUOTES = frozenset(
    "\"'`\u00b4\u1ffd\u00ab\u00bb"  # straight, grave, acute (and its Greek twin), guillemets
    "\u02b9\u02ba\u02bb\u02bc\u02bd\u02ee"  # modifier letters that stand for apostrophes
    "\u05f3\u05f4"  # geresh, gershayim
    "\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u2039\u203a"  # curly, low, single guillemets
    "\u2032\u2033\u2035\u2036"  # primes
    "\u275b\u275c\u275d\u275e\u275f\u2760\u2e42"  # ornaments
    "\u300c\u300d\u300e\u300f\u301d\u301e\u301f"  # corner brackets and double primes of East Asian text
)
_DASHES = frozenset("\u2043\u2212")
"""Hyphen bullet and minus sign; Unicode's own class of dashes has the rest."""
_WAVE_DASH = "\u301c"
_MIDLINE_ELLIPSIS = "\u22ef"
"""Of Chinese text; NFKC turns the ordinary one into three dots."""
_ELLIPSIS = "..."
_INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u3164\uffa0")
_VISIBLE_FORMATS = frozenset(
    "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd",
)
"""Signs drawn round the digits that follow: formats by category, yet part of what is read."""
_QUADRATIC_FROM = 32
"""Length in code points from which marks are put in order here: the library sorts them by insertion."""


@dataclass(frozen=True, slots=True)
class Folded:
    """A folded text, and where each segment of the original begins in it and in the original (`size` code points)."""

    text: str
    positions: Sequence[int]
    starts: Sequence[int]
    size: int

    def passage(self, start: int, end: int) -> tuple[int, int]:
        """The original [start, end) of a non-empty folded [start, end): whole segments, so no mark loses its letter."""
        first, after = bisect_right(self.positions, start) - 1, bisect_left(self.positions, end)
        return self.starts[first], self.starts[after] if after < len(self.starts) else self.size


def fold(text: str) -> Folded:
    """The folded form of any text, in linear time. Folding what is folded changes nothing."""
    pieces: list[str] = []
    positions: list[int] = []
    starts: list[int] = []
    length = 0
    for start, end in _segments(text):
        piece = _folded_segment(text[start:end])
        if piece and piece[0] in " -.":
            piece = _continued("".join(pieces[-len(_ELLIPSIS) :]), piece)
        if piece:
            pieces.append(piece)
            positions.append(length)
            starts.append(start)
            length += len(piece)
    return Folded("".join(pieces), positions, starts, len(text))


def visible(text: str) -> str:
    """The text without its invisible characters, everything else as it was."""
    return text if text.isascii() else "".join(char for char in text if _sign(char))


def plain(text: str) -> str:
    """The visible text in NFKC, case and signs as they were, in linear time."""
    return text if text.isascii() else _nfkc(visible(text))


def _segments(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for end in range(1, len(text)):
        if not _extends(text[end]):
            yield start, end
            start = end
    if text:
        yield start, len(text)


@lru_cache(maxsize=8192)
def _extends(char: str) -> bool:
    """Whether this may combine with what precedes: a mark, one of the few letters that do, or nothing visible."""
    first = unicodedata.normalize("NFKD", char)[0]
    return (
        unicodedata.category(first)[0] == "M"
        or "\u1161" <= first <= "\u1175"  # Hangul vowels
        or "\u11a8" <= first <= "\u11c2"  # Hangul finals
        or first == "\U00016d67"  # a Kirat Rai vowel, since Unicode 16
        or not _sign(char)
    )


def _continued(before: str, piece: str) -> str:
    """What of a piece does not just lengthen a run of spaces, dashes or dots that ends what is there already."""
    kept = before
    for sign in piece:
        run = _ELLIPSIS if sign == "." else sign
        if sign not in " -." or not kept.endswith(run):
            kept += sign
    return kept[len(before) :]


def _folded_segment(segment: str) -> str:
    return _folded_char(segment) if len(segment) == 1 else _folded(segment)


@lru_cache(maxsize=8192)
def _folded_char(char: str) -> str:
    return _folded(char)


def _folded(segment: str) -> str:
    """Unicode's compatibility caseless form (definition D147), with signs of one meaning made one."""
    signs = "".join(map(_sign, segment))
    return "".join(map(_sign, _nfkc(_nfkc(_nfkc(signs).casefold()).casefold())))


@lru_cache(maxsize=8192)
def _sign(char: str) -> str:
    """What stands for this character: the sign of its class, nothing for an invisible one, else itself."""
    category = unicodedata.category(char)
    if char in _QUOTES:
        return '"'
    if char == _WAVE_DASH:
        return "~"
    if char == _MIDLINE_ELLIPSIS:
        return _ELLIPSIS
    if category == "Pd" or char in _DASHES:
        return "-"
    if char.isspace():
        return " "
    return "" if _is_invisible(char, category) else char


def _is_invisible(char: str, category: str) -> bool:
    if category == "Cf":
        return char not in _VISIBLE_FORMATS
    return char in _INVISIBLE or "\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef"


def _nfkc(text: str) -> str:
    if len(text) >= _QUADRATIC_FROM:
        text = _ordered("".join(unicodedata.normalize("NFKD", char) for char in text))
    return unicodedata.normalize("NFKC", text)


def _ordered(decomposed: str) -> str:
    """Each run of marks by combining class, as canonical order asks; the sort is stable."""
    runs = groupby(decomposed, key=lambda char: unicodedata.combining(char) > 0)
    return "".join("".join(sorted(run, key=unicodedata.combining)) for _, run in runs)

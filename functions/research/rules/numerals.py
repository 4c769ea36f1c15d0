"""Words and signs that make a number of what they stand beside, and numbers written in words or Han characters."""

import re
from collections.abc import Iterator

_ONES = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
_TEENS = ["ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]

ENGLISH = {word: value for value, word in enumerate(_ONES + _TEENS)} | {
    word: 10 * value for value, word in enumerate(_TENS, 2)
}

ENGLISH_WORD = re.compile(
    rf"(?<!\w)(?:(?:{'|'.join(_TENS)})[- ](?:{'|'.join(_ONES[1:])})|{'|'.join(reversed(ENGLISH))})(?!\w)"
)
"""An English number word, or two that are one number ("twenty-five"), in a case-folded text."""

FOREIGN_LOOK = frozenset({"one", "ten", "four"})
"""Number words that are ordinary words of other languages."""

_PRONOUN_AFTER = frozenset(
    ["no", "any", "every", "each", "some", "this", "that", "the", "another", "which", "first", "last", "only"]
)
_PRONOUN_BEFORE = re.compile(
    r"\s+(?:of|another|(?:[\w-]+\s+)?(?:author|buyer|commenter|customer|owner|participant|person|post|poster|respondent"
    r"|review|reviewer|source|text|user|writer))(?!\w)|'s?(?!\w)"
)
"""With them "one" tells who speaks ("one long-time reviewer says"), which the citation shows; it counts nothing."""

SCALE = re.compile(
    r"[ -]?(?P<word>hundred|thousand|million|billion|trillion|mio|mrd|millionen|milliarden?|millones|mil"
    r"|milh\u00f5es|millions|milliards?|bilh\u00f5es)(?!\w)|(?P<sign>k(?!\w)|[\u5343\u4e07\u842c\u5104\u4ebf\ub9cc\uc5b5])"
)
"""A word or sign right after a number that multiplies it."""

_ZEROS = {
    "hundred": 2,
    "thousand": 3,
    "mil": 3,
    "million": 6,
    "millions": 6,
    "millionen": 6,
    "mio": 6,
    "millones": 6,
    "milh\u00f5es": 6,
    "billion": 9,
    "mrd": 9,
    "milliarde": 9,
    "milliarden": 9,
    "milliard": 9,
    "milliards": 9,
    "bilh\u00f5es": 9,
    "trillion": 12,
    "k": 3,
    "\u5343": 3,
    "\u4e07": 4,
    "\u842c": 4,
    "\ub9cc": 4,
    "\u5104": 8,
    "\u4ebf": 8,
    "\uc5b5": 8,
}

_PERCENT_WORDS = (
    "%",
    r"per\s?cent",
    "pct",
    "prozent",
    r"pour\s?cent",
    r"por\s?ciento",
    r"por\s?cento",
    "pro[cs]ent",
    "\u043f\u0440\u043e\u0446\u0435\u043d\u0442",  # Russian
    "\u0432\u0456\u0434\u0441\u043e\u0442",  # Ukrainian
    "persen",
    "\u30d1\u30fc\u30bb\u30f3\u30c8",  # Japanese
    "\ud37c\uc13c\ud2b8|\ud504\ub85c",  # Korean
    "\u0e40\u0e1b\u0e2d\u0e23\u0e4c\u0e40\u0e0b\u0e47\u0e19\u0e15\u0e4c",  # Thai
    "\u092a\u094d\u0930\u0924\u093f\u0936\u0924",  # Hindi
    "ph\u1ea7n tr\u0103m",
    "\u0641\u064a \u0627\u0644\u0645\u0626\u0629|\u0628\u0627\u0644\u0645\u0627?\u0626\u0629",  # Arabic
    "\u05d0\u05d7\u05d5\u05d6",  # Hebrew
)
PERCENT_AFTER = re.compile(rf"(?: ?[-\u2014~\u301c] ?[0-9][0-9.,]{{0,9}})? ?-?(?:{'|'.join(_PERCENT_WORDS)})")
"""What makes a percentage of the number before it, even across a range ("10-20 %")."""

PERCENT_BEFORE = ("%", "\u767e\u5206\u4e4b", "\u0e23\u0e49\u0e2d\u0e22\u0e25\u0e30", "y\u00fczde ")

_HAN = dict(zip("\u3007\u4e00\u4e8c\u4e09\u56db\u4e94\u516d\u4e03\u516b\u4e5d", range(10), strict=True))
_HAN |= {"\u96f6": 0, "\u4e24": 2, "\u5169": 2}
_HAN_UNITS = {"\u5341": 10, "\u767e": 100, "\u5343": 1000}
_HAN_SCALES = {"\u4e07": 10**4, "\u842c": 10**4, "\u5104": 10**8, "\u4ebf": 10**8}
_HAN_RUN = re.compile(f"[{''.join([*_HAN, *_HAN_UNITS, *_HAN_SCALES])}]+")
_HAN_LONGEST = 24


def zeros(scale: str) -> int:
    """How many places a scale shifts the decimal point."""
    return _ZEROS[scale]


def is_pronoun(text: str, start: int, end: int) -> bool:
    """Whether the "one" at [start, end) of a case-folded text is no count: "no one", "one of", "one reviewer"."""
    before = text[max(0, start - 12) : start].split()[-1:]
    return bool(before and before[0] in _PRONOUN_AFTER) or bool(_PRONOUN_BEFORE.match(text, end))


def english_value(words: str) -> int:
    """The value of what ENGLISH_WORD found."""
    return sum(ENGLISH[word] for word in words.replace("-", " ").split())


def han_values(text: str) -> Iterator[int]:
    """The numbers that a text writes in Han characters, by place ("二〇二四") or by unit ("三百二十")."""
    for run in _HAN_RUN.findall(text):
        if len(run) <= _HAN_LONGEST:
            yield _by_place(run) if all(char in _HAN for char in run) else _by_unit(run)


def _by_place(run: str) -> int:
    return int("".join(str(_HAN[char]) for char in run))


def _by_unit(run: str) -> int:
    total = section = digit = 0
    for char in run:
        if char in _HAN:
            digit = _HAN[char]
        elif char in _HAN_UNITS:
            section += (digit or 1) * _HAN_UNITS[char]
            digit = 0
        else:
            total += (section + digit or 1) * _HAN_SCALES[char]
            section = digit = 0
    return total + section + digit

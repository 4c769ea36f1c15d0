"""Numbers by value (rule 3): what a claim says in figures must be in what it cites.

A number is a key: canonical decimal digits ("1234.5"), "-" before it if negative, "%" after it if a percentage. A claim
*demands* one key of each number it states; a source *supplies* every key that its numbers stand for. Where it is open
what is meant a source supplies the weaker reading too (12 for "12 %" and "-12", 2 for "2 million"), while a claim
demands just what it says: "12 %" is not proved by 12 persons, nor "2 million" by 2 billion.

- Separators: "1,234.5", "1.234,5", "1 234,5", "1'234.5", "12,34,567"; a space separates thousands like a no-break one.
- "1.234" and "1,234" mean what the language of their text settles; where that is not known, both values. A source that
  writes the same figures in the same way always proves them.
- A name ("B12", "iPhone 15", "COVID-19") is its letters and digits, however they are joined. Digits joined to letters
  before them are a name and nothing else: "B12" does not prove 12. Version and currency signs ("v2", "EUR5") make none.
- A date ("12.05.2024", "2024-05-12") is its parts. Any other row of figures ("192.168.0.1") is one word.
- "1st" is 1, "5GB" is 5: what follows a number is not part of it.
- Digits of every script count and, in a source, numerals in Han characters. Superscripts, circled and keycap digits do
  not; nor do the numbers 1., 2., 3. that a list puts before its lines.
- English number words count, but not a "one" that is a pronoun or tells who speaks ("no one", "one reviewer").
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from research.rules import numerals
from research.rules.folding import visible

_GROUPED = (
    r"(?<![0-9][.,' ])[1-9][0-9]{0,2}(?P<mark>[.,' ])[0-9]{3}(?:(?P=mark)[0-9]{3}){0,8}(?!(?P=mark)?[0-9])"
    r"(?:(?!(?P=mark))(?P<tail>[.,][0-9]+))?(?![.,']?[0-9])"
)
_LAKH = r"(?<![0-9][.,'])[1-9][0-9]?(?:,[0-9]{2}){1,6},[0-9]{3}(?!,?[0-9])(?P<lakh_tail>\.[0-9]+)?(?![.,']?[0-9])"
_DECIMAL = r"(?<![0-9][.,'])[0-9]+[.,][0-9]+(?![.,']?[0-9])|(?<![\w.])\.[0-9]+(?![.,']?[0-9])"
_FIGURES = re.compile(
    rf"(?P<grouped>{_GROUPED})|(?P<lakh>{_LAKH})|(?P<decimal>{_DECIMAL})"
    r"|(?P<row>[0-9]+(?:\.[0-9]+){2,})|[0-9]+(?P<keycap>\u20e3)?"
)
_DATE = re.compile(r"[0-9]{1,2}\.[0-9]{1,2}\.(?:[0-9]{4}|[0-9]{2})|[0-9]{4}\.[0-9]{1,2}\.[0-9]{1,2}")
_KEYCAP = re.compile("[0-9]\ufe0f?\u20e3")
_LIST_MARK = re.compile(r"^[ \t]*([0-9]{1,2})[.)](?=[ \t])", re.MULTILINE)
_FOREIGN_DIGIT = re.compile(r"(?![0-9])\d")
_SIGNS = str.maketrans(
    {
        **dict.fromkeys("\u00a0\u2007\u2009\u202f", " "),
        **dict.fromkeys("\u2019\u02bc\u066c", "'"),
        **dict.fromkeys("\u066b\uff0e", "."),
        **dict.fromkeys("\u066a\uff05\ufe6a", "%"),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2212\uff0d", "-"),
        "\uff0c": ",",
    }
)
_FRACTIONS = {"\u00bd": "5", "\u00bc": "25", "\u00be": "75"}
_THOUSANDS = {
    **dict.fromkeys(("en", "ja", "zh", "ko", "th", "he"), ","),
    **dict.fromkeys(("de", "fr", "it", "nl", "pl", "ru", "uk", "cs", "sv", "da", "nb", "fi", "tr", "id"), "."),
}
"""The mark between thousands, if it is one of these two, where a language has one usage in nearly every country."""
_UNITS = frozenset({"v", "ver", "version", "no", "nr", "usd", "eur", "gbp", "rs", "rm", "us"})
"""Letters joined to a number that leave it one."""
_MINUS = re.compile(r"(?:^|[\s(\[\"'])-$|(?<!\w)minus $")
_BEFORE = 32
"""How far back, in code points, the letters before a number are read."""


@dataclass(frozen=True, slots=True)
class Number:
    """One number of a text: the keys of which a claim demands one, and those that a source supplies."""

    demanded: frozenset[str]
    supplied: frozenset[str]


def demanded(text: str, language: str | None) -> tuple[frozenset[str], ...]:
    """For each number that a claim in this language states, the keys of which one must be supplied."""
    numbers = _numbers(_without_list_marks(_prepared(text)), language)
    return tuple(number.demanded for number in numbers if number.demanded)


def dressed(text: str) -> frozenset[str]:
    """Figures in another form than digits: enclosed, keycap, Roman and fractions. A claim may repeat them, no more."""
    signs = {char for char in text if unicodedata.category(char) in ("No", "Nl") and not _is_raised(char)}
    return frozenset(signs.union(_KEYCAP.findall(text)))


def supplied(text: str, language: str | None) -> frozenset[str]:
    """Every key that the numbers of a source stand for. `language` is its tag, None if not known."""
    prepared = _prepared(text)
    keys = {str(value) for value in numerals.han_values(prepared)}
    return frozenset(keys.union(*(number.supplied for number in _numbers(prepared, language))))


def _prepared(text: str) -> str:
    text = _FOREIGN_DIGIT.sub(lambda digit: str(unicodedata.decimal(digit.group())), visible(text))
    return text.translate(_SIGNS).casefold()


def _without_list_marks(text: str) -> str:
    marks = [int(mark) for mark in _LIST_MARK.findall(text)]
    is_list = len(marks) > 1 and marks == list(range(1, len(marks) + 1))
    return _LIST_MARK.sub("", text) if is_list else text


def _numbers(text: str, language: str | None) -> Iterator[Number]:
    for match in _FIGURES.finditer(text):
        if match["row"]:
            yield from _row(match["row"])
        elif not match["keycap"]:
            yield _in_figures(match, language)
    for match in numerals.ENGLISH_WORD.finditer(text):
        yield _in_words(match, language)


def _row(figures: str) -> Iterator[Number]:
    for key in map(_canonical, figures.split(".")) if _DATE.fullmatch(figures) else [f"#{figures}"]:
        yield Number(frozenset({key}), frozenset({key}))


def _in_figures(match: re.Match[str], language: str | None) -> Number:
    letters, joined = _letters_before(match.string, match.start())
    name = f"{letters}{match.group()}"
    if joined and letters not in _UNITS:
        return Number(frozenset({name}), frozenset({name, f"{name}!"}))
    number = _weighed(match, _values(match, language))
    if not letters:
        return number
    return Number(number.demanded | {f"{name}!"}, number.supplied | {name})


def _in_words(match: re.Match[str], language: str | None) -> Number:
    word = match.group()
    number = _weighed(match, {str(numerals.english_value(word))})
    is_foreign = word in numerals.FOREIGN_LOOK and _primary(language) not in ("en", None)
    if is_foreign or (word == "one" and numerals.is_pronoun(match.string, *match.span())):
        return Number(frozenset(), number.supplied)
    return number


def _letters_before(text: str, start: int) -> tuple[str, bool]:
    """The letters (of a cased script) before a number, at most a space or hyphen away, and whether they touch it."""
    window = text[max(0, start - _BEFORE) : start]
    joined = window[-1:] not in (" ", "-")
    window = window if joined else window[:-1]
    length = 0
    while length < len(window) and window[-1 - length].upper() != window[-1 - length].lower():
        length += 1
    return window[len(window) - length :], joined and length > 0


def _values(match: re.Match[str], language: str | None) -> set[str]:
    """What these figures may stand for, and their written form where that is not settled."""
    form, mark = match.group(), match["mark"]
    tail = (match["tail"] or match["lakh_tail"] or "")[1:]
    if match["decimal"]:
        whole, _, fraction = form.replace(",", ".").partition(".")
        return {_canonical(whole, fraction)}
    digits = "".join(filter(str.isdigit, form))
    grouped = _canonical(digits[: len(digits) - len(tail)], tail)
    if mark is None or mark not in ".," or tail or form.count(mark) > 1:
        return {grouped}
    fraction = _canonical(*form.split(mark))
    settled = _THOUSANDS.get(_primary(language) or "")
    if settled is None:
        return {f"={form}", grouped, fraction}
    return {f"={form}", grouped if mark == settled else fraction}


def _weighed(match: re.Match[str], values: set[str]) -> Number:
    """The number with what stands round it: a fraction, a scale, a percent sign, a minus."""
    text, start, end = match.string, match.start(), match.end()
    fraction = text[end : end + 1]
    if fraction and unicodedata.numeric(fraction, 0.0) % 1:
        values, end = {_canonical(value, _FRACTIONS.get(fraction, fraction)) for value in values}, end + 1
    scale = numerals.SCALE.match(text, end)
    scaled = {_shifted(value, scale) for value in values}
    before = text[max(0, start - _BEFORE) : start]
    is_percent = numerals.PERCENT_AFTER.match(text, end) or before.endswith(numerals.PERCENT_BEFORE)
    percents, signs = ("%" if is_percent else ""), ("-" if _MINUS.search(before) else "")
    strict = frozenset(f"{signs}{value}{percents}" for value in scaled)
    weaker = product({"", signs}, scaled | values, {"", percents})
    return Number(strict, strict.union(map("".join, weaker)))


def _shifted(value: str, scale: re.Match[str] | None) -> str:
    if not scale:
        return value
    zeros = numerals.zeros(scale["word"] or scale["sign"])
    whole, _, fraction = value.partition(".")
    return _canonical(whole + fraction[:zeros].ljust(zeros, "0"), fraction[zeros:])


def _canonical(whole: str, fraction: str = "") -> str:
    whole, fraction = whole.lstrip("0") or "0", fraction.rstrip("0")
    return f"{whole}.{fraction}" if fraction else whole


def _primary(language: str | None) -> str | None:
    """The language of a tag without its region; None for what is no tag."""
    primary = (language or "").replace("_", "-").partition("-")[0].casefold()
    return primary if primary.isascii() and primary.isalpha() and 2 <= len(primary) <= 3 else None


def _is_raised(char: str) -> bool:
    """Whether it is a superscript or subscript, which count as no figures."""
    return unicodedata.decomposition(char).startswith(("<super>", "<sub>"))

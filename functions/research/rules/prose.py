"""Names of the wire in prose (rule 3): removed where they stand bracketed by themselves, never published otherwise."""

import re

from research.rules.folding import fold

_BRACKETED = re.compile(
    "[\\[(\uff3b\uff08\u3010\u3014]([^\\[\\]()\uff3b\uff3d\uff08\uff09\u3010\u3011\u3014\u3015]*)[\\])\uff3d\uff09\u3011\u3015]"
)
_NAME = r"(?:[e\u0435\u03b5][v\u03bd\u0475]|qt)\\?_[0-9]+"
_ONLY_NAMES = re.compile(rf"{_NAME}(?:(?: ?[,;&/-] ?| and | |\u3001){_NAME})*")
_MENTION = re.compile(rf"(?<![a-z0-9_]){_NAME}")
"""Only Latin letters before it make it part of a longer word: other scripts write no space there."""


def without_aliases(text: str) -> str:
    """The text without bracketed aliases and quotation ids ("[ev_1]", "(ev_1, ev_2)") and the space before them."""
    kept: list[str] = []
    position = 0
    for match in _BRACKETED.finditer(text):
        if _ONLY_NAMES.fullmatch(fold(match[1]).text.strip()):
            kept.append(text[position : match.start()].rstrip(" \t"))
            position = match.end()
    return "".join([*kept, text[position:]]).strip() if kept else text


def names_alias(text: str) -> bool:
    """Whether a text mentions an alias or a quotation id, in any case, width or look-alike of its letters."""
    return bool(_MENTION.search(fold(text).text))

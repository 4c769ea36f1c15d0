"""Web addresses and markup that links or loads (rule 3): published only where the evidence holds them too.

An address is what readers' programs make clickable: anything with `scheme://`, a scheme that needs no slashes
(`mailto:`), `www.`, a domain name with a path, a domain name of a common top level, an e-mail address. It is compared
whole, up to the next white space and the case of its path included, so that a held address lends nothing to a longer,
shorter or similar one; only http(s) and a closing slash make no difference. The bare domain of a held address is held.

Markup is an inline, reference or wiki link, an image, any HTML, BBCode or chat tag, or a scheme before something other
than a name: it must stand in the evidence with the same rest of its line or tag.
"""

import re
from collections.abc import Iterator

from research.rules.folding import plain

_CLOSING = (
    ".,;:!?_~*|\"'()<>[]{}-"
    "\u2018\u2019\u201c\u201d\u00ab\u00bb\u2026\u3001\u3002\uff61\u300d\u300f\u3011\u300b\uff09\uff3d\uff0c\uff1b\uff1a\uff01\uff1f"
)
"""What may stand behind an address without being part of it. Within it every sign counts: programs differ in where
they take an address to end, and the longest reading is the one that must be held."""
_SCHEME = re.compile(
    r"[a-z][a-z0-9+.-]{0,30}://\w|(?<![a-z0-9])(?:https?|ftp|mailto|javascript|vbscript|data|tel|sms|file|blob|magnet):[^\s]",
    re.IGNORECASE,
)
_COMMON = (
    "com|org|net|edu|gov|mil|int|info|biz|name|pro|app|dev|xyz|top|site|online|shop|store|club|live|link|click|page|blog"
    "|cloud|tech|news|wiki|zip|mov|icu|vip|win|work|world|today|space|website|fun|io|ai|co|me|tv|cc|ly|gl|gg|to|sh|so|st"
    "|us|uk|eu|de|fr|es|pt|it|nl|be|ch|at|ie|dk|se|no|fi|pl|cz|sk|hu|ro|bg|gr|tr|ru|ua|su|il|in|pk|id|my|sg|th|vn|ph|cn"
    "|hk|tw|jp|kr|au|nz|br|mx|ar|cl|pe|ca|za|ng|ke|eg|ir|sa|ae|tk|ml|ga|cf|gq|ws|pw|rs|py|md"
)
_ENDING = rf"(?:{_COMMON}|{_COMMON.upper()}|(?i:com|org|net|edu|gov|info))(?![\w-])|[^\W\d_]{{2,24}}(?=(?::[0-9]+)?/\S)"
"""A top level in one case, so that a sentence that follows a full stop without a space is none; any before a path."""
_DOMAIN = re.compile(
    rf"(?<![\w.-])(?:[\w-]{{1,63}}\.)+(?:{_ENDING})"
    r"|(?<![\w.-])(?:[wW]{3}\.[\w-]|(?:[0-9]{1,3}\.){3}[0-9]{1,3}(?=(?::[0-9]+)?/\S))"
    r"|(?<=\w@)(?:[\w-]{1,63}\.)+[^\W\d_]{2,24}|(?<![\w:/])//[\w-]{1,63}\.\w"
)
_OUTSIDE_LOCAL_PART = re.compile(r"[^\w.+-]")
_MARKUP = re.compile(
    r"\]\([^\n]*|\]\[[^\]]*|^ {0,3}\[[^\]\n]*\]:[^\n]*|!\[|\[\[[^\]]*|<[a-z@#!/?][^>]*"
    r"|\[/?(?:url|img|link|email)\b[^\]]*|://[^\w\s]\S*",
    re.IGNORECASE | re.MULTILINE,
)
_MARKUP_SIGNS = ("[", "]", "!", "<", " ", ":")
_CONCEALED = re.compile("[\u202d\u202e\U000e0000-\U000e007f]")
"""Overrides of direction and tag characters: what they show is not what is written."""
_FLAG = re.compile("\U0001f3f4[\U000e0061-\U000e007a\U000e0030-\U000e0039]{3,6}\U000e007f")


def found(text: str) -> frozenset[str]:
    """Every address and piece of markup in a text, in the form in which they are compared."""
    seen = plain(text)
    return frozenset([*_addresses(seen), *_MARKUP.findall(seen), *_CONCEALED.findall(_FLAG.sub("", text))])


def held(text: str) -> frozenset[str]:
    """What a text of a source allows to be published: everything found in it, and the domains of its addresses."""
    items = found(text)
    return items.union(item.partition("/")[0] for item in items if not item.startswith(_MARKUP_SIGNS))


def _addresses(seen: str) -> Iterator[str]:
    for run in seen.replace("\\", "/").split():
        token = run.rstrip(_CLOSING)
        match = _SCHEME.search(token) or _DOMAIN.search(token)
        if match:
            yield _compared(_local_part(token[: match.start()]) + token[match.start() :])


def _local_part(before: str) -> str:
    """What of the text before a domain belongs to an e-mail address."""
    return f"{_OUTSIDE_LOCAL_PART.split(before[:-1])[-1]}@" if before.endswith("@") else ""


def _compared(address: str) -> str:
    """Scheme and domain in lower case; http(s) and a closing slash left out."""
    scheme, mark, rest = address.partition("://")
    domain, slash, path = (rest if mark else address).partition("/")
    prefix = f"{scheme.lower()}{mark}" if mark and scheme.lower() not in ("http", "https") else ""
    return f"{prefix}{domain.lower()}{slash}{path}".rstrip("/")

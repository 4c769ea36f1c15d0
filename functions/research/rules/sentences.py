"""Which wording the service uses for a conversation: its language where the service has it, English otherwise."""

import re

from research.rules.wording import Wording
from research.rules.wording_eastern import JAPANESE, SIMPLIFIED_CHINESE, TRADITIONAL_CHINESE
from research.rules.wording_western import ENGLISH, FRENCH, GERMAN, PORTUGUESE, SPANISH

_WORD = re.compile(r"[^\W_]+")
_CODES = {
    **dict.fromkeys(("en", "eng"), ENGLISH),
    **dict.fromkeys(("fr", "fra", "fre"), FRENCH),
    **dict.fromkeys(("de", "deu", "ger"), GERMAN),
    **dict.fromkeys(("es", "spa"), SPANISH),
    **dict.fromkeys(("pt", "por"), PORTUGUESE),
    **dict.fromkeys(("ja", "jpn"), JAPANESE),
    **dict.fromkeys(("zh", "zho", "chi", "cmn"), SIMPLIFIED_CHINESE),
    "yue": TRADITIONAL_CHINESE,
}
_NAMES = {
    **dict.fromkeys(("english", "anglais", "englisch", "inglés", "inglês"), ENGLISH),
    **dict.fromkeys(("french", "français", "francais", "französisch", "francés", "francês"), FRENCH),
    **dict.fromkeys(("german", "deutsch", "allemand", "alemán", "alemão"), GERMAN),
    **dict.fromkeys(("spanish", "español", "espanol", "castellano", "spanisch", "espagnol", "espanhol"), SPANISH),
    **dict.fromkeys(("portuguese", "português", "portugues", "portugiesisch", "portugais", "portugués"), PORTUGUESE),
    **dict.fromkeys(("japanese", "japanisch", "japonais", "japonés", "japonês", "日本語", "日语", "日語"), JAPANESE),
    **dict.fromkeys(("chinese", "mandarin", "chinesisch", "chinois", "chino", "chinês"), SIMPLIFIED_CHINESE),
    **dict.fromkeys(("中文", "汉语", "普通话", "简体中文", "中文简体", "简体", "中国語"), SIMPLIFIED_CHINESE),
    **dict.fromkeys(
        ("漢語", "國語", "繁體中文", "繁体中文", "正體中文", "中文繁體", "繁體", "粵語"), TRADITIONAL_CHINESE
    ),
    "cantonese": TRADITIONAL_CHINESE,
}
_TRADITIONAL = frozenset(
    {"hant", "traditional", "tw", "hk", "mo", "taiwan", "hong", "macau", "繁體", "繁体", "臺灣", "台灣"}
)


def sentences(language: str) -> Wording:
    """The wording for a language tag or name in any case ("zh-TW", "pt_BR", "German", "日本語").

    Only the first word can be a code, since a later one is a region: "ar-ES" is Arabic, and gets English.
    """
    words = _WORD.findall(language.casefold())
    named = [_CODES[word] for word in words[:1] if word in _CODES] + [_NAMES[word] for word in words if word in _NAMES]
    wording = named[0] if named else ENGLISH
    if wording is SIMPLIFIED_CHINESE and "hans" not in words and _TRADITIONAL.intersection(words):
        return TRADITIONAL_CHINESE
    return wording

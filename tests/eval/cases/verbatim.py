"""Quotations that are verbatim but for their spelling: all that folding promises to equate."""
# ruff: noqa: RUF001 - look-alike characters are what these cases are about

from eval.case import quoting, rows

_FAN = "The fan is quiet on the lowest setting, but its battery never lasts the whole night."
_TYPED = "She wrote: “It’s a bargain” — and then… she sent it back."
_FRENCH = "Le ventilateur\u00a0: très\u202fbien"

_ROWS = (
    ("letter by letter", _FAN, "The fan is quiet on the lowest setting", "The fan is quiet on the lowest setting"),
    ("the whole of a short evidence", "Great!", "Great!", "Great!"),
    ("another case", _FAN, "THE FAN IS QUIET ON the lowest setting", "The fan is quiet on the lowest setting"),
    ("a sharp s in capitals", "Die Straße war sehr laut.", "DIE STRASSE WAR SEHR", "Die Straße war sehr"),
    ("full-width letters", "Model ＢＲＩＳＡ is quiet", "Model BRISA is quiet", "Model ＢＲＩＳＡ is quiet"),
    ("half-width katakana", "このバッテリーは長持ちします", "このﾊﾞｯﾃﾘｰは長持ち", "このバッテリーは長持ち"),
    ("a ligature", "The ﬁnal ﬁnish is ﬂawless.", "the final finish is", "The ﬁnal ﬁnish is"),
    ("a decomposed letter", "Le cafe\u0301 est bruyant.", "café est bruyant", "cafe\u0301 est bruyant"),
    ("marks in another order", "Ba\u0301\u0323n quat nay", "Ba\u0323\u0301n quat nay", "Ba\u0301\u0323n quat nay"),
    ("a line break for a space", "The battery lasts\nlong.", "battery lasts long", "battery lasts\nlong"),
    ("no-break spaces for spaces", _FRENCH, "ventilateur : très bien", "ventilateur\u00a0: très\u202fbien"),
    ("an ideographic space for several", "静かな　扇風機　です", "静かな  扇風機  です", "静かな　扇風機　です"),
    ("straight quotation marks", _TYPED, 'She wrote: "It\'s a bargain"', "She wrote: “It’s a bargain”"),
    ("guillemets", "Er sagte „sehr leise“ dazu.", "sagte «sehr leise» dazu", "sagte „sehr leise“ dazu"),
    ("corner brackets", "彼は「とても静か」と言う", '彼は"とても静か"と言う', "彼は「とても静か」と言う"),
    ("a hyphen for a long dash", _TYPED, 'bargain" - and then', "bargain” — and then"),
    ("two hyphens for a long dash", _TYPED, 'bargain" -- and then', "bargain” — and then"),
    ("a hyphen that cannot break", "A well\u2011made fan", "a well-made fan", "A well\u2011made fan"),
    ("three dots for the source's ellipsis", _TYPED, "and then... she sent", "and then… she sent"),
    ("the source's ellipsis for three dots", "And then... it broke", "And then… it broke", "And then... it broke"),
    ("zero-width characters", "The bat\u200btery\u2060 lasts", "battery lasts", "bat\u200btery\u2060 lasts"),
    ("a soft hyphen", _FAN, "its bat\u00adtery never lasts", "its battery never lasts"),
    ("a variation selector", "Simply ❤\ufe0f this fan", "Simply ❤ this fan", "Simply ❤\ufe0f this fan"),
    ("a byte order mark inside", "Quiet \ufeffand very light", "quiet and very light", "Quiet \ufeffand very light"),
    ("a cut inside a word, widened to it", "It is illegal in towns", "legal in towns", "illegal in towns"),
    ("a cut inside a number, widened to it", "It cost 1,200 euros then", "200 euros then", "1,200 euros then"),
)

CASES = rows(
    "verbatim, spelt otherwise", ((name, quoting(text, quoted, passage)) for name, text, quoted, passage in _ROWS)
)

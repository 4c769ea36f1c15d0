"""Quotations that are not in the source that they name: all that folding must never hide."""
# ruff: noqa: RUF001 - look-alike characters are what these cases are about

from eval.case import Case, Fate, Quoted, Said, quoting, rows, texts

_FAN = "The fan is quiet on the lowest setting, but its battery never lasts the whole night."
_LOUD = "The motor is realy very loud"
_BRUYANT = "Le moteur est vraiment très bruyant"

_ROWS = (
    ("a paraphrase", _FAN, "On low the fan makes hardly any noise"),
    ("a skipped word", _FAN, "The fan is quiet on the setting"),
    ("a skipped negation", _FAN, "its battery lasts the whole night"),
    ("an added word", _FAN, "The fan is very quiet on the lowest setting"),
    ("an exchanged word", _FAN, "The fan is quiet on the highest setting"),
    ("reordered words", _FAN, "quiet is the fan on the lowest setting"),
    ("an elision in dots", _FAN, "The fan is quiet ... never lasts the whole night"),
    ("an elision as an ellipsis", _FAN, "The fan is quiet… its battery never lasts"),
    ("an elision in brackets", _FAN, "The fan is quiet […] never lasts the whole night"),
    ("two sentences joined over a third", "It is loud. It is big. It is heavy.", "It is loud. It is heavy."),
    ("a corrected spelling", _LOUD, "The motor is really very loud"),
    ("a translation", _BRUYANT, "The motor is really very loud"),
    ("an accent left out", _BRUYANT, "moteur est vraiment tres bruyant"),
    ("an accent left out that makes another word", "Un año entero sin una queja", "Un ano entero sin una"),
    ("a letter of another script", "The paypal refund never came", "The pаypal refund never came"),
    ("a kana with another mark", "ハブの音がとても大きいです", "バブの音がとても大きい"),
    ("spaces left out", _FAN, "Thefanisquietonthelowestsetting"),
    ("another number", "It ran for 12 hours on one charge", "It ran for 21 hours on one charge"),
    ("a remark in brackets", _FAN, "The fan [Brisa] is quiet on the lowest setting"),
    ("too few columns", _FAN, "The fan is"),
    ("white space to make up the columns", _FAN, "The fan              "),
    ("invisible characters to make up the columns", _FAN, "The fan\u200b\u200b\u200b\u200b\u200b\u200b\u200b"),
    ("punctuation alone", "So loud !!!!!!!!!!!!!!!! so loud", "!!!!!!!!!!!!!!!!"),
    ("nothing", _FAN, ""),
)

_BUYERS = texts(
    "The first buyer praises the light clip.",
    "The second buyer complains about the loud motor.",
    title="Quiet enough to sleep next to",
)
_ELSEWHERE = (
    ("the text of another evidence", "complains about the loud motor", "ev_1"),
    ("evidence that was not selected", "praises the light clip", "ev_9"),
    ("a source by another name", "praises the light clip", "the first buyer"),
    ("the end of one evidence and the start of the next", "the light clip. The second buyer", "ev_1"),
    ("the title of an evidence", "Quiet enough to sleep next to", "ev_1"),
    ("the question", "What do they say about it?", "ev_1"),
)


def _citing(*quoted: Quoted, fate: Fate = "published") -> tuple[Said, ...]:
    return (Said("One of them puts it in these words.", quoted, fate),)


_GOOD = Quoted("praises the light clip", "praises the light clip")
_BAD = Quoted("praises the sturdy clip", None)

CASES = (
    *rows("not verbatim", ((name, quoting(text, quoted, None)) for name, text, quoted in _ROWS)),
    *(
        Case("not verbatim", name, _BUYERS, _citing(Quoted(text, None, source), fate="quotation"))
        for name, text, source in _ELSEWHERE
    ),
    Case("not verbatim", "a citation that fails beside one that holds", _BUYERS, _citing(_BAD, _GOOD)),
    Case("not verbatim", "a claim that cites nothing", _BUYERS, _citing(fate="quotation")),
    Case(
        "not verbatim",
        "a main answer whose only citation fails",
        _BUYERS,
        answer=Said("They praise the sturdy clip.", (_BAD,)),
        refused="main_answer_withheld",
    ),
)

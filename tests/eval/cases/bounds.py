"""Items that are too many or too long: withheld whole and in order, never cut."""

from eval.case import Case, Fate, Labelled, Limited, Quoted, Said, Suggested, texts

_ONE = texts("It is quiet, and the clip is flimsy.")
_WHOLE = (Quoted(_ONE[0].text, _ONE[0].text),)
_WORDS = ("quiet", "flimsy", "light", "white", "loud", "cheap", "dear", "small", "big", "new", "old", "slow", "fast")


def _sized(statement: str, fate: Fate = "published", uncertainty: str = "") -> tuple[Said, ...]:
    return (Said(statement, _WHOLE, fate, uncertainty=uncertainty),)


CASES = (
    Case("too many or too long", "a statement of the greatest length", _ONE, _sized("é" * 2000)),
    Case("too many or too long", "a statement one longer", _ONE, _sized("é" * 2001, "length")),
    Case(
        "too many or too long", "an uncertainty of the greatest length", _ONE, _sized("Quiet.", uncertainty="é" * 1000)
    ),
    Case("too many or too long", "an uncertainty one longer", _ONE, _sized("Quiet.", "length", "é" * 1001)),
    Case("too many or too long", "an empty statement", _ONE, _sized("", "length")),
    Case("too many or too long", "a statement that shows nothing", _ONE, _sized("\u200b \u2060", "length")),
    Case("too many or too long", "a statement of nothing but an alias", _ONE, _sized("[ev_1]", "length")),
    Case(
        "too many or too long",
        "one finding too many",
        _ONE,
        tuple(
            Said(f"It is {word}.", _WHOLE, "published" if place < 12 else "count") for place, word in enumerate(_WORDS)
        ),
    ),
    Case(
        "too many or too long",
        "a finding that is withheld takes no place",
        _ONE,
        (
            Said("It is 9 years old.", _WHOLE, "number"),
            *(Said(f"It is {word}.", _WHOLE) for word in _WORDS[:12]),
        ),
    ),
    Case(
        "too many or too long",
        "one suggestion too many",
        _ONE,
        kind="query_suggestions",
        suggestions=tuple(
            Suggested(f"{word} fan", _WHOLE, "published" if place < 5 else "count")
            for place, word in enumerate(_WORDS[:6])
        ),
    ),
    Case(
        "too many or too long",
        "a rationale and an excluded term that are too long",
        _ONE,
        suggestions=(
            Suggested("quiet fan", _WHOLE, "length", rationale="x" * 1001),
            Suggested("light fan", _WHOLE, "length", excluded_terms=("x" * 101,)),
            Suggested("white fan", _WHOLE, rationale="x" * 1000, excluded_terms=("x" * 100,)),
        ),
    ),
    Case(
        "too many or too long",
        "a tenth and an overlong limitation",
        _ONE,
        limitations=(
            Limited("x" * 1001, "length"),
            *(
                Limited(f"It is {word}.", "published" if place < 9 else "count")
                for place, word in enumerate(_WORDS[:10])
            ),
        ),
    ),
    Case(
        "too many or too long",
        "an overlong text beside a label",
        _ONE,
        kind="sentiment",
        labels=(Labelled("ev_1", "mixed", "length", uncertainty="x" * 1001),),
        sentiment=("unknown",),
    ),
    Case("too many or too long", "no limitation at all", _ONE, limitations=()),
    Case(
        "too many or too long",
        "a main answer that is too long",
        _ONE,
        answer=Said("x" * 2001, _WHOLE),
        refused="main_answer_withheld",
    ),
    Case(
        "too many or too long",
        "an answer that is too large as a whole",
        _ONE,
        tuple(Said(chr(0x5000 + place) * 2000, _WHOLE, uncertainty="電" * 1000) for place in range(12)),
        refused="too_large",
    ),
)

"""Labels, suggestions, and an honest word that the sources do not say."""

from eval.case import Case, Labelled, Quoted, Said, Suggested, texts

_THREE = texts("I love it, it is so quiet.", "It broke after a week, a shame.", "It is white and has a clip.")
_LOVED, _BROKEN, _WHITE = (
    Quoted(evidence.text, evidence.text, f"ev_{number}") for number, evidence in enumerate(_THREE, 1)
)
_MISSING = Quoted("it lasts for ever and ever", None)

_ALL = (
    Labelled("ev_1", "positive", uncertainty="It says nothing of the clip."),
    Labelled("ev_2", "negative"),
    Labelled("ev_3", "neutral"),
)
_NO_ANSWER = "The selected sources do not answer this question."

LABELS = (
    Case(
        "sentiment labels",
        "a label for each evidence",
        _THREE,
        kind="sentiment",
        labels=_ALL,
        sentiment=("positive", "negative", "neutral"),
    ),
    Case(
        "sentiment labels",
        "a label that is missing",
        _THREE,
        kind="sentiment",
        labels=_ALL[:2],
        sentiment=("positive", "negative", "unknown"),
        also=frozenset({"label"}),
    ),
    Case(
        "sentiment labels",
        "no labels at all",
        _THREE,
        kind="sentiment",
        sentiment=("unknown", "unknown", "unknown"),
        also=frozenset({"label"}),
    ),
    Case(
        "sentiment labels",
        "two labels that contradict each other",
        _THREE,
        kind="sentiment",
        labels=(*_ALL, Labelled("ev_1", "negative")),
        sentiment=("unknown", "negative", "neutral"),
        also=frozenset({"label"}),
    ),
    Case(
        "sentiment labels",
        "one label given twice",
        _THREE,
        kind="sentiment",
        labels=(*_ALL, _ALL[0]),
        sentiment=("positive", "negative", "neutral"),
    ),
    Case(
        "sentiment labels",
        "a label for evidence that was not selected",
        _THREE,
        kind="sentiment",
        labels=(*_ALL, Labelled("ev_9", "positive", "source")),
        sentiment=("positive", "negative", "neutral"),
    ),
    Case(
        "sentiment labels",
        "a label that does not exist",
        _THREE,
        kind="sentiment",
        labels=(Labelled("ev_1", "enthusiastic"), *_ALL[1:]),
        refused="shape",
    ),
    Case("sentiment labels", "labels that nobody asked for", _THREE, labels=_ALL),
)

SUGGESTIONS = (
    Case(
        "query suggestions",
        "a suggestion with its quotation",
        _THREE,
        kind="query_suggestions",
        suggestions=(Suggested("fan broken after a week", (_BROKEN,), excluded_terms=("hand fan",)),),
    ),
    Case(
        "query suggestions",
        "a suggestion whose quotation fails beside one that holds",
        _THREE,
        kind="query_suggestions",
        suggestions=(Suggested("lasting fan", (_MISSING,), "quotation"), Suggested("quiet fan", (_LOVED,))),
    ),
    Case(
        "query suggestions",
        "none that holds, though they were asked for",
        _THREE,
        kind="query_suggestions",
        suggestions=(Suggested("lasting fan", (_MISSING,)),),
        refused="no_suggestion_holds",
    ),
    Case(
        "query suggestions",
        "none, though they were asked for",
        _THREE,
        kind="query_suggestions",
        refused="no_suggestion_holds",
    ),
    Case("query suggestions", "none, where none were asked for", _THREE),
    Case(
        "query suggestions",
        "a number in a rationale that nothing proves",
        _THREE,
        kind="query_suggestions",
        suggestions=(
            Suggested("broken fan", (_BROKEN,), "number", rationale="It broke 40 times."),
            Suggested("white fan", (_WHITE,)),
        ),
    ),
    Case(
        "query suggestions",
        "excluded terms beyond their number",
        _THREE,
        kind="query_suggestions",
        suggestions=(Suggested("fan", (_LOVED,), excluded_terms=tuple("abcdefghijklmnopqrstuv")),),
        also=frozenset({"count"}),
    ),
)

INSUFFICIENT = (
    Case(
        "the sources do not say",
        "it is said, and nothing is quoted",
        _THREE,
        answer=Said("The sources say nothing about the price.", ()),
        sufficient=False,
        instead=_NO_ANSWER,
    ),
    Case(
        "the sources do not say",
        "it is said with a quotation that fails",
        _THREE,
        answer=Said("Nothing but that it lasts.", (_MISSING,)),
        sufficient=False,
        instead=_NO_ANSWER,
    ),
    Case(
        "the sources do not say",
        "it is said, and something is made up on the way",
        _THREE,
        answer=Said("The sources do not say, but it costs 79 euros, see attacker.net.", ()),
        sufficient=False,
        instead=_NO_ANSWER,
    ),
    Case(
        "the sources do not say",
        "it is said, with what comes nearest",
        _THREE,
        answer=Said("The price is not mentioned; its end is called a shame.", (_BROKEN,)),
        sufficient=False,
    ),
    Case(
        "the sources do not say",
        "what comes nearest is given a number of the model's own",
        _THREE,
        answer=Said("The price is not mentioned; it broke after 7 days.", (_BROKEN,)),
        sufficient=False,
        refused="main_answer_withheld",
    ),
    Case(
        "the sources do not say",
        "it is said, and a finding holds all the same",
        _THREE,
        answer=Said("The sources say nothing about the price.", ()),
        findings=(Said("It is loved for how quiet it is.", (_LOVED,)),),
        sufficient=False,
        instead=_NO_ANSWER,
    ),
    Case(
        "the sources do not say",
        "an answer is claimed, and nothing is quoted",
        _THREE,
        answer=Said("It costs very little.", ()),
        refused="main_answer_withheld",
    ),
)

CASES = (*LABELS, *SUGGESTIONS, *INSUFFICIENT)

"""From a reply to a published answer: what is kept, what is withheld, what is refused."""

import json
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from replies import CONTEXT, SOURCES, claim, findings_of, reason, reply, suggestion, verified, withheld

from research.rules import links, numbers
from research.rules.answers import MAX_ANSWER_BYTES, Verified, verify
from research.words.contract import Answer, Claim, QuerySuggestion, RequestKind, Sentiment
from research.words.records import Citations, EvidenceText, Span

NONE_GIVEN = "The model stated no limitations of this answer."
LINK = "See https://good.example/Review."
NO_ANSWER = "The selected sources do not answer this question."


def test_what_holds_is_published_with_the_passages_that_carry_it() -> None:
    document = reply(
        findings=[claim("Opinions differ.", "qt_3", "qt_2", "qt_1", basis="inferred", uncertainty="Few texts.")],
        query_suggestions=[suggestion(excluded_terms=["solar"])],
    )

    assert verified(document) == Verified(
        Answer(
            answer=Claim(
                statement="The battery lasts 12 hours.", basis="observed", evidence=CONTEXT[:1], uncertainty=""
            ),
            findings=(
                Claim(statement="Opinions differ.", basis="inferred", evidence=CONTEXT, uncertainty="Few texts."),
            ),
            sentiment=(),
            query_suggestions=(
                QuerySuggestion(
                    query="battery", excluded_terms=("solar",), evidence=CONTEXT[1:2], rationale="Half a day."
                ),
            ),
            limitations=("Three texts are no sample.",),
        ),
        Citations(
            spans=(
                Span(source=0, start=0, end=26),
                Span(source=2, start=10, end=21),
                Span(source=1, start=14, end=51),
            ),
            answer=(0,),
            findings=((1, 2, 0),),
            query_suggestions=((2,),),
        ),
    )


def test_citations_that_do_not_hold_are_left_out_and_disclosed() -> None:
    answer = verified(reply(answer={"sufficient": True, **claim("Loved.", "qt_bad", "qt_9", "qt_1", "qt_1 ")})).answer

    assert answer.answer.evidence == CONTEXT[:1]
    assert answer.limitations[1:] == (withheld("citations (2)", "quoted passage not found in the source (2)"),)


def test_a_finding_without_a_quotation_that_holds_is_withheld() -> None:
    expected = withheld("findings (2), citations (1)", "quoted passage not found in the source (3)")

    assert findings_of(claim("A", "qt_bad"), claim("B", quotations=[]), claim("C")) == (["C"], (expected,))


@pytest.mark.parametrize("source", ["ev_4", "ev_0", "ev_", "EV_1", "[ev_1]", "", "https://good.example"])
def test_a_source_outside_the_context_makes_its_quotation_not_hold(source: str) -> None:
    quotations = [*reply()["quotations"], {"id": "qt_5", "source": source, "text": "The battery lasts 12 hours"}]
    answer = verified(reply(quotations=quotations, findings=[claim("A", "qt_5")])).answer

    assert answer.findings == ()


@pytest.mark.parametrize(
    "statement",
    ["It lasts 12 hours.", "It lasts twelve hours.", "Asked about 77 things.", "On its own², it is fine.", "Opinions."],
)
def test_a_number_may_come_from_what_is_cited_or_from_the_question(statement: str) -> None:
    answer = verified(reply(findings=[claim(statement)]), question="What of the 77 things?").answer

    assert [finding.statement for finding in answer.findings] == [statement]


@pytest.mark.parametrize(
    "statement", ["It lasts 2 days.", "It lasts 120 hours.", "12% love it.", "Two love it.", "In 2026."]
)
def test_a_claim_with_a_number_that_nothing_cited_holds_is_withheld(statement: str) -> None:
    expected = withheld("findings (1)", "number not found in the cited sources or the question (1)")

    assert findings_of(claim(statement)) == ([], (expected,))


@pytest.mark.parametrize("asked", ["How is the battery?", "Does it really last for \u2468 hours?"])
def test_figures_in_another_form_than_digits_are_published_only_as_the_question_has_them(asked: str) -> None:
    answer = verified(reply(findings=[claim("\u2468 hours.")]), question=asked).answer

    assert [finding.statement for finding in answer.findings] == ["\u2468 hours."] * ("\u2468" in asked)


def test_figures_in_another_form_than_digits_are_published_as_a_cited_source_has_them() -> None:
    source = EvidenceText(text="It lasted for \u2468 hours.")
    quotations = [{"id": "qt_1", "source": "ev_1", "text": source.text}]
    document = reply(quotations=quotations, answer={"sufficient": True, **claim("It lasts \u2468 hours.")})

    said = verify(
        json.dumps(document), kind="question", context=CONTEXT[:1], sources=[source], question="", language="en"
    )

    assert said.answer.answer.statement == "It lasts \u2468 hours."


def test_numbers_are_proved_by_the_title_and_the_date_of_what_is_cited() -> None:
    assert findings_of(claim("In 2026.", "qt_2"), claim("On 3 November 2026.", "qt_3"))[0] == [
        "In 2026.",
        "On 3 November 2026.",
    ]


def test_a_source_is_read_once_however_many_claims_cite_it(monkeypatch: pytest.MonkeyPatch) -> None:
    read: Counter[tuple[str, str]] = Counter()

    def counted(name: str, reading: Callable[..., Any]) -> Callable[..., Any]:
        def counting(text: str, *more: Any) -> Any:
            read[name, text] += 1
            return reading(text, *more)

        return counting

    for module, name in ((numbers, "dressed"), (numbers, "supplied"), (links, "held")):
        monkeypatch.setattr(module, name, counted(name, getattr(module, name)))

    verified(reply(findings=[claim(f"{letter}: {said}") for letter in "abc" for said in ("\u2468", "12", LINK)]))

    assert [read[name, SOURCES[0].text] for name in ("dressed", "supplied", "held")] == [1, 1, 1]


def test_a_number_in_a_rationale_is_proved_too() -> None:
    answer = verified(
        reply(query_suggestions=[suggestion(rationale="99 texts."), suggestion("12 hours", rationale="In 2026.")])
    ).answer

    assert [suggested.query for suggested in answer.query_suggestions] == ["12 hours"]


@pytest.mark.parametrize(
    "broken",
    [
        {"statement": ""},
        {"statement": " \n"},
        {"statement": "\u200b"},
        {"statement": "[ev_1]"},
        {"statement": "x" * 2001},
        {"uncertainty": "x" * 1001},
    ],
)
def test_nothing_is_cut_to_fit(broken: dict[str, str]) -> None:
    assert findings_of(claim(**broken)) == ([], (withheld("findings (1)", "empty or too long (1)"),))
    assert reason(reply(answer={"sufficient": True, **claim(**broken)})) == "main_answer_withheld"


def test_texts_of_the_greatest_length_are_published() -> None:
    answer = verified(reply(findings=[claim("é" * 2000, uncertainty="電" * 1000)], limitations=["x" * 1000])).answer

    assert (answer.findings[0].statement, answer.limitations) == ("é" * 2000, ("x" * 1000,))


def test_items_beyond_the_contracts_count_are_withheld_in_order() -> None:
    letters = "abcdefghijklmnopqrstuvwxyz"
    document = reply(
        findings=[claim("A 99")] + [claim(letter) for letter in letters[:14]],
        query_suggestions=[suggestion(letter, excluded_terms=[*letters[:22]]) for letter in letters[:6]],
        limitations=[*letters[:11]],
    )
    answer = verified(document).answer

    assert [finding.statement for finding in answer.findings] == [*letters[:12]]
    assert [suggested.query for suggested in answer.query_suggestions] == [*letters[:5]]
    assert [suggested.excluded_terms for suggested in answer.query_suggestions] == [tuple(letters[:20])] * 5
    assert answer.limitations == (
        *letters[:9],
        withheld(
            "findings (3), query suggestions (1), excluded terms (10), limitations (2)",
            "number not found in the cited sources or the question (1); more than the permitted number (15)",
        ),
    )


def test_without_limitations_the_service_says_that_none_was_given() -> None:
    assert verified(reply(limitations=[])).answer.limitations == (NONE_GIVEN,)
    assert verified(reply(limitations=[]), language="日本語").answer.limitations == (
        "モデルはこの回答の限界を示しませんでした。",
    )


def test_a_main_answer_that_does_not_hold_is_refused() -> None:
    for broken in (claim("A", "qt_bad"), claim("A", quotations=[]), claim("99"), claim("By ev_1"), claim("evil.com")):
        assert reason(reply(answer={"sufficient": True, **broken})) == "main_answer_withheld"


@pytest.mark.parametrize("quotations", [[], ["qt_bad"], ["qt_9"]])
def test_sources_that_do_not_suffice_give_the_services_own_sentence_on_the_whole_context(quotations: list[str]) -> None:
    document = reply(answer={"sufficient": False, **claim("99 say so at evil.com", quotations=quotations)})
    result = verified(document)

    assert result.answer.answer == Claim(statement=NO_ANSWER, basis="inferred", evidence=CONTEXT, uncertainty="")
    assert result.citations == Citations(spans=(), answer=())


def test_an_insufficient_answer_with_a_quotation_that_holds_is_judged_like_any_other() -> None:
    insufficient = {"sufficient": False, **claim("Only the battery is mentioned.")}

    assert verified(reply(answer=insufficient)).answer.answer.statement == "Only the battery is mentioned."
    assert reason(reply(answer={**insufficient, "statement": "99"})) == "main_answer_withheld"


def test_each_selected_evidence_ends_with_exactly_one_label() -> None:
    labels = [
        {"source": " ev_3", "label": "positive", "uncertainty": "Short [ev_3]."},
        {"source": "ev_2", "label": "negative", "uncertainty": ""},
        {"source": "ev_2", "label": "mixed", "uncertainty": ""},
        {"source": "ev_7", "label": "mixed", "uncertainty": ""},
        {"source": " ev_3", "label": "positive", "uncertainty": "Short [ev_3]."},
    ]
    answer = verified(reply(sentiment=labels), "sentiment").answer
    unknown = "No usable label was given for this source."

    assert answer.sentiment == (
        Sentiment(**CONTEXT[0].model_dump(), label="unknown", uncertainty=unknown),
        Sentiment(**CONTEXT[1].model_dump(), label="unknown", uncertainty=unknown),
        Sentiment(**CONTEXT[2].model_dump(), label="positive", uncertainty="Short."),
    )
    assert answer.limitations[1:] == (
        withheld(
            "sentiment labels (3)",
            "source outside the selection (1); missing or contradictory, shown as “unknown” (2)",
        ),
    )


@pytest.mark.parametrize("kind", ["question", "overview", "themes", "audiences", "query_suggestions"])
def test_labels_are_dropped_where_no_sentiment_was_asked(kind: RequestKind) -> None:
    labels = [{"source": "ev_1", "label": "positive", "uncertainty": ""}]
    answer = verified(reply(sentiment=labels, query_suggestions=[suggestion()]), kind).answer

    assert (answer.sentiment, answer.limitations) == ((), ("Three texts are no sample.",))


def test_suggestions_that_were_asked_for_are_needed() -> None:
    assert reason(reply(), "query_suggestions") == "no_suggestion_holds"
    assert reason(reply(query_suggestions=[suggestion(quotations=["qt_bad"])]), "query_suggestions") == (
        "no_suggestion_holds"
    )


def test_an_answer_too_large_for_the_contract_is_refused() -> None:
    large = [claim(chr(0x5000 + place) * 2000, uncertainty="電" * 1000) for place in range(12)]

    assert reason(reply(findings=large)) == "too_large"
    assert len(json.dumps(verified(reply(findings=large[:6])).answer.model_dump(mode="json"))) < 2 * MAX_ANSWER_BYTES

"""What no published text may hold: names of the wire, and addresses or markup that its evidence does not."""
# ruff: noqa: RUF001 - look-alike characters are what these tests are about

import pytest
from replies import claim, findings_of, reply, suggestion, verified, withheld


@pytest.mark.parametrize(
    ("written", "published"),
    [
        ("Loved [ev_1].", "Loved."),
        ("Loved [ev_1, ev_2] by all (EV_3)", "Loved by all"),
        ("[ev_1] Loved", "Loved"),
        ("Loved [qt_1; qt_2]!", "Loved!"),
        ("Loved［ｅｖ＿１］。", "Loved。"),
        ("Loved [1] (see above)", "Loved [1] (see above)"),
    ],
)
def test_bracketed_aliases_are_removed_from_prose(written: str, published: str) -> None:
    answer = verified(
        reply(
            answer={"sufficient": True, **claim(written, uncertainty=written)},
            limitations=[written],
        ),
        question="1, 2, 3?",
    ).answer

    assert (answer.answer.statement, answer.answer.uncertainty, answer.limitations[0]) == (published,) * 3


@pytest.mark.parametrize(
    "text",
    [
        "By ev_1.",
        "EV_2 says",
        "ｅｖ_1",
        "\u0435v_1",
        "e\u200bv_1",
        "ev\\_1",
        "see (source ev_1)",
        "によるとev_1は",
        "ev_99",
        "qt_1",
    ],
)
def test_a_text_that_names_an_alias_otherwise_is_withheld(text: str) -> None:
    document = reply(
        findings=[claim(text), claim("x", uncertainty=text)],
        query_suggestions=[suggestion(text), suggestion(excluded_terms=[text]), suggestion(rationale=text)],
        limitations=[text],
    )
    answer = verified(document, question="1 2 99").answer

    assert (answer.findings, answer.query_suggestions) == ((), ())
    assert answer.limitations == (
        withheld("findings (2), query suggestions (3), limitations (1)", "internal name of a source in the text (6)"),
    )


def test_a_longer_word_that_ends_like_an_alias_is_none() -> None:
    assert findings_of(claim("The prev_12 build"))[0] == ["The prev_12 build"]


LINKS = [
    "https://evil.example/x",
    "See HTTP://EVIL.example",
    "evil.com/x",
    "evil.com",
    "www.evil.example",
    "a." * 40 + "evil.com",
    "me@evil.com",
    "javascript:alert(1)",
    "https:evil",
    "http:///evil.example",
    "http://[::1]/",
    "http:\\\\evil.example\\x",
    "1.2.3.4/x",
    "ht\u200btps://evil.example",
    "\uff48ttps\uff1a//evil.example",
    "https://good.example/review",
    "https://good.example/Review/more",
    "https://good.example.evil.com/Review",
    "https://good.example@evil.com",
    "[a](b)",
    "[a][b]",
    "![a](b)",
    "x\n\n[a]: b",
    "[[a]]",
    "<img src=x>",
    "<a href=x>",
    "<script>",
    "[url=x]",
    "\u202eelpmaxe.live//:sptth",
    "a\U000e0068\U000e0074",
]


@pytest.mark.parametrize("link", LINKS)
def test_an_address_or_markup_that_the_evidence_does_not_hold_withholds_every_text_with_it(link: str) -> None:
    document = reply(
        findings=[claim(link), claim("x", uncertainty=link)],
        sentiment=[{"source": "ev_1", "label": "positive", "uncertainty": link}],
        query_suggestions=[suggestion(link), suggestion(excluded_terms=[link]), suggestion(rationale=link)],
        limitations=[link],
    )
    answer = verified(document, "sentiment", question="1").answer

    assert (answer.findings, answer.query_suggestions) == ((), ())
    assert [label.label for label in answer.sentiment] == ["unknown"] * 3
    assert answer.limitations == (
        withheld(
            "findings (2), query suggestions (3), sentiment labels (3), limitations (1)",
            "web address or markup not found in the sources (7); missing or contradictory, shown as “unknown” (2)",
        ),
    )


@pytest.mark.parametrize(
    "text", ["See https://good.example/Review!", "See good.example/Review/", "a < b, e.g. I.E. and/or <3"]
)
def test_an_address_that_the_cited_evidence_holds_is_published(text: str) -> None:
    answer = verified(reply(findings=[claim(text)], limitations=[text]), question="3").answer

    assert ([finding.statement for finding in answer.findings], answer.limitations) == ([text], (text,))


def test_an_address_of_evidence_that_is_not_cited_is_withheld() -> None:
    assert findings_of(claim("See https://good.example/Review", "qt_2"))[0] == []

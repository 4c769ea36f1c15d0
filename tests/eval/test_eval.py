"""The evaluation set: nothing is wrongly published, nothing wrongly withheld, and the judge would see it."""

import dataclasses
import io
from collections import Counter
from typing import Any, get_args

import pytest
from rich.console import Console

from eval import run
from eval.case import Case, Quoted, Said, Topic, texts
from eval.cases import CASES
from eval.judging import judge
from research.rules.instructions import RULES


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.topic}: {case.name}")
def test_everything_is_published_or_withheld_as_the_case_says(case: Case) -> None:
    judgement = judge(case)

    assert (judgement.wrongly_published, judgement.wrongly_withheld, judgement.faults) == ((), (), ())
    assert judgement.true_citations == judgement.published_citations


def test_the_set_has_at_least_forty_cases_no_two_alike_and_every_topic() -> None:
    topics = Counter(case.topic for case in CASES)

    assert len(CASES) == len({(case.topic, case.name) for case in CASES}) >= 40
    assert set(topics) == set(get_args(Topic))
    assert min(topics.values()) >= 5


def test_what_the_prompt_alone_guards_is_forbidden_by_the_prompt_and_counted() -> None:
    guarded = [case for case in CASES if case.topic == "guarded by the prompt alone"]

    assert [case.name for case in guarded if not case.guard or case.guard not in RULES] == []
    assert [case.name for case in CASES if bool(judge(case).prompt_alone) is not (case in guarded)] == []


HELD = Case(
    "not verbatim",
    "a case to turn round",
    texts("The clip broke within a week, they say."),
    (Said("The clip broke.", (Quoted("The clip broke within", "The clip broke within"),)),),
)


@pytest.mark.parametrize(
    ("change", "published", "withheld"),
    [
        ({}, [], []),
        ({"fate": "number"}, ["finding"], []),
        ({"shown": "The clip held."}, ["finding"], ["finding"]),
        ({"quoted": (Quoted("The clip broke within", "clip broke within"),)}, ["finding"], ["finding"]),
        ({"quoted": (Quoted("The clip held for a week", "The clip held for a week"),)}, [], ["finding"]),
    ],
)
def test_the_judge_sees_what_is_not_as_the_case_says(
    change: dict[str, Any], published: list[str], withheld: list[str]
) -> None:
    case = dataclasses.replace(HELD, findings=(dataclasses.replace(HELD.findings[0], **change),))

    judgement = judge(case)

    assert [item[0] for item in judgement.wrongly_published] == published
    assert [item[0] for item in judgement.wrongly_withheld] == withheld
    assert judgement.is_right is not bool(published or withheld)


def test_a_citation_of_a_passage_that_the_case_does_not_name_lowers_the_precision() -> None:
    said = dataclasses.replace(HELD.findings[0], quoted=(Quoted("The clip broke within", "clip broke"),))

    judgement = judge(dataclasses.replace(HELD, findings=(said,)))

    assert (judgement.published_citations, judgement.true_citations) == (2, 1)


def test_a_refusal_where_an_answer_must_be_and_an_answer_where_none_may_be_are_seen() -> None:
    refused = judge(dataclasses.replace(HELD, raw="no reply"))
    answered = judge(dataclasses.replace(HELD, refused="shape"))

    assert (refused.faults, len(refused.wrongly_withheld)) == (("refused as not_json",), 3)
    assert (answered.faults, len(answered.wrongly_published)) == (("published, and not refused as shape",), 3)


def test_the_table_names_every_topic_and_its_exit_code_says_that_all_is_well() -> None:
    printed = io.StringIO()

    code = run.main(Console(file=printed, width=140))

    assert code == 0
    assert [topic for topic in get_args(Topic) if topic not in printed.getvalue()] == []


def test_a_case_that_is_not_as_it_must_be_is_printed_and_makes_the_exit_code_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    printed = io.StringIO()
    monkeypatch.setattr(run, "CASES", (dataclasses.replace(HELD, refused="shape"),))

    assert run.main(Console(file=printed, width=140)) == 1
    assert "wrongly published: finding | The clip broke." in printed.getvalue()

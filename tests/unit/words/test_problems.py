"""Refusals: one table, and documents that hold what RFC 9457 and the service promise, and nothing else."""

from http import HTTPStatus

import pytest

from research.words.problems import MEDIA_TYPE, TABLE, FieldError, Problem

every_code = pytest.mark.parametrize("code", sorted(TABLE))


@every_code
def test_a_problem_document_holds_exactly_the_promised_members(code: str) -> None:
    kind = TABLE[code]

    assert Problem(code).document("the-request") == {
        "type": f"urn:cited-research:problem:{code}",
        "title": kind.title,
        "status": kind.status,
        "detail": f"{kind.title}. {kind.next_step}",
        "code": code,
        "retryable": kind.retryable,
        "request_id": "the-request",
    }


@every_code
def test_each_problem_has_an_http_error_status_a_title_and_a_next_step(code: str) -> None:
    kind = TABLE[code]

    assert HTTPStatus(kind.status) >= HTTPStatus.BAD_REQUEST
    assert Problem(code).status == kind.status
    assert kind.title[0].isupper()
    assert not kind.title.endswith(".")
    assert kind.next_step.endswith(".")


@every_code
def test_only_what_failed_on_our_side_or_waits_for_another_is_worth_sending_again_unchanged(code: str) -> None:
    assert TABLE[code].retryable == (TABLE[code].status >= 500 or code == "import_in_progress")


def test_the_detail_says_what_happened_and_then_what_to_do() -> None:
    document = Problem("capability_required", "agent:research is missing.").document("id")

    assert document["detail"] == f"agent:research is missing. {TABLE['capability_required'].next_step}"


def test_facts_become_members_of_the_document() -> None:
    document = Problem("revision_conflict", facts={"current_revision": 7}).document("id")

    assert document == {**Problem("revision_conflict").document("id"), "current_revision": 7}


def test_faults_of_fields_are_listed_by_pointer_and_never_by_value() -> None:
    errors = (FieldError("/title", "is too long"), FieldError("/context/evidence/0", "is missing"))

    document = Problem("invalid_request", errors=errors).document("id")

    assert document == {
        **Problem("invalid_request").document("id"),
        "errors": [
            {"pointer": "/title", "detail": "is too long"},
            {"pointer": "/context/evidence/0", "detail": "is missing"},
        ],
    }


def test_a_problem_can_be_raised_and_caught() -> None:
    with pytest.raises(Problem) as caught:
        raise Problem("not_found", facts={"pointer": "/context/project_id"})

    assert (caught.value.code, caught.value.status) == ("not_found", 404)


def test_an_unknown_code_is_no_problem_of_ours() -> None:
    with pytest.raises(KeyError):
        Problem("no_such_code").document("id")


def test_problems_are_sent_under_their_own_media_type() -> None:
    assert MEDIA_TYPE == "application/problem+json"

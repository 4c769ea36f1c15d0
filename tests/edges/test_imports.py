"""An import is visible all at once or not at all, whatever happens in the middle of it and beside it."""

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from harness.service import Service

from infra.local.aws_faults import CONFLICT, Call, Fault, always
from research.operations.importing import Publication
from research.operations.ports import Busy
from research.words import records
from research.words.problems import Problem
from research.words.records import Project, Ref
from research.words.sources import Source
from tests.edges.source_calls import editing, everything, head, imported, listed, project, reading, withdrawn


@pytest.fixture
def service(service: Service, monkeypatch: pytest.MonkeyPatch) -> Service:
    """The service, its store never waiting, its owner an editor of sources."""
    monkeypatch.setattr("botocore.endpoint.time", SimpleNamespace(sleep=lambda _seconds: None))
    service.evidence._calls._pause = lambda _seconds: None
    return editing(service)


def sources(count: int, words: str = "Review") -> list[Source]:
    return [Source(id=f"n{number}", text=f"{words} {number}.") for number in range(count)]


def project_ref(service: Service) -> Ref[Project]:
    return records.project(service.workspace_id, service.project_id)


def published(service: Service, rows: Any) -> Publication:
    return service.wiring.importing().publish(service.workspace_id, service.project_id, rows)


def meanwhile(rows: list[Source], act: Callable[[], Any]) -> Iterator[Source]:
    """The rows, with something else done when all but the last portion of them is staged."""
    yield from rows[:-1]
    act()
    yield rows[-1]


def just_before(service: Service, action: str, act: Callable[[], Any]) -> None:
    """Have somebody else act once, right before the next write of this kind."""
    waiting = [act]

    def overtake(**_: Any) -> None:
        if waiting:
            waiting.pop()()

    service.evidence._calls.client.meta.events.register(f"before-call.dynamodb.{action}", overtake)


def code(act: Callable[[], Any]) -> str:
    with pytest.raises(Problem) as caught:
        act()
    return caught.value.code


def shown(service: Service) -> Any:
    """All that a reader is told of the project and its evidence."""
    answer = listed(service, limit=100).body
    return answer, [reading(service, row["evidence_id"], row["revision"]).body for row in answer["evidence"]]


def test_nothing_is_visible_before_the_publication_and_everything_after_it(service: Service) -> None:
    before, seen = shown(service), []

    published(
        service, meanwhile([*sources(85), Source(id="e1", text="Six hours.")], lambda: seen.append(shown(service)))
    )

    assert seen == [before]
    assert len(listed(service, limit=100).body["evidence"]) == 88
    assert reading(service, service.published.evidence[0].evidence_id, 2).body["text"] == "Six hours."


def test_a_conversation_works_on_while_its_evidence_is_being_imported_anew(service: Service) -> None:
    conversation = service.create().body["conversation"]
    rows = [Source(id="e1", text="Six hours."), *sources(80)]
    reasons: list[Any] = []

    def ask() -> None:
        reasons.append(service.request(conversation).body["run"]["failure_code"])
        service.deliver()
        reasons.append(service.get(conversation["id"]).body["runs"][0]["status"])

    published(service, meanwhile(rows, ask))

    assert reasons == [None, "completed"]
    assert service.get(conversation["id"]).body["availability"]["reason"] == "context_changed"


def test_what_a_failed_import_staged_is_never_shown_by_a_later_one(service: Service) -> None:
    before = shown(service)

    def failing() -> Iterator[Source]:
        yield from [Source(id="e1", text="Six hours."), *sources(80, "Failed")]
        raise ConnectionError

    with pytest.raises(ConnectionError):
        published(service, failing())
    after = shown(service)
    published(service, [Source(id="e2", text="Quieter."), *sources(2, "Later")])

    assert after == before
    _, texts = shown(service)
    assert "Failed" not in str(texts)
    assert sorted(text["revision"] for text in texts) == [1, 1, 1, 1, 2]
    assert service.create(context=service.context(published(service, sources(1, "Later")))).status == 200


def test_a_failed_imports_text_takes_no_revision_and_is_erased_with_its_evidence(service: Service) -> None:
    evidence_id = service.published.evidence[0].evidence_id
    for lost, kept in (("Lost words.", "Six hours."), ("Lost again.", "Six hours.")):
        with service.aws.faults(refusing_to_publish), pytest.raises(Busy):
            published(service, [Source(id="e1", text=lost)])
        published(service, [Source(id="e1", text=kept), *sources(1)])
    latest = head(service, evidence_id).latest

    withdrawn(service, evidence_id)

    assert (latest.revision, latest.size) == (2, len("Six hours."))
    assert [words for words in ("Lost", "Six hours") if words in everything(service)] == []


def refusing_to_publish(call: Call) -> Fault | None:
    return CONFLICT if call.action == "TransactWriteItems" and "SNAPSHOT#" in str(call.body) else None


@pytest.mark.parametrize("action", ["PutItem", "BatchGetItem", "TransactWriteItems"])
def test_an_import_whose_table_fails_is_busy_and_has_published_nothing(service: Service, action: str) -> None:
    before = shown(service)

    with service.aws.faults(always(action, CONFLICT)):
        refused = imported(service, {"id": "e1", "text": "Six hours."})

    assert (refused.status, refused.code) == (503, "busy")
    assert shown(service) == before
    assert imported(service, {"id": "e1", "text": "Six hours."}).body["changed"] == 1


def test_a_second_import_is_told_that_one_is_in_progress(service: Service) -> None:
    answers: list[Any] = []

    first = published(service, meanwhile(sources(50), lambda: answers.append(imported(service, {"text": "Mine."}))))

    refused = [(answer.status, answer.code, answer.body["retryable"]) for answer in answers]
    assert refused == [(409, "import_in_progress", True)]
    assert (first.tally.new, first.project_revision) == (50, 2)
    assert imported(service, {"text": "Mine."}).body["project_revision"] == 3


def test_of_two_imports_that_begin_in_the_same_millisecond_one_is_told_so(service: Service) -> None:
    begun: list[Project] = []
    just_before(service, "PutItem", lambda: begun.append(service.wiring.importing()._begin(project_ref(service))))

    assert code(lambda: published(service, sources(1))) == "import_in_progress"
    assert begun == [project(service)]


@pytest.mark.parametrize("rows", [pytest.param(40, id="publish"), pytest.param(41, id="stage")])
def test_one_that_was_silent_for_five_minutes_is_given_up_and_can_do_nothing_more(service: Service, rows: int) -> None:
    def silent() -> Iterator[Source]:
        yield from sources(rows, "Silent")
        service.time.pass_(minutes=5)
        published(service, sources(1, "Overtaking"))

    assert code(lambda: published(service, silent())) == "import_in_progress"
    assert "Overtaking" in str(shown(service))
    assert "Silent" not in str(shown(service))
    assert (project(service).importing, project(service).revision) == (None, 3)


def test_each_portion_is_a_sign_of_life(service: Service) -> None:
    answers: list[str] = []

    def slow() -> Iterator[Source]:
        for number, source in enumerate(sources(120)):
            if number % 40 == 39:
                service.time.pass_(minutes=5, milliseconds=-1)
                answers.append(imported(service, {"text": "Mine."}).code)
            yield source

    assert published(service, slow()).tally.new == 120
    assert answers == ["import_in_progress"] * 3


@pytest.mark.parametrize("staged_before", [True, False])
def test_a_withdrawal_beside_an_import_is_not_undone_by_it(service: Service, staged_before: bool) -> None:
    evidence_id = service.published.evidence[0].evidence_id
    racing, others = Source(id="e1", text="Racing words."), sources(60)
    rows = [racing, *others] if staged_before else [*others, racing]

    published(service, meanwhile(rows, lambda: withdrawn(service, evidence_id)))

    assert head(service, evidence_id).withdrawn_at is not None
    assert "Racing words." not in everything(service)
    assert evidence_id not in [row["evidence_id"] for row in listed(service, limit=100).body["evidence"]]


def test_a_withdrawal_between_reading_and_staging_makes_the_portion_decided_anew(service: Service) -> None:
    evidence_id = service.published.evidence[0].evidence_id
    just_before(service, "TransactWriteItems", lambda: withdrawn(service, evidence_id))

    publication = published(service, [Source(id="e1", text="Racing words."), *sources(3)])

    assert (publication.tally.withdrawn, publication.tally.new, publication.tally.changed) == (1, 3, 0)
    assert "Racing words." not in everything(service)


def test_a_project_deleted_under_an_import_takes_nothing_more(service: Service) -> None:
    def delete() -> None:
        service.put(project_ref(service), project(service).model_copy(update={"deleted_at": service.time.now}))

    rows = meanwhile(sources(90), delete)

    assert code(lambda: published(service, rows)) == "not_found"


def test_two_thousand_rows_are_taken_portion_by_portion(service: Service) -> None:
    portions: list[int] = []

    def rows() -> Iterator[Source]:
        for source in sources(2_000):
            portions.append(service.aws.calls["dynamodb", "TransactWriteItems"])
            yield source

    service.aws.calls.clear()

    assert published(service, rows()).tally.new == 2_000
    assert portions == [number // 40 for number in range(2_000)]


def test_a_call_of_a_hundred_sources_makes_ten_round_trips(service: Service) -> None:
    service.aws.calls.clear()

    imported(service, *({"text": f"Review {number}."} for number in range(100)))

    assert service.aws.calls == {
        ("dynamodb", "BatchGetItem"): 5,
        ("dynamodb", "PutItem"): 1,
        ("dynamodb", "TransactWriteItems"): 4,
    }

"""Archiving a conversation, and deleting it: what stays readable, what is erased, and that nothing acts twice."""

from typing import Any

from harness.model import quoting, reply
from harness.service import DEFAULT_REPLY, TEXTS, Response, Service, new_id

from research.operations.provider import Reply
from research.rules.prompt import Prompt
from research.words import records
from research.words.records import Mutation
from tests.edges.invocations import just_before_the_write, outcome, spent, stored
from tests.edges.source_calls import everything, found

SAID = ("A title of mine", "Only I ask this?", "The reviewers describe it in their own words.")


def archiving(service: Service, conversation: Any, **changes: Any) -> dict[str, Any]:
    names = {"conversation_id": conversation["id"], "expected_revision": conversation["revision"]}
    return {"workspace_id": service.workspace_id, "mutation_id": new_id(), **names, **changes}


def archived(service: Service, conversation: Any, **changes: Any) -> Response:
    return service.send("conversations_archive", archiving(service, conversation, **changes))


def deleting(service: Service, conversation_id: str, **changes: Any) -> dict[str, Any]:
    names = {"workspace_id": service.workspace_id, "conversation_id": conversation_id}
    return {**names, "mutation_id": new_id(), **changes}


def deleted(service: Service, conversation_id: str, **changes: Any) -> Response:
    return service.send("conversations_delete", deleting(service, conversation_id, **changes))


def test_an_archived_conversation_is_one_revision_on_readable_and_closed_to_requests(service: Service) -> None:
    run = service.asked()
    service.deliver()
    before = service.get(run["conversation_id"]).body

    answer = archived(service, before["conversation"])

    changed = {"archived": True, "availability": "archived", "revision": 4}
    assert answer.body == before | {"conversation": before["conversation"] | changed}
    assert service.get(run["conversation_id"]).body == answer.body
    assert service.request(answer.body["conversation"]).code == "conversation_archived"
    assert service.citations(run).body["citations"] is not None
    assert found(service, "conversations_list").body["conversations"][0]["archived"] is True


def test_a_conversation_is_archived_at_its_current_revision_and_once(service: Service) -> None:
    conversation = service.create().body["conversation"]
    service.request(conversation)
    body = archiving(service, conversation | {"revision": 2})

    stale = archived(service, conversation)
    first, again = (service.send("conversations_archive", body) for _ in range(2))
    twice = archived(service, first.body["conversation"])
    other_body = service.send("conversations_archive", body | {"expected_revision": 3})

    assert (stale.status, stale.code, stale.body["current_revision"]) == (409, "revision_conflict", 2)
    assert (first.replayed, again.replayed, again.body) == (False, True, first.body)
    assert [answer.code for answer in (twice, other_body)] == ["conversation_archived", "mutation_conflict"]


def test_an_expired_conversation_cannot_be_archived(service: Service) -> None:
    conversation = service.create().body["conversation"]
    service.time.pass_(hours=24)

    assert archived(service, conversation).code == "conversation_expired"
    service.time.pass_(hours=24)
    assert archived(service, conversation).code == "not_found"


def test_a_run_that_is_open_when_its_conversation_is_archived_still_brings_its_answer(service: Service) -> None:
    conversation = service.create().body["conversation"]
    run = service.request(conversation).body["run"]
    archive = archiving(service, conversation | {"revision": 2})
    service.send("conversations_archive", archive)

    service.deliver()

    assert outcome(service, run) == ("completed", None)
    read = service.get(conversation["id"]).body
    assert (read["conversation"]["revision"], len(read["messages"])) == (4, 2)
    assert service.send("conversations_archive", archive).body == read


def test_a_question_that_comes_between_makes_the_archiving_a_conflict(service: Service) -> None:
    conversation = service.create().body["conversation"]
    just_before_the_write(service, lambda: service.request(conversation))

    refused = archived(service, conversation)

    assert (refused.code, refused.body["current_revision"]) == ("revision_conflict", 2)


def test_deleting_erases_at_once_all_that_was_said_and_a_day_later_the_mutations_that_said_it(service: Service) -> None:
    service.model.script = [reply(quoting(("ev_1", TEXTS[0])))]
    conversation = service.create(title=SAID[0]).body["conversation"]
    service.request(conversation, question=SAID[1])
    service.deliver()
    assert [words for words in SAID if words not in everything(service)] == []

    answer = deleted(service, conversation["id"])

    assert answer.body == {"conversation_id": conversation["id"], "deleted": True}
    assert [words for words in SAID if words in everything(service)] == []
    assert kept(service) == {"MUTATION": 3, "OWNER": 0, "CONVERSATION": 2}
    service.time.pass_(hours=24)
    while service.sweep():
        pass
    assert kept(service) == {"MUTATION": 0, "OWNER": 0, "CONVERSATION": 2}


def test_a_mutation_that_asked_in_a_deleted_conversation_asks_in_no_other(service: Service) -> None:
    conversation = service.create().body["conversation"]
    body = service.asking(conversation)
    service.send("assistant_request", body)
    deleted(service, conversation["id"])

    other = service.create().body["conversation"]
    again = service.send("assistant_request", body | {"conversation_id": other["id"]})

    assert again.code == "mutation_conflict"


def kept(service: Service) -> dict[str, int]:
    kinds = [item["pk"]["S"].partition("#")[0] for item in service.items()]
    return {kind: kinds.count(kind) for kind in ("MUTATION", "OWNER", "CONVERSATION")}


def test_a_deleted_conversation_is_not_found_by_anything(service: Service) -> None:
    run = service.asked()
    service.deliver()
    conversation = service.get(run["conversation_id"]).body["conversation"]
    deleted(service, conversation["id"])

    answers = [
        service.get(conversation["id"]),
        service.status(run),
        service.citations(run),
        service.request(conversation),
        archived(service, conversation),
        deleted(service, conversation["id"]),
    ]

    assert {answer.code for answer in answers} == {"not_found"}
    assert len({str({**answer.body, "request_id": ""}) for answer in [*answers, service.get(new_id())]}) == 1
    assert found(service, "conversations_list").body["conversations"] == []


def test_a_deletion_that_is_sent_again_says_the_same_and_writes_nothing(service: Service) -> None:
    body = deleting(service, service.create().body["conversation"]["id"])
    first = service.send("conversations_delete", body)
    after = service.items()

    again = service.send("conversations_delete", body)
    elsewhere = service.send("conversations_delete", body | {"conversation_id": new_id()})

    assert (first.replayed, again.replayed, again.body) == (False, True, first.body)
    assert (elsewhere.code, service.items()) == ("mutation_conflict", after)


def test_open_runs_are_cancelled_and_never_generated(service: Service) -> None:
    run = service.asked()
    deleted(service, run["conversation_id"])

    service.deliver()
    service.time.pass_(hours=24)

    ended = stored(service, run)
    assert (ended.status, ended.failure_code, ended.due_at) == ("cancelled", "cancelled", None)
    assert (service.sweep(), service.sweep(), service.model.prompts) == ({"erased": 1, "forgotten": 3}, {}, [])


def test_an_answer_to_a_conversation_deleted_meanwhile_is_discarded(service: Service) -> None:
    run = service.asked()

    def answer_too_late(_prompt: Prompt) -> Reply:
        assert deleted(service, run["conversation_id"]).status == 200
        return DEFAULT_REPLY

    service.model.script = [answer_too_late]
    service.deliver()

    assert (stored(service, run).status, spent(service)) == ("cancelled", records.Budget(runs=1, tokens=100))
    assert SAID[2] not in everything(service)


def test_an_answer_published_between_reading_and_deleting_is_erased_as_well(service: Service) -> None:
    run = service.asked()
    just_before_the_write(service, service.deliver)

    deleted(service, run["conversation_id"])

    assert (stored(service, run).status, spent(service)) == ("completed", records.Budget(runs=1, tokens=100))
    assert SAID[2] not in everything(service)


def test_a_question_accepted_between_reading_and_deleting_is_erased_and_its_run_cancelled(service: Service) -> None:
    conversation = service.create().body["conversation"]
    runs: list[Any] = []
    just_before_the_write(service, lambda: runs.append(service.request(conversation, question=SAID[1]).body["run"]))

    deleted(service, conversation["id"])
    service.deliver()

    assert (stored(service, runs[0]).status, service.model.prompts) == ("cancelled", [])
    assert SAID[1] not in everything(service)


def test_what_made_a_deleted_conversation_never_makes_it_again(service: Service) -> None:
    creation = service.creation()
    conversation = service.send("conversations_create", creation).body["conversation"]
    asking = service.asking(conversation)
    service.send("assistant_request", asking)
    service.wire(DAILY_RUNS="0")
    refused = service.asking(conversation | {"revision": 2})
    run = service.send("assistant_request", refused).body["run"]
    deleted(service, conversation["id"])
    after = service.items()

    for _ in range(3):
        answers = [
            service.send("conversations_create", creation),
            service.send("assistant_request", asking),
            service.send("assistant_request", refused),
            service.status(run),
        ]
        assert [answer.code for answer in answers] == ["not_found"] * 4
        service.time.pass_(hours=23)
    assert service.items() == after


def test_an_expired_conversation_may_be_deleted_under_any_mutation_that_is_free_again(service: Service) -> None:
    creation = service.creation()
    conversation = service.send("conversations_create", creation).body["conversation"]
    used = new_id()
    service.time.pass_(hours=2)
    over = Mutation(operation="sources_import", digest="", expires_at=service.time.now)
    service.put(records.mutation(service.workspace_id, service.principal_id, used), over)

    assert archived(service, conversation, mutation_id=used).status == 200
    service.time.pass_(hours=23)
    body = deleting(service, conversation["id"], mutation_id=creation["mutation_id"])
    answers = [service.send("conversations_delete", body) for _ in range(2)]

    assert [(answer.status, answer.replayed) for answer in answers] == [(200, False), (200, True)]

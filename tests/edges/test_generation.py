"""The worker: each way in which a run can end, and what is asked of the model."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from harness.model import quoting, reply
from harness.service import DEFAULT_REPLY, TEXTS, Service

from research.edges.queue_consumer import Consumer
from research.operations.generation import Generation
from research.operations.provider import NotGenerated, Reply, Unconfirmed, Unusable
from research.rules.instructions import TASKS
from research.rules.prompt import Prompt
from research.rules.transitions import Backoff
from research.words import records
from research.words.records import Budget, Edition, Evidence, EvidenceText, Member, Project
from tests.edges.invocations import outcome, spent, stored


def rewrite_member(service: Service, **fields: Any) -> None:
    given = {"role": "owner", "capabilities": ("agent:research",), **fields}
    service.put(records.member(service.workspace_id, service.principal_id), Member(**given))


def withdraw(service: Service) -> None:
    ref = records.evidence(service.workspace_id, service.project_id, service.published.evidence[1].evidence_id)
    head = service.store.fetch(ref)[ref]
    assert head is not None
    service.put(ref, head.model_copy(update={"withdrawn_at": service.time.now}))


def delete_project(service: Service) -> None:
    deleted = Project(name="Fans", revision=1, deleted_at=service.time.now)
    service.put(records.project(service.workspace_id, service.project_id), deleted)


CHANGES: dict[str, tuple[str, Callable[[Service], Any]]] = {
    "the project was closed to the member": ("access_changed", lambda service: rewrite_member(service, projects=())),
    "the capability was taken away": ("access_changed", lambda service: rewrite_member(service, capabilities=())),
    "the role was lowered": ("access_changed", lambda service: rewrite_member(service, role="viewer")),
    "the member was removed": (
        "access_changed",
        lambda service: service.store.erase([records.member(service.workspace_id, service.principal_id)]),
    ),
    "evidence was withdrawn": ("source_unavailable", withdraw),
    "the project was deleted": ("source_unavailable", delete_project),
    "evidence has a newer revision": ("context_changed", lambda service: service.publish("Six hours.", names=["e1"])),
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_run_is_not_generated_once_what_it_stands_on_has_changed(service: Service, what: str) -> None:
    run = service.asked()
    code, change = CHANGES[what]
    change(service)

    assert service.deliver() == 1

    ended = stored(service, run)
    assert (ended.status, ended.failure_code, ended.call_started_at) == ("failed", code, None)
    assert service.model.prompts == []


def test_without_a_provider_a_run_fails_as_not_configured(service: Service) -> None:
    run = service.asked()
    backoff = Backoff(first=timedelta(), longest=timedelta())
    service.consumer = Consumer(Generation(service.store, None, service.time, backoff), service.wiring.queue)

    service.deliver()

    assert outcome(service, run) == ("failed", "not_configured")


ENDS: dict[str, tuple[Exception, int]] = {
    "not_configured": (NotGenerated("not_configured"), 0),
    "input_too_large": (NotGenerated("input_too_large"), 0),
    "provider_unavailable": (NotGenerated("provider_unavailable"), 0),
    "generation_unconfirmed": (Unconfirmed(), 0),
    "invalid_output": (Unusable(tokens=70, model_version="scripted-2", reason="blocked"), 70),
}


@pytest.mark.parametrize("code", ENDS)
def test_a_call_that_failed_for_good_ends_its_run_and_changes_nothing_else(service: Service, code: str) -> None:
    conversation = service.create().body["conversation"]
    run = service.request(conversation).body["run"]
    ending, tokens = ENDS[code]
    service.model.script = [ending]

    assert service.deliver() == 1

    read = service.get(conversation["id"]).body
    assert outcome(service, run) == ("failed", code)
    assert (read["conversation"]["revision"], len(read["messages"])) == (2, 1)
    assert len(service.model.prompts) == 1
    assert spent(service) == Budget(runs=1, tokens=tokens)
    assert stored(service, run).due_at is None


def test_a_reply_whose_answer_does_not_hold_is_paid_for_and_not_published(service: Service) -> None:
    run = service.asked()
    service.model.script = [reply(quoting(("ev_1", "these words are nowhere in it")), tokens=40)]

    service.deliver()

    ended = stored(service, run)
    assert (ended.status, ended.failure_code, ended.model_version) == ("failed", "invalid_output", "scripted-1")
    assert (service.status(run).body["message"], spent(service)) == (None, Budget(runs=1, tokens=40))


def test_a_run_delivered_after_24_hours_is_not_generated(service: Service) -> None:
    run = service.asked()
    service.time.pass_(hours=24)

    assert service.deliver() == 1

    assert service.model.prompts == []
    assert outcome(service, run) == ("expired", "expired")


def test_an_answer_that_comes_after_24_hours_is_discarded_and_paid_for(service: Service) -> None:
    run = service.asked()
    service.time.pass_(hours=23, minutes=59)

    def answer_late(_prompt: Prompt) -> Reply:
        service.time.pass_(minutes=1)
        return DEFAULT_REPLY

    service.model.script = [answer_late]
    service.deliver()

    ended = stored(service, run)
    assert (ended.status, ended.failure_code, ended.unsettled) == ("expired", "expired", None)
    assert not [item for item in service.items() if item["sk"]["S"].endswith("#A")]
    assert spent(service) == Budget(runs=1, tokens=100)


def test_a_run_that_was_ended_while_its_answer_was_written_stays_ended(service: Service) -> None:
    run = service.asked()

    def answer_after_the_outcome_was_given_up(_prompt: Prompt) -> Reply:
        service.time.pass_(seconds=181)
        assert service.sweep() == {"unconfirmed": 1}
        return DEFAULT_REPLY

    service.model.script = [answer_after_the_outcome_was_given_up]
    service.deliver()

    assert outcome(service, run) == ("failed", "generation_unconfirmed")
    assert service.status(run).body["message"] is None
    assert service.get(run["conversation_id"]).body["conversation"]["revision"] == 2


def test_what_is_asked_is_the_question_its_kind_its_language_and_every_pinned_text(service: Service) -> None:
    conversation = service.create(language="fr").body["conversation"]
    service.request(conversation, question="Combien de temps dure-t-elle ?", request_kind="themes")

    service.deliver()

    (prompt,) = service.model.prompts
    assert prompt.aliases == ("ev_1", "ev_2", "ev_3")
    assert all(text in prompt.contents for text in TEXTS)
    assert "begin question]\nCombien de temps dure-t-elle ?\n" in prompt.contents
    assert "begin language]\nfr\n" in prompt.contents
    assert TASKS["themes"] in prompt.system


def test_a_text_that_is_imported_and_not_yet_published_is_not_sent(service: Service) -> None:
    service.asked()
    evidence_id = service.published.evidence[0].evidence_id
    names = service.workspace_id, service.project_id, evidence_id
    head = service.store.fetch(records.evidence(*names))[records.evidence(*names)]
    assert head is not None
    staged = Edition(revision=2, since=2, size=10)
    service.put(records.evidence_text(*names, 2), EvidenceText(text="Six hours."))
    service.put(records.evidence(*names), Evidence(latest=staged, previous=head.latest))

    service.deliver()

    (prompt,) = service.model.prompts
    assert TEXTS[0] in prompt.contents
    assert "Six hours." not in prompt.contents

"""Which earlier exchanges go with a question: those of its own chain of parents, and only whole ones."""

import re
from typing import Any

from harness.model import claim, quoting, reply
from harness.service import TEXTS, Service

from research.words import ids


def earlier(service: Service) -> list[str]:
    """The earlier questions of the latest prompt, oldest first."""
    contents = service.model.prompts[-1].contents
    return re.findall(r"begin earlier_question_\d+\]\n(.*)", contents)


def asked(service: Service, conversation_id: str, question: str, parent: str | None) -> Any:
    """The run of a question that was asked and delivered."""
    current = service.get(conversation_id).body["conversation"]
    run = service.request(current, question=question, parent_message_id=parent).body["run"]
    service.deliver()
    return run


def test_a_question_brings_the_exchanges_of_its_own_branch_and_no_sister_branch(service: Service) -> None:
    conversation = service.create().body["conversation"]["id"]
    root = asked(service, conversation, "How loud is it?", None)
    one = asked(service, conversation, "And at night?", ids.answer_id(root["id"]))
    asked(service, conversation, "And by day?", ids.answer_id(root["id"]))

    asked(service, conversation, "And in summer?", ids.answer_id(one["id"]))

    assert earlier(service) == ["How loud is it?", "And at night?"]


def test_a_question_asked_of_a_question_brings_no_half_an_exchange(service: Service) -> None:
    conversation = service.create().body["conversation"]["id"]
    root = asked(service, conversation, "How loud is it?", None)
    one = asked(service, conversation, "And at night?", ids.answer_id(root["id"]))

    asked(service, conversation, "I mean in winter.", ids.question_id(one["id"]))

    assert earlier(service) == ["How loud is it?"]


def test_an_exchange_that_failed_is_no_part_of_the_thread(service: Service) -> None:
    conversation = service.create().body["conversation"]["id"]
    root = asked(service, conversation, "How loud is it?", None)
    service.model.script = [reply("no reply at all"), reply(quoting(("ev_1", TEXTS[0])))]
    failed = asked(service, conversation, "And at night?", ids.answer_id(root["id"]))

    asked(service, conversation, "Again: at night?", ids.question_id(failed["id"]))

    assert earlier(service) == ["How loud is it?"]


def test_of_a_long_thread_the_newest_exchanges_that_fit_are_brought(service: Service) -> None:
    large = service.publish(*("x" * 20_000 for _ in range(8)), names=[f"large {number}" for number in range(8)])
    conversation = service.create(context=service.context(large)).body["conversation"]["id"]
    long = claim(["qt_1"], "y" * 1_900, sufficient=True)
    service.model.script = [reply(quoting(("ev_1", "x" * 20_000), answer=long))]
    parent = None
    for number in range(4):
        run = asked(service, conversation, f"Question {number}", parent)
        parent = ids.answer_id(run["id"])

    asked(service, conversation, "q" * 1_000, parent)

    # 5,600 are left beside the evidence: less the question, two exchanges of some 2,100 each.
    assert earlier(service) == ["Question 2", "Question 3"]

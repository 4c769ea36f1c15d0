"""What was said is erased at its 24 hours, even while another machine, its clock behind, still writes."""

import pytest
from harness.service import DEFAULT_REPLY, Service

from research.operations.ports import Lost
from research.operations.provider import Reply
from research.rules.prompt import Prompt
from research.words.records import Conversation
from tests.edges.invocations import outcome, stored


def test_the_content_of_an_expired_conversation_is_erased_with_the_mutations_that_made_it(service: Service) -> None:
    run = service.asked(question="Words found nowhere else?")
    service.deliver()
    service.time.pass_(hours=24)

    assert [service.sweep(), service.sweep()] == [{"erased": 1, "forgotten": 2}, {}]

    kinds = [item["sk"]["S"].partition("#")[0] for item in service.items() if run["conversation_id"] in item["pk"]["S"]]
    assert sorted(kinds) == ["META", "RUN"]
    assert not [item for item in service.items() if item["pk"]["S"].startswith("MUTATION#")]
    assert outcome(service, run) == ("completed", None)


def test_an_answer_to_a_conversation_that_a_clock_ahead_has_erased_is_discarded(service: Service) -> None:
    run = service.asked()
    service.time.pass_(hours=23, minutes=59, seconds=45)

    def answer_after_the_sweep(_prompt: Prompt) -> Reply:
        service.time.pass_(seconds=30)
        while service.sweep():
            pass
        service.time.pass_(seconds=-30)
        return DEFAULT_REPLY

    service.model.script = [answer_after_the_sweep]
    service.deliver()

    assert (stored(service, run).status, service.model.script) == ("expired", [answer_after_the_sweep])
    assert not [item for item in service.items() if item["sk"]["S"].endswith(("#A", "#Q", "TITLE"))]


def test_an_answer_that_comes_between_erasing_and_laying_to_rest_is_erased_as_well(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    conversation = service.create().body["conversation"]
    service.time.pass_(hours=23, minutes=59, seconds=45)
    run = service.request(conversation).body["run"]
    erased: list[Conversation] = []

    def answer_while_a_clock_ahead_erases(_prompt: Prompt) -> Reply:
        service.time.pass_(seconds=29)
        with monkeypatch.context() as interrupted:
            interrupted.setattr(service.store, "laid_to_rest", erased.append)
            service.sweep()
        service.time.pass_(seconds=-29)
        return DEFAULT_REPLY

    service.model.script = [answer_while_a_clock_ahead_erases]
    service.deliver()
    published = outcome(service, run)
    with pytest.raises(Lost):
        service.store.laid_to_rest(*erased)
    service.time.pass_(seconds=29)
    swept = service.sweep()

    assert (published, swept) == (("completed", None), {"erased": 1})
    assert not [item for item in service.items() if item["sk"]["S"].startswith(("MSG#", "TITLE"))]

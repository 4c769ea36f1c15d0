"""Reading what carries an answer: each claim with its passages, under the rules of the answer itself."""

from harness.model import claim, quoting, reply
from harness.service import TEXTS, Service

from research.words import records
from research.words.records import Conversation, Member

QUOTED = (("ev_1", "ABOUT seven  hours"), ("ev_2", "a thin whine that my old fan"), ("ev_1", "about seven days"))
SUGGESTED = {"query": "whine", "excluded_terms": [], "quotations": ["qt_2"], "rationale": "It is mentioned."}


def test_each_claim_has_the_passages_that_held_and_no_others(service: Service) -> None:
    findings = [claim(["qt_2", "qt_3", "qt_1"], "They differ."), claim(["qt_3"], "This is withheld.")]
    main = claim(["qt_1"], sufficient=True)
    service.model.script = [reply(quoting(*QUOTED, answer=main, findings=findings, query_suggestions=[SUGGESTED]))]
    run = service.asked()
    service.deliver()

    read = service.citations(run).body

    hours, whine = (
        {
            **pinned,
            "start": TEXTS[place].index(text),
            "end": TEXTS[place].index(text) + len(text),
            "text": text,
            "title": f"About e{place + 1}",
            "url": None,
        }
        for (place, text), pinned in zip(
            [(0, "about seven hours"), (1, "a thin whine that my old fan")], service.context()["evidence"], strict=False
        )
    )
    assert (read["run_id"], read["message_id"]) == (run["id"], service.status(run).body["message"]["id"])
    assert read["citations"]["answer"] == {
        "statement": "The reviewers describe it in their own words.", "passages": [hours],
    }  # fmt: skip
    assert read["citations"]["findings"] == [{"statement": "They differ.", "passages": [whine, hours]}]
    assert read["citations"]["query_suggestions"] == [{"statement": "whine", "passages": [whine]}]


def test_an_honest_word_that_the_sources_do_not_say_has_no_passages(service: Service) -> None:
    service.model.script = [reply(quoting(answer=claim([], "Nothing is said.", sufficient=False)))]
    run = service.asked()
    service.deliver()

    read = service.citations(run).body["citations"]
    answer = service.status(run).body["message"]["answer"]["answer"]

    assert read["answer"] == {"statement": "The selected sources do not answer this question.", "passages": []}
    assert (answer["basis"], answer["evidence"]) == ("inferred", service.context()["evidence"])


def test_the_passages_stay_those_of_the_pinned_revision(service: Service) -> None:
    run = service.asked()
    service.deliver()
    before = service.citations(run).body
    service.publish("Nothing of the kind was ever written here.", names=["e1"])

    assert service.citations(run).body == before
    assert before["citations"]["answer"]["passages"][0]["text"] == TEXTS[0]


def test_the_citations_of_an_archived_conversation_stay_readable(service: Service) -> None:
    run = service.asked()
    service.deliver()
    before = service.citations(run).body
    ref = records.conversation(run["conversation_id"])
    stored = service.store.fetch(ref)[ref]
    assert isinstance(stored, Conversation)
    service.put(ref, stored.model_copy(update={"archived_at": service.time.now}))

    assert service.citations(run).body == before | {"availability": "archived"}


def test_citations_follow_the_owners_access_to_the_project(service: Service) -> None:
    run = service.asked()
    service.deliver()
    before = service.citations(run).body
    ref = records.member(service.workspace_id, service.principal_id)
    service.put(ref, Member(role="owner", capabilities=("agent:research",), projects=()))
    closed = service.citations(run).body
    service.put(ref, Member(role="owner", capabilities=("agent:research",)))

    assert closed == before | {"message_id": None, "availability": "access_changed", "citations": None}
    assert service.citations(run).body == before


def test_a_text_that_is_being_withdrawn_lends_its_place_to_no_other(service: Service) -> None:
    service.model.script = [reply(quoting(("ev_2", "a thin whine")))]
    run = service.asked()
    service.deliver()
    first = service.published.evidence[0]
    text = records.evidence_text(service.workspace_id, service.project_id, first.evidence_id, first.revision)
    service.evidence.erase([text])

    cited = service.citations(run).body

    assert (cited["availability"], cited["citations"]) == ("source_unavailable", None)

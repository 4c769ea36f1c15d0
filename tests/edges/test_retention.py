"""After 24 hours nothing that was said can be read, whatever is still in the table; a day later nothing at all."""

from harness.service import Service, new_id


def test_a_millisecond_before_its_24_hours_a_conversation_reads_as_ever(service: Service) -> None:
    run = service.asked()
    service.deliver()
    service.time.pass_(hours=24, milliseconds=-1)

    read = service.get(run["conversation_id"]).body

    assert (read["conversation"]["availability"], len(read["messages"])) == ("available", 2)


def test_after_24_hours_it_reads_expired_though_every_item_is_still_there(service: Service) -> None:
    run = service.asked()
    service.deliver()
    items = len(service.items())
    service.time.pass_(hours=24)

    read = service.get(run["conversation_id"]).body
    status = service.status(run).body

    assert len(service.items()) == items
    assert (read["conversation"]["availability"], read["conversation"]["title"]) == ("expired", None)
    assert (read["messages"], read["availability"]["reason"]) == ([], "expired")
    assert [run["status"] for run in read["runs"]] == ["completed"]
    assert (status["message"], status["run"]["status"]) == (None, "completed")
    assert service.citations(run).body["citations"] is None


def test_an_unfinished_run_reads_expired_after_24_hours(service: Service) -> None:
    run = service.asked()
    service.time.pass_(hours=24)

    status = service.status(run).body["run"]

    assert (status["status"], status["failure_code"]) == ("expired", "expired")


def test_a_request_after_24_hours_is_refused_as_expired_and_remembered(service: Service) -> None:
    conversation = service.create().body["conversation"]
    service.time.pass_(hours=24)
    body = service.asking(conversation, expected_revision=99)

    refused = service.send("assistant_request", body)
    again = service.send("assistant_request", body)

    assert refused.status == 200
    assert (refused.body["run"]["status"], refused.body["run"]["failure_code"]) == ("expired", "expired")
    assert (again.replayed, again.body) == (True, refused.body)
    assert service.status(refused.body["run"]).body == refused.body


def test_a_request_sent_again_after_24_hours_is_not_generated_again(service: Service) -> None:
    body = service.asking(service.create().body["conversation"])
    accepted = service.send("assistant_request", body).body
    service.deliver()
    service.time.pass_(hours=24)

    again = service.send("assistant_request", body)

    assert again.body["run"]["id"] == accepted["run"]["id"]
    assert (again.replayed, again.body["message"]) == (True, None)
    assert service.deliver() == 0


def test_a_create_sent_again_after_24_hours_makes_no_second_conversation(service: Service) -> None:
    body = service.creation()
    created = service.send("conversations_create", body).body["conversation"]
    service.time.pass_(hours=24)
    service.sweep()

    again = service.send("conversations_create", body).body["conversation"]

    assert (again["id"], again["availability"]) == (created["id"], "expired")


def test_a_day_after_it_expired_a_conversation_is_not_found(service: Service) -> None:
    run = service.asked()
    service.time.pass_(hours=48)

    assert service.get(run["conversation_id"]).code == "not_found"
    assert service.status(run).code == "not_found"


def test_the_sweep_erases_all_that_was_said_and_keeps_what_says_expired(service: Service) -> None:
    conversation = service.create(title="A title nobody else would write").body["conversation"]
    run = service.request(conversation, question="Words found nowhere else?").body["run"]
    service.deliver()
    service.wire(GEMINI_API_KEY="")
    service.request(conversation | {"revision": 3})
    service.time.pass_(hours=24)

    while service.sweep():
        pass

    kinds = {(item["pk"]["S"].partition("#")[0], item["sk"]["S"].partition("#")[0]) for item in service.items()}
    assert {kind for kind in kinds if kind[0] in ("CONVERSATION", "MUTATION", "REFUSED")} == {
        ("CONVERSATION", "META"),
        ("CONVERSATION", "RUN"),
        ("REFUSED", "META"),
    }
    assert service.get(run["conversation_id"]).body["conversation"]["availability"] == "expired"


def test_a_mutation_used_again_after_24_hours_is_not_forgotten_with_the_older_one(service: Service) -> None:
    first = service.create().body["conversation"]
    mutation_id = new_id()
    service.request(first, mutation_id=mutation_id)
    service.time.pass_(hours=24)
    second = service.create().body["conversation"]
    body = service.asking(second, mutation_id=mutation_id)
    accepted = service.send("assistant_request", body)

    while service.sweep():
        pass

    third = service.create().body["conversation"]
    assert accepted.body["run"]["conversation_id"] == second["id"]
    assert service.send("assistant_request", body | {"conversation_id": third["id"]}).code == "mutation_conflict"

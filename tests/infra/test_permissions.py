"""A function may do exactly what its code does: each is run through every call that it can make, and compared."""

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

import pytest
from harness.service import Service, new_id

from infra.deployment.functions import DEAD_LETTERS, FUNCTIONS, GENERATE, SWEEP
from infra.deployment.permissions import PERMISSIONS, Permissions
from infra.local import loops
from infra.local.aws_faults import Call, Cancel, Fault
from research.edges.queue_consumer import Consumer
from research.operations.provider import NotGenerated
from research.wiring import Wiring
from research.words import records
from research.words.catalogue import BY_NAME
from tests.edges.invocations import message, outcome
from tests.edges.rest_events import bodies
from tests.infra.iam import SECRET, Watch
from tests.infra.template import Template, listed
from tests.mcp.rpc import CURRENT, Mcp

ASKED_BY_LAMBDA = "sqs:GetQueueAttributes"
"""Of a queue that brings messages; the local AWS has no need to ask."""

PLACES = {"Table": "table", "Index": "index", "Queue": "queue", "DeadLetters": "dead_letters", "Secret": "secret"}


def every_body(service: Service) -> dict[str, Any]:
    made = bodies(service)
    names = {name: made["assistant_status"][name] for name in ("workspace_id", "conversation_id", "run_id")}
    return {**made, "assistant_cancel": {**names, "mutation_id": new_id()}}


def again(body: dict[str, Any]) -> dict[str, Any]:
    """The same call under a mutation of its own."""
    return body | ({"mutation_id": new_id()} if "mutation_id" in body else {})


def call_in_every_way(service: Service, operation: str) -> None:
    """Done, repeated, refused for what it says, for who says it, and for the state of things."""
    body, another = (every_body(service)[operation] for _ in range(2))
    assert service.send(operation, body).status == 200
    service.send(operation, body)
    service.send(operation, again(body))
    service.send(operation, {})
    service.send(operation, body, token="rtk_none")  # noqa: S106 (no token of anybody's)
    service.wire(GEMINI_API_KEY="")
    service.send(operation, another)
    service.time.pass_(hours=25)
    service.send(operation, again(body))


@pytest.mark.parametrize("operation", BY_NAME)
def test_an_operation_may_do_what_it_does_and_nothing_else(service: Service, operation: str) -> None:
    bodies(service)  # what these need themselves is none of the operation's
    watch = Watch(service)
    send = service.send

    def watched(*arguments: Any, **named: Any) -> Any:
        with service.aws.faults(watch if arguments[0] == operation else lambda _call: None):
            return send(*arguments, **named)

    service.send = watched  # type: ignore[method-assign]
    call_in_every_way(service, operation)

    assert watch.permissions() == PERMISSIONS[operation]


def test_mcp_may_do_what_its_tools_do_and_nothing_else(service: Service) -> None:
    calls = every_body(service)
    watch = Watch(service)
    mcp = Mcp(service)

    with service.aws.faults(watch):
        mcp.rpc(CURRENT, "tools/list")
        for operation in BY_NAME:
            mcp.call(CURRENT, operation, calls[operation])

    every = [PERMISSIONS[operation] for operation in BY_NAME]
    assert PERMISSIONS["mcp_endpoint"] == watch.permissions()
    for field in fields(Permissions):
        united = frozenset().union(*(getattr(one, field.name) for one in every))
        assert getattr(PERMISSIONS["mcp_endpoint"], field.name) == united


def test_the_worker_may_do_what_it_does_and_nothing_else(service: Service) -> None:
    refused = NotGenerated("provider_unavailable", retryable=True)
    service.model.script = [refused, *service.model.script]
    environment = service.environment | {"GEMINI_API_KEY": "", "GEMINI_SECRET": SECRET}
    wiring = Wiring(environment, service.time)
    service.asked()
    watch = Watch(service)

    with service.aws.faults(watch):
        assert service.deliver() == 2
    run = service.asked()
    with service.aws.faults(watch):  # there is no such secret here: the run ends before a call to Gemini
        loops.deliver(service.sqs, service.queues.url, Consumer(wiring.generation(), wiring.queue))

    assert outcome(service, run) == ("failed", "not_configured")
    used, expected = watch.permissions(), PERMISSIONS["generate"]
    assert replace(used, queue=used.queue | {ASKED_BY_LAMBDA}) == expected


def test_the_consumer_of_dead_letters_may_do_what_it_does_and_nothing_else(service: Service) -> None:
    run = service.asked()
    service.sqs.send_message(QueueUrl=service.queues.dead_letters_url, MessageBody=message(run))
    watch = Watch(service)

    with service.aws.faults(watch):
        assert loops.deliver(service.sqs, service.queues.dead_letters_url, service.dead_letters)

    used = watch.permissions()
    assert service.status(run).body["run"]["status"] == "failed"
    assert (
        Permissions(table=used.table, dead_letters=used.dead_letters | {ASKED_BY_LAMBDA}) == PERMISSIONS["dead_letters"]
    )


def busy_counter(call: Call) -> Fault | None:
    counts = any("BUDGET#" in str(item.get("Update")) for item in call.body.get("TransactItems", ()))
    return Cancel(("None", "ThrottlingError")) if counts else None


def test_the_sweep_may_do_what_it_does_and_nothing_else(service: Service) -> None:
    service.wiring.store._calls._pause = lambda _seconds: None
    service.asked()
    with service.aws.faults(busy_counter):
        service.deliver()  # leaves its tokens to the sweep
    service.asked()
    watch = Watch(service)

    swept: dict[str, int] = {}
    for leave in (half_withdrawn, half_deleted, lambda _service: None):
        leave(service)
        for minutes in (1, 10, 24 * 60):
            service.time.pass_(minutes=minutes)
            with service.aws.faults(watch):
                swept |= service.sweep()

    assert {"settled", "sent", "erased", "forgotten", "withdrawn", "deleted"} <= swept.keys()
    assert watch.permissions() == PERMISSIONS["sweep"]


def half_withdrawn(service: Service) -> None:
    """A withdrawal that died after its first write."""
    evidence_id = service.context()["evidence"][0]["evidence_id"]
    ref = records.evidence(service.workspace_id, service.project_id, evidence_id)
    head = service.evidence.fetch(ref)[ref]
    service.put(ref, head.withdrawn(service.time.now))


def half_deleted(service: Service) -> None:
    """A deletion of a project that died after its first write."""
    ref = records.project(service.workspace_id, service.project_id)
    project = service.evidence.fetch(ref)[ref]
    service.put(ref, project.deleted(service.time.now))


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.name)
def test_a_role_allows_what_is_listed_for_its_function_and_logs_and_traces_besides(
    chosen: Template, function: Any
) -> None:
    statements = chosen.statements(function.name)
    logs, tracing = statements.pop("Logs"), statements.pop("Tracing")

    allowed = {PLACES[sid]: frozenset(listed(statement["Action"])) for sid, statement in statements.items()}
    assert Permissions(**allowed) == function.permissions
    assert logs["Action"] == ["logs:CreateLogStream", "logs:PutLogEvents"]
    assert logs["Resource"]["Fn::GetAtt"][0] == chosen.functions()[function.name]["LoggingConfig"]["LogGroup"]["Ref"]
    assert tracing["Resource"] == "*"


def test_each_place_is_the_one_resource_that_is_meant(chosen: Template) -> None:
    (table,) = chosen.of("DynamoDB::GlobalTable")
    dead = {name for name, queue in chosen.of("SQS::Queue").items() if "RedrivePolicy" not in queue}
    mappings = chosen.of("Lambda::EventSourceMapping").values()
    sources = {mapping["EventSourceArn"]["Fn::GetAtt"][0] for mapping in mappings}

    for function in FUNCTIONS:
        found = {sid: statement["Resource"] for sid, statement in chosen.statements(function.name).items()}
        on: Callable[[str], Any] = found.get
        assert on("Table") in (None, {"Fn::GetAtt": [table, "Arn"]})
        assert on("Index") in (None, {"Fn::Join": ["", [{"Fn::GetAtt": [table, "Arn"]}, "/index/due"]]})
        assert on("Queue") is None or on("Queue")["Fn::GetAtt"][0] in sources - dead
        assert on("DeadLetters") is None or on("DeadLetters")["Fn::GetAtt"][0] in dead
    assert {function.name for function in FUNCTIONS if function.permissions.index} == {SWEEP.name}
    assert {function.name for function in FUNCTIONS if function.permissions.dead_letters} == {DEAD_LETTERS.name}
    assert {function.name for function in FUNCTIONS if function.permissions.secret} == {GENERATE.name}

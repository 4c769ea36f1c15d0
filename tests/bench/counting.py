"""Every operation at each size of its conversation and context, counted."""

import json
from collections.abc import Callable
from typing import Any

from harness.model import quoting, reply
from harness.service import Service, http_event, new_id

from research.edges.mcp_endpoint import Endpoint
from research.edges.mcp_server import Offer
from research.words import records
from research.words.records import Member
from tests.bench.units import Bill, Meter
from tests.edges.invocations import Invocation, message, messages

MESSAGES = (0, 2, 40)
EVIDENCE = (1, 20)
TEXT = "The battery lasts about seven hours on the lowest setting, which is more than the box promises. " * 10


class Bench:
    """A service with twenty texts of a thousand characters, whose owner may do everything."""

    def __init__(self, service: Service) -> None:
        self.service = service
        texts = [f"{number}: {TEXT}" for number in range(20)]
        self.published = service.publish(*texts, names=[f"b{number}" for number in range(20)])
        service.model.script = [reply(quoting(("ev_1", TEXT.strip())))]
        member = Member(role="owner", capabilities=("agent:research", "agent:sources"))
        service.put(records.member(service.workspace_id, service.principal_id), member)
        self.project = {"workspace_id": service.workspace_id, "project_id": service.project_id}

    def creation(self, evidence: int) -> Any:
        context = self.service.context(self.published)
        return self.service.creation(context=context | {"evidence": context["evidence"][:evidence]})

    def conversation(self, messages: int, evidence: int) -> tuple[Any, Any]:
        """A conversation with so many messages, and its last run."""
        conversation = self.service.send("conversations_create", self.creation(evidence)).body["conversation"]
        run = None
        for _ in range(messages // 2):
            run = self.service.request(conversation).body["run"]
            self.service.deliver()
            conversation = conversation | {"revision": conversation["revision"] + 2}
        return conversation, run


class Counting(Bench):
    """The same under a meter."""

    def __init__(self, service: Service) -> None:
        super().__init__(service)
        self.meter = Meter(service)

    def call(self, operation: str, body: Any) -> Bill:
        """The bill of one call that succeeds."""
        with self.meter.billed() as bill:
            answer = self.service.send(operation, body)
        assert answer.status == 200, answer.body
        return bill


def counted(service: Service) -> dict[str, Bill]:
    """Each case by its name: `conversations_get, 40 messages, 20 evidence`."""
    bench = Counting(service)
    found: dict[str, Bill] = {}
    for evidence in EVIDENCE:
        creation = bench.creation(evidence)
        found[f"conversations_create, {evidence} evidence"] = bench.call("conversations_create", creation)
        for length in MESSAGES:
            for name, bill in _of_a_conversation(bench, length, evidence).items():
                found[f"{name}, {length} messages, {evidence} evidence"] = bill
    return found | _others(bench) | _of_the_schedule(bench)


def _of_a_conversation(bench: Counting, messages: int, evidence: int) -> dict[str, Bill]:
    service = bench.service
    conversation, run = bench.conversation(messages, evidence)
    names = {"workspace_id": service.workspace_id, "conversation_id": conversation["id"]}
    bills = {"conversations_get": bench.call("conversations_get", names)}
    if run:
        named = names | {"run_id": run["id"]}
        bills["assistant_status"] = bench.call("assistant_status", named)
        bills["citations_get"] = bench.call("citations_get", named)
    if messages < 40:  # a conversation takes twenty questions
        bills |= _of_a_run(bench, conversation, names)
    archiving = {**names, "mutation_id": new_id(), "expected_revision": _revision(bench, names)}
    bills["conversations_archive"] = bench.call("conversations_archive", archiving)
    bills["conversations_delete"] = bench.call("conversations_delete", {**names, "mutation_id": new_id()})
    return bills


def _of_a_run(bench: Counting, conversation: Any, names: Any) -> dict[str, Bill]:
    service = bench.service
    body = service.asking(conversation)
    bills = {"assistant_request": bench.call("assistant_request", body)}
    bills["assistant_request again"] = bench.call("assistant_request", body)
    bills["generate"] = _billed(bench, service.deliver)
    another = service.asking(conversation | {"revision": _revision(bench, names)}, request_kind="sentiment")
    bills["sentiment_request"] = bench.call("sentiment_request", another)
    run = service.send("sentiment_request", another).body["run"]
    cancelling = {**names, "run_id": run["id"], "mutation_id": new_id()}
    bills["assistant_cancel"] = bench.call("assistant_cancel", cancelling)
    service.deliver()
    return bills


def _others(bench: Counting) -> dict[str, Bill]:
    service, project = bench.service, bench.project
    workspace = {"workspace_id": service.workspace_id}
    first = bench.published.evidence[0]
    bills = {
        "conversations_list, 5": bench.call("conversations_list", {**workspace, "limit": 5}),
        "projects_list": bench.call("projects_list", workspace),
        "evidence_list, 20": bench.call("evidence_list", {**project, "limit": 20}),
        "evidence_get": bench.call("evidence_get", {**project, **first.model_dump()}),
        "tools/list": _mcp(bench, "tools/list", {}),
        "tools/call projects_list": _mcp(
            bench, "tools/call", {"name": "sosoapi_research_projects_list", "arguments": workspace}
        ),
        "sweep, nothing due": _billed(bench, service.sweep),
    }
    for count in (1, 100):
        sources = [{"text": f"{count} {number} {TEXT}", "id": f"n{count}-{number}"} for number in range(count)]
        body = {**project, "mutation_id": new_id(), "sources": sources}
        bills[f"sources_import, {count}"] = bench.call("sources_import", body)
    return bills


def _of_the_schedule(bench: Counting) -> dict[str, Bill]:
    """Sweeps over one thing that is due, when nothing else is; and a message that was set aside."""
    service = bench.service
    service.time.pass_(hours=49)
    while service.sweep():
        pass
    run = service.request(bench.conversation(0, 1)[0]).body["run"]
    service.time.pass_(seconds=30)
    lost = _billed(bench, service.sweep)
    service.deliver()
    dead = _billed(bench, lambda: service.dead_letters(messages(message(run)), Invocation()))
    service.time.pass_(hours=24)
    over = _billed(bench, service.sweep)
    withdrawing = {"mutation_id": new_id(), "evidence_ids": [bench.published.evidence[0].evidence_id]}
    return {
        "sweep, a lost message": lost,
        "dead_letters": dead,
        "sweep, a conversation's end": over,
        "sources_withdraw, 1": bench.call("sources_withdraw", bench.project | withdrawing),
    }


def _revision(bench: Counting, names: Any) -> int:
    return int(bench.service.send("conversations_get", names).body["conversation"]["revision"])


def _billed(bench: Counting, act: Callable[[], Any]) -> Bill:
    with bench.meter.billed() as bill:
        act()
    return bill


def _mcp(bench: Counting, method: str, params: Any) -> Bill:
    endpoint = Endpoint(bench.service.wiring.calls(), Offer("full", output_schemas=False), ())
    headers = {
        "content-type": "application/json",
        "accept": "application/json",
        "authorization": f"Bearer {bench.service.token}",
    }
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
    event = http_event("/mcp", "POST", headers | {"mcp-protocol-version": "2025-06-18"}, body)
    with bench.meter.billed() as bill:
        answer = endpoint(event, None)
    assert answer["statusCode"] == 200, answer
    return bill

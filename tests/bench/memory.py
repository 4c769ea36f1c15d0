"""What a function holds at most while it answers the largest input it takes: each in a process of its own."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from string import ascii_lowercase
from typing import Any

from harness.model import claim, quoting, reply
from harness.service import Service, new_id

from infra.deployment.functions import FUNCTIONS
from infra.local.stand_in import MODEL, StandIn
from research.words import records
from research.words.records import Project
from tests.bench import cold, events
from tests.bench.counting import Bench
from tests.bundle import built
from tests.edges.invocations import message, messages

TEXT = "The battery lasts about seven hours on the lowest setting, which is more than the box promises. " * 66
"""Twenty of these are nearly all that a conversation takes."""
QUESTION = "How long does the battery last, and how loud is it? " * 38
BODY = 1_000_000
"""Bytes of an import; a body may have 1 MiB."""

_PROGRAM = """
import importlib, json, sys
asked = json.load(sys.stdin)
sys.path[:0] = asked["paths"]

class Context:
    aws_request_id = "measured"

    def get_remaining_time_in_millis(self):
        return 119_000

answer = importlib.import_module(asked["module"]).handler(asked["event"], Context())
held = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(json.dumps({"kB": int(held.split()[1]), "answer": answer}))
"""


def measured(service: Service) -> dict[str, dict[str, float]]:
    """By function: MB at its largest input, and kB of its answer. Twenty questions are asked in three conversations."""
    with StandIn() as model:
        told = {"GEMINI_API_KEY": "a-key", "GEMINI_BASE_URL": model.base_url, "GEMINI_MODEL": MODEL}
        environment = cold.ENVIRONMENT | service.environment | told
        environment |= {"AWS_ENDPOINT_URL": os.environ["AWS_ENDPOINT_URL"]}
        return {name: _held(name, event, environment) for name, event in _largest(service)}


def _held(name: str, event: Any, environment: dict[str, str]) -> dict[str, float]:
    function = next(function for function in FUNCTIONS if function.name == name)
    paths = [str(built.code()), str(built.layer(function.layer) / "python")]
    asked = json.dumps({"paths": paths, "module": function.handler.rpartition(".")[0], "event": event})
    command = [sys.executable, "-I", "-S", "-B", "-c", _PROGRAM]
    ended = subprocess.run(command, input=asked, env=environment, check=True, capture_output=True, text=True)
    found = json.loads(ended.stdout.splitlines()[-1])
    answer = found["answer"]
    if not answer or answer.get("statusCode", 200) != 200 or answer.get("batchItemFailures"):
        raise RuntimeError(f"{name}: {answer}")
    return {"MB": found["kB"] / 1024, "answered, kB": len(answer.get("body", "").encode()) / 1000}


def _largest(service: Service) -> Iterator[tuple[str, Any]]:
    """The largest input of each function, made when it is wanted. The functions go by the machine's clock."""
    now = datetime.now(UTC)
    service.time.now = now - timedelta(hours=25)
    bench = Bench(service, TEXT, question=QUESTION)
    service.model.script = [reply(_answer())]
    bench.conversation(40, 20)
    service.time.now = now
    yield "sweep", {}
    yield "conversations_create", events.rest(service, bench.creation(20))
    yield from _of_a_full_conversation(bench)
    yield from _of_what_does_not_end(bench)
    yield from _of_sources(bench)


def _of_a_full_conversation(bench: Bench) -> Iterator[tuple[str, Any]]:
    service = bench.service
    conversation, answered = bench.conversation(38, 20)
    asking = service.asking(conversation, question=QUESTION)
    yield "assistant_request", events.rest(service, asking)
    run = service.send("assistant_request", asking).body["run"]
    yield "generate", messages(message(run))
    names = {"workspace_id": service.workspace_id, "conversation_id": conversation["id"]}
    named = names | {"run_id": answered["id"]}
    yield "conversations_get", events.rest(service, names)
    yield "mcp_endpoint", events.mcp(service, "tools/call", events.calling("conversations_get", names))
    yield "assistant_status", events.rest(service, named)
    yield "citations_get", events.rest(service, named)
    revision = service.get(conversation["id"]).body["conversation"]["revision"]
    archiving = {"mutation_id": new_id(), "expected_revision": revision}
    yield "conversations_archive", events.rest(service, names | archiving)
    yield "conversations_delete", events.rest(service, names | {"mutation_id": new_id()})


def _of_what_does_not_end(bench: Bench) -> Iterator[tuple[str, Any]]:
    """A nineteenth question that is cancelled, a twentieth whose message is set aside."""
    service = bench.service
    conversation, _ = bench.conversation(36, 20)
    sentiment = service.asking(conversation, question=QUESTION, request_kind="sentiment")
    yield "sentiment_request", events.rest(service, sentiment)
    run = service.send("sentiment_request", sentiment).body["run"]
    names = {"workspace_id": service.workspace_id, "conversation_id": conversation["id"]}
    yield "assistant_cancel", events.rest(service, names | {"run_id": run["id"], "mutation_id": new_id()})
    last = service.request(service.get(conversation["id"]).body["conversation"], question=QUESTION).body["run"]
    yield "dead_letters", messages(message(last))


def _of_sources(bench: Bench) -> Iterator[tuple[str, Any]]:
    service = bench.service
    workspace = {"workspace_id": service.workspace_id}
    for number in range(100):
        service.put(records.project(service.workspace_id, new_id()), Project(name=f"Project {number}"))
        bench.conversation(0, 20)
    first = bench.published.evidence[0].model_dump()
    texts = [f"{number}: {'x' * (BODY // 100 - 100)}" for number in range(100)]
    sources = [{"text": text, "id": f"s{number}"} for number, text in enumerate(texts)]
    yield "sources_import", events.rest(service, bench.project | {"mutation_id": new_id(), "sources": sources})
    yield "projects_list", events.rest(service, workspace | {"limit": 100})
    yield "conversations_list", events.rest(service, workspace | {"limit": 100})
    yield "evidence_list", events.rest(service, bench.project | {"limit": 100})
    yield "evidence_get", events.rest(service, bench.project | first)
    listed = service.send("evidence_list", bench.project | {"limit": 100}).body["evidence"]
    every = {"mutation_id": new_id(), "evidence_ids": [row["evidence_id"] for row in listed]}
    yield "sources_withdraw", events.rest(service, bench.project | every)


def _answer() -> str:
    """A reply whose answer is nearly as large as one may be, 64 KiB: each claim cites every text."""
    quotations = [(f"ev_{number}", TEXT.strip()[:1000]) for number in range(1, 21)]
    cited = [f"qt_{number}" for number in range(1, 21)]
    findings = [
        claim(cited, f"{letter}. {'The reviewers describe it in their own words. ' * 43}")
        | {"uncertainty": "Few of them say so. " * 35}
        for letter in ascii_lowercase[:12]
    ]
    limitations = [f"{letter}. {'Only the selected texts were read. ' * 28}" for letter in ascii_lowercase[:9]]
    return quoting(*quotations, findings=findings, limitations=limitations)

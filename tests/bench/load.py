"""`make load`: clients that ask the local stack, over HTTP, for two minutes. Nearly all of its time is moto's."""

import json
import os
import subprocess
import sys
import threading
import time
import uuid
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import quantiles
from typing import Any

import boto3
from rich.console import Console
from rich.table import Table

from infra.client.rest import Api, ApiError
from research.adapters.store import DynamoStore
from research.words import records
from research.words.clock import now

CLIENTS = 20
CONVERSATIONS = 2_000
SECONDS = 120
COMMAND = Path(sys.executable).with_name("research")


class Load:
    """Twenty clients: each opens a conversation, asks, polls until the answer is there, and reads its citations."""

    def __init__(self, facts: dict[str, Any]) -> None:
        self.facts = facts
        self.ends = time.monotonic() + SECONDS
        self.took: dict[str, list[float]] = defaultdict(list)
        self.errors: list[str] = []
        self.ended: list[str] = []
        self._lock = threading.Lock()

    def run(self) -> None:
        with ThreadPoolExecutor(CLIENTS) as clients:
            list(clients.map(lambda _: self._research(), range(CONVERSATIONS)))

    def _research(self) -> None:
        if time.monotonic() > self.ends:
            return
        with Api(self.facts["rest_url"], self.facts["token"]) as api:
            try:
                self._ask(api)
            except ApiError as error:
                with self._lock:
                    self.errors.append(error.code)

    def _ask(self, api: Api) -> None:
        workspace = {"workspace_id": self.facts["workspace_id"]}
        names = ("project_id", "project_revision", "corpus_snapshot_id", "evidence")
        context = {name: self.facts[name] for name in names}
        made = {"mutation_id": str(uuid.uuid4()), "title": "Load", "context": context, "language": "en"}
        conversation = self._timed(api, "conversations_create", workspace | made)["conversation"]
        asking = {
            "mutation_id": str(uuid.uuid4()),
            "conversation_id": conversation["id"],
            "expected_revision": 1,
            "parent_message_id": None,
            "question": "How long does the battery last?",
            "request_kind": "question",
            "processing_intent": "google_gemini_selected_context",
        }
        run = self._timed(api, "assistant_request", workspace | asking)["run"]
        named = workspace | {"conversation_id": conversation["id"], "run_id": run["id"]}
        began = time.monotonic()
        while run["status"] in ("queued", "processing"):
            time.sleep(1)
            run = self._timed(api, "assistant_status", named)["run"]
        with self._lock:
            self.took["until the answer"].append(time.monotonic() - began)
            self.ended.append(run["failure_code"] or run["status"])
        self._timed(api, "citations_get", named)

    def _timed(self, api: Api, operation: str, body: dict[str, Any]) -> Any:
        began = time.monotonic()
        answer = api.send(operation, body)
        with self._lock:
            self.took[operation].append(time.monotonic() - began)
        return answer


def main(console: Console) -> int:
    """Run it and print. The exit code: 1 if a call failed, a run is open, or one did not complete."""
    stack = subprocess.Popen(
        [COMMAND, "dev", "--port", "0", "--json"],
        env=os.environ | {"DAILY_RUNS": str(2 * CONVERSATIONS)},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert stack.stdout is not None
    try:
        facts = json.loads(stack.stdout.readline())
        load, before = Load(facts), _memory(stack.pid)
        load.run()
        after, left = _memory(stack.pid), _open(facts)
    finally:
        stack.terminate()
        stack.wait()
        stack.stdout.close()
    table = Table("call", "count", "p50, ms", "p95, ms", "p99, ms", title=f"{CLIENTS} clients, {SECONDS} s")
    for name, times in load.took.items():
        cuts = quantiles(times, n=100)
        table.add_row(name, str(len(times)), *(f"{cuts[at] * 1000:,.0f}" for at in (49, 94, 98)))
    console.print(table)
    ends = {end: load.ended.count(end) for end in sorted(set(load.ended))}
    console.print(f"runs {ends}, errors {len(load.errors)} {set(load.errors) or ''}, open at the end {left}")
    console.print(f"memory of the stack: {before:.0f} MB at the start, {after:.0f} MB at the end")
    return 1 if load.errors or left or set(ends) != {"completed"} else 0


def _memory(process: int) -> float:
    line = next(line for line in Path(f"/proc/{process}/status").read_text().splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


def _open(facts: dict[str, Any]) -> int:
    client = boto3.client(
        "dynamodb",
        endpoint_url=facts["aws_endpoint_url"],
        region_name="us-east-1",
        aws_access_key_id="local",
        aws_secret_access_key="local",  # noqa: S106 (the local AWS takes any)
    )
    later = now().replace(year=now().year + 1)
    due = [ref for page in DynamoStore(client, facts["table"]).due(later, 100) for ref in page]
    found = DynamoStore(client, facts["table"]).fetch(*(ref for ref in due if ref.kind is records.Run))
    return sum(run.status in ("queued", "processing") for run in found.values())


if __name__ == "__main__":
    sys.exit(main(Console()))

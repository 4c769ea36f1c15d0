"""`research dev`: the local stack, from its banner to Ctrl-C."""

import json
import os
import shlex
import shutil
import signal
import sys
import threading
import uuid
from pathlib import Path
from typing import Any

import typer

from infra.client.facts import Facts
from infra.commands.stacks import announced, running
from infra.local import request_lines
from research.words.catalogue import BY_NAME


def run(port: int, evidence: Path | None, *, as_json: bool, unconfigured: bool) -> None:
    """Serve this evidence, or nothing yet, until SIGINT or SIGTERM. Both end it with exit code 0: it waits for them."""
    stopping = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stopping.set())
    with running(port, evidence, configured=not unconfigured) as stack:
        facts = stack.facts()
        with announced(json.dumps({**facts, "model": stack.model_id})):
            request_lines.show()
            typer.echo(json.dumps(facts) if as_json else banner(facts, stack.model))
            stopping.wait()
    # Everything is down. Left to itself the interpreter would take another half second to take moto's modules apart,
    # with workers still running that have a call to the model open.
    sys.stdout.flush()
    os._exit(0)


def banner(facts: dict[str, Any], model: str) -> str:
    """Addresses and ids in a table, then lines to paste into a shell."""
    addresses = {
        "REST": facts["rest_url"],
        "MCP": facts["mcp_url"],
        "AWS": f"{facts['aws_endpoint_url']} (table {facts['table']})",
        "Model": model,
    }
    if facts["token"] is None:
        begin = f"{_command()} admin workspace create NAME"
        return _table({**addresses, "Begin": begin, "Stop": "Ctrl-C"})
    rows = {
        **addresses,
        "Token": facts["token"],
        "Workspace": facts["workspace_id"],
        "Project": f"{facts['project_id']} at revision {facts['project_revision']}",
        "Snapshot": facts["corpus_snapshot_id"],
        "Evidence": f"{len(facts['evidence'])} texts",
        "Ask": f"{_command()} ask 'How long does the battery last?'",
        "Stop": "Ctrl-C",
    }
    by_hand = _curl(Facts.model_validate(facts))
    return f"{_table(rows)}\n\nA conversation about the first texts, by hand:\n\n{by_hand}\n"


def _table(rows: dict[str, str]) -> str:
    return "\n".join(f"{name:<10} {content}" for name, content in rows.items())


def _command() -> str:
    """How this shell would find the `research` command."""
    return "research" if shutil.which("research") else os.path.relpath(Path(sys.executable).with_name("research"))


def _curl(facts: Facts) -> str:
    context = facts.context()
    body = {
        "workspace_id": facts.workspace_id,
        "mutation_id": str(uuid.uuid4()),
        "title": "By hand",
        "context": {**context, "evidence": context["evidence"][:3]},
        "language": "en",
    }
    url = facts.rest_url + BY_NAME["conversations_create"].path
    authorization = shlex.quote(f"Authorization: Bearer {facts.token}")
    return (
        f"curl -s {url} \\\n  -H {authorization} \\\n  -H 'Content-Type: application/json' \\\n"
        f"  -d {shlex.quote(json.dumps(body))}"
    )

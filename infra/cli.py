"""The `research` command."""

import errno
import json
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from rich.console import Console
from rich.markup import escape

from infra import evidence_files
from infra.client.asking import Ask, ask
from infra.client.printing import print_answer
from infra.client.rest import Api, ApiError
from infra.local import request_lines
from infra.local.stack import LocalStack
from infra.local.stand_in import MODEL as STAND_IN_MODEL
from research.words import published
from research.words.catalogue import OPERATIONS

ROOT = Path(__file__).resolve().parent.parent
SAMPLE = ROOT / "events" / "evidence.jsonl"
RUNNING = ROOT / ".build" / "dev.json"
DEFAULT_PORT = 8787
STAND_IN_NOTE = ": it only extracts. Set GEMINI_API_KEY to ask Gemini."
KINDS = ("question", "overview", "themes", "audiences", "sentiment", "query_suggestions")

app = typer.Typer(add_completion=False, no_args_is_help=True, pretty_exceptions_enable=False)
out = Console(highlight=False)
err = Console(stderr=True, highlight=False)

EvidenceFile = Annotated[Path, typer.Option(help="JSON Lines or CSV; see README.md.")]


def main() -> None:
    """Run the command line."""
    app()


@app.callback()
def _research() -> None:
    """Cited Research: ask your own evidence, and get only what its citations carry."""


@app.command()
def dev(
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Where the API listens; 0 for any free port.")
    ] = DEFAULT_PORT,
    evidence: EvidenceFile = SAMPLE,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print one line of JSON instead of the banner.")] = False,
    unconfigured: Annotated[bool, typer.Option(help="Run with no language model at all.")] = False,
) -> None:
    """Run the whole service on this machine until Ctrl-C."""
    with _stack(port, evidence, configured=not unconfigured) as stack, _published(stack.facts()):
        if as_json:
            print(json.dumps(stack.facts()), flush=True)
        else:
            _banner(stack.facts(), "none (--unconfigured)" if unconfigured else stack.model.model or "Gemini")
        request_lines.show()
        _until_interrupted()


@app.command(name="ask")
def ask_command(
    question: Annotated[str, typer.Argument(help="Up to 2,000 characters.")],
    kind: Annotated[str, typer.Option(help=", ".join(KINDS))] = "question",
    language: Annotated[str, typer.Option(help="The language to answer in.")] = "en",
    stack_file: Annotated[
        Path | None, typer.Option("--stack", help="A stack's JSON line in a file. Default: the running `research dev`.")
    ] = None,
    evidence: EvidenceFile = SAMPLE,
    *,
    fresh: Annotated[bool, typer.Option("--fresh", help="Start a stack for this question alone.")] = False,
) -> None:
    """Ask one question and print the cited answer."""
    facts = None if fresh else _facts_of(stack_file)
    if facts is not None:
        _ask(Ask(question, kind, language, facts))
        return
    err.print("No running stack: starting one for this question.", style="dim")
    with _stack(0, evidence, configured=True) as stack:
        request_lines.hide()
        if stack.model.api_key == "stand-in":
            err.print(f"Model: {STAND_IN_MODEL}{STAND_IN_NOTE}", style="dim")
        _ask(Ask(question, kind, language, stack.facts()))


@app.command()
def contract() -> None:
    """Print every operation as JSON: name, path, annotations, schemas, profiles."""
    print(json.dumps([published.tool(operation) for operation in OPERATIONS], indent=1, ensure_ascii=False))


def _ask(asked: Ask) -> None:
    api = Api(asked.facts["rest_url"], asked.facts["token"])
    try:
        answered = ask(api, asked, lambda state: err.print(f"… {state}", style="dim"))
    except ApiError as error:
        _give_up(str(error))
    print_answer(out, answered)
    if answered.status["message"] is None:
        raise typer.Exit(1)


def _facts_of(stack_file: Path | None) -> dict[str, Any] | None:
    """What a running stack said of itself, or None when there is none to be found."""
    path = stack_file or RUNNING
    try:
        facts: dict[str, Any] = json.loads(path.read_text())
    except (OSError, ValueError) as error:
        if stack_file is None:
            return None
        _give_up(f"{path}: {type(error).__name__}. It should hold the line that `research dev --json` prints.")
    return facts


@contextmanager
def _stack(port: int, evidence: Path, *, configured: bool) -> Iterator[LocalStack]:
    """A running local stack; its request lines go to standard error."""
    try:
        stack = LocalStack(evidence_files.read(evidence), port, configured=configured).start()
    except (OSError, evidence_files.EvidenceFileError) as error:
        if isinstance(error, OSError) and error.errno == errno.EADDRINUSE:
            _give_up(f"Port {port} is busy: is another `research dev` running? Stop it, or give --port another number.")
        _give_up(str(error))
    try:
        yield stack
    finally:
        stack.stop()


@contextmanager
def _published(facts: dict[str, Any]) -> Iterator[None]:
    """Leave the facts where `research ask` looks for them, readable by this user alone, until the stack ends."""
    RUNNING.parent.mkdir(exist_ok=True)
    RUNNING.unlink(missing_ok=True)
    with os.fdopen(os.open(RUNNING, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        json.dump(facts, file)
    try:
        yield
    finally:
        RUNNING.unlink(missing_ok=True)


def _until_interrupted() -> None:
    interrupted = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: interrupted.set())
    interrupted.wait()


def _banner(facts: dict[str, Any], model: str) -> None:
    rows = {
        "REST": facts["rest_url"],
        "AWS": f"{facts['aws_endpoint_url']} (table {facts['table']})",
        "Model": f"{model}{STAND_IN_NOTE if model == STAND_IN_MODEL else ''}",
        "Token": facts["token"],
        "Workspace": facts["workspace_id"],
        "Project": f"{facts['project_id']} at revision {facts['project_revision']}",
        "Snapshot": facts["corpus_snapshot_id"],
        "Evidence": f"{len(facts['evidence'])} texts",
    }
    for name, content in rows.items():
        print(f"{name:<10} {content}")
    print('\nAsk:       research ask "How long does the battery last?"')
    print("Stop:      Ctrl-C\n", flush=True)


def _give_up(message: str, code: int = 1) -> NoReturn:
    err.print(escape(message), style="red", soft_wrap=True)
    raise typer.Exit(code)

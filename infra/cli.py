"""The `research` command: its commands with their options. What they do is in infra/commands."""

import io
import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from infra.client.asking import Ask
from infra.commands import ask as asking
from infra.commands import dev as serving
from infra.commands.admin.groups import app as admin
from infra.commands.stacks import SAMPLE
from infra.commands.terminal import give_up
from research.words import published
from research.words.catalogue import OPERATIONS

DEFAULT_PORT = 8787

app = typer.Typer(add_completion=False, no_args_is_help=True, pretty_exceptions_enable=False, rich_markup_mode=None)
app.add_typer(admin, name="admin")


def main() -> None:
    """Run the command line; what the terminal's encoding cannot show is printed as a question mark."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    app()


@app.callback()
def _research() -> None:
    """Cited Research: ask your own evidence, and get only what its citations carry."""


@app.command()
def dev(
    port: Annotated[
        int,
        typer.Option(min=0, max=65535, metavar="PORT", help="Where the API listens on 127.0.0.1; 0 for any free port."),
    ] = DEFAULT_PORT,
    evidence: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            show_default="the sample",
            help="Evidence to import: JSON Lines, or CSV with a header.",
        ),
    ] = None,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print one line of JSON instead of the banner.")] = False,
    empty: Annotated[
        bool, typer.Option("--empty", help="Make no workspace, no token and no evidence: `research admin` does.")
    ] = False,
    unconfigured: Annotated[
        bool, typer.Option("--unconfigured", help="Run with no language model, whatever the environment says.")
    ] = False,
) -> None:
    """Run the whole service on this machine until Ctrl-C.

    GEMINI_API_KEY (and GEMINI_MODEL, GEMINI_BASE_URL) choose the language model; without a key a stand-in answers.
    """
    if empty and evidence is not None:
        give_up("--empty imports nothing; leave out --evidence.")
    chosen = None if empty else evidence or SAMPLE
    serving.run(port, chosen, as_json=as_json, unconfigured=unconfigured)


@app.command()
def ask(
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="Up to 2,000 characters.")],
    kind: Annotated[str, typer.Option(metavar="KIND", help=", ".join(asking.KINDS))] = "question",
    language: Annotated[
        str, typer.Option(metavar="TAG", help="The language to answer in, such as en, fr or ja.")
    ] = "en",
    stack: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Ask the stack whose line of JSON is in this file.")
    ] = None,
    evidence: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Ask about this evidence, on a stack of its own.")
    ] = None,
    *,
    fresh: Annotated[bool, typer.Option("--fresh", help="Ask on a stack of its own, even if one is running.")] = False,
) -> None:
    """Ask one question and print the cited answer.

    Asks the running `research dev`, or starts a stack for this question alone. The answer goes to standard output,
    progress to standard error. The exit code is 1 when there is no answer.
    """
    asked = Ask(question, kind, language)
    asking.check(asked)
    alone = fresh or evidence is not None
    if alone and stack is not None:
        give_up("--stack names a running stack; --fresh and --evidence start one. Choose.")
    if alone or not asking.ask_running(asked, stack):
        asking.ask_fresh(asked, evidence or SAMPLE)


@app.command(name="mcp")
def stdio() -> None:
    """Serve MCP on standard input and output, for clients that start their servers themselves.

    SOSOAPI_URL and SOSOAPI_TOKEN name the API; SOSOAPI_PROFILE (core or full) and SOSOAPI_OUTPUT_SCHEMAS (0 or 1) what
    is listed of it.
    """
    from infra.commands import mcp_stdio  # noqa: PLC0415 (the SDK takes half a second to import)

    mcp_stdio.run()


@app.command()
def contract() -> None:
    """Print every operation with its schemas, as JSON."""
    typer.echo(json.dumps([published.tool(operation) for operation in OPERATIONS], indent=1))


if __name__ == "__main__":
    main()

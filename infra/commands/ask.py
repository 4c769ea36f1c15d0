"""`research ask`: one question to a running stack, or to one that runs for this question alone."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import get_args

import typer

from infra.client.asking import Ask, ask
from infra.client.facts import Facts
from infra.client.printing import print_answer
from infra.client.rest import Api, ApiError, Caller
from infra.commands.stacks import RUNNING, running
from infra.commands.terminal import err, give_up, out
from infra.local import request_lines
from research.words.contract import MAX_EVIDENCE, MAX_QUESTION, RequestKind

KINDS: tuple[str, ...] = get_args(RequestKind)
GONE = ("unreachable", "unauthenticated")
"""Nothing answers where the running stack was, or another stack, which does not know the token."""


def check(asked: Ask) -> None:
    """Give up on what no API would take."""
    if asked.kind not in KINDS:
        give_up(f"--kind is one of: {', '.join(KINDS)}.")
    if not 1 <= len(asked.question) <= MAX_QUESTION or not _encodable(asked.question + asked.language):
        give_up(f"A question is 1 to {MAX_QUESTION} characters of text.")


def ask_running(asked: Ask, stack_file: Path | None) -> bool:
    """Ask the stack of this file, or else the running `research dev`. Whether there was one."""
    path = stack_file or RUNNING
    try:
        facts = Facts.model_validate_json(path.read_bytes())
    except (OSError, ValueError) as error:
        if stack_file is None:
            if path.exists():
                err.print(f"The stack of {path} was started empty, so there is nothing here to ask it with.")
            return False
        reason = error.strerror if isinstance(error, OSError) else "not the facts of a stack"
        give_up(f"{path}: {reason}. It should hold the line that `research dev --json` prints.")
    try:
        _ask(Api(facts.rest_url, facts.token), facts, asked)
    except ApiError as error:
        if stack_file is not None or error.code not in GONE:
            give_up(str(error))
        err.print(f"The stack of {path} is gone.")
        return False
    return True


def ask_fresh(asked: Ask, evidence: Path) -> None:
    """Ask a stack that runs for this question alone, as an MCP client would."""
    from infra.client.mcp_http import McpApi  # noqa: PLC0415 (the SDK takes half a second to import)

    err.print("Starting a stack for this question alone.")
    with running(0, evidence, configured=True) as stack:
        request_lines.hide()
        err.print(f"Model: {stack.model}")
        try:
            facts = Facts.model_validate(stack.facts())
            _ask(McpApi(stack.facts()["mcp_url"], facts.token), facts, asked)
        except ApiError as error:
            give_up(str(error))


def _ask(connection: AbstractContextManager[Caller], facts: Facts, asked: Ask) -> None:
    """Ask and print. Raises ApiError, and Exit when there is no answer."""
    if len(facts.evidence) > MAX_EVIDENCE:
        err.print(f"Asking about the first {MAX_EVIDENCE} of {len(facts.evidence)} texts: no conversation takes more.")
    with connection as api, _progress() as progress:
        answered = ask(api, facts, asked, progress)
    print_answer(out, answered)
    if answered.citations is None:
        raise typer.Exit(1)


@contextmanager
def _progress() -> Iterator[Callable[[str], None]]:
    """One live line on a terminal; elsewhere one line for each state."""
    if err.is_terminal and not err.is_dumb_terminal:
        with err.status("asking") as live:
            yield live.update
    else:
        yield lambda state: err.print(f"run {state}")


def _encodable(text: str) -> bool:
    """Whether a command line's bytes were text: what was not arrives as lone surrogates."""
    return text.encode(errors="replace").decode() == text

"""Asking before something is destroyed."""

import sys

from infra.commands.terminal import err, give_up


def confirm(what: str, *, yes: bool) -> None:
    """Go on if `yes`, or if a person at the terminal says so; else give up. `what` names what will be done."""
    if yes:
        return
    if not (sys.stdin.isatty() and err.is_terminal):
        give_up(f"{what} Nothing was done: repeat it with --yes to do it.")
    err.print(what)
    err.print("Go on? [y/N]", end=" ")  # typer's question would write to standard output too
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        give_up("Nothing was done.")

"""Where commands write: plain text on both streams, with colour only on a terminal."""

from typing import NoReturn

import typer
from rich.console import Console

# Nothing printed is ever read as markup: some of it was written by strangers.
out = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)
err = Console(highlight=False, markup=False, emoji=False, soft_wrap=True, stderr=True)


def give_up(message: str) -> NoReturn:
    """Say what is wrong and end the command with exit code 1."""
    err.print(message, style="red")
    raise typer.Exit(1)

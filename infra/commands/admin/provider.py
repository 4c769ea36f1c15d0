"""`research admin provider`."""

import typer

from infra.commands.admin.options import AsJson, StackName
from infra.commands.admin.showing import show
from infra.commands.admin.targets import target

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="The language model.")


@app.command()
def status(stack: StackName = None, *, as_json: AsJson = False) -> None:
    """Show whether a language model is configured, and which. Its key is read by nobody but the worker."""
    found = target(stack)
    nulls = {"model": "unknown" if found.configured else "none"}
    show({"configured": found.configured, "model": found.model}, as_json=as_json, nulls=nulls)

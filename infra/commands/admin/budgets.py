"""`research admin budget`."""

from typing import Annotated

import typer

from infra.commands.admin import values
from infra.commands.admin.options import AsJson, StackName, WorkspaceId
from infra.commands.admin.showing import show
from infra.commands.admin.targets import administration
from infra.commands.admin.workspaces import LIMITS
from infra.commands.terminal import give_up

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="What a workspace may spend in one UTC day.")


@app.command("show")
def show_one(
    workspace: WorkspaceId,
    day: Annotated[
        str | None,
        typer.Option(metavar="DATE", parser=values.day, help="A UTC day of the last week; today unless given."),
    ] = None,
    stack: StackName = None,
    *,
    as_json: AsJson = False,
) -> None:
    """Show what was used of a day, and the limits."""
    admin = administration(stack)
    kept = admin.workspace(workspace)
    chosen, used = admin.used(workspace, day)
    document = {
        "workspace_id": workspace,
        "day": chosen,
        **used.model_dump(),
        **kept.model_dump(include={"daily_runs", "daily_tokens"}),
    }
    show(document, as_json=as_json, nulls=LIMITS)


Limit = Annotated[
    str | None,
    typer.Option(metavar="COUNT", parser=values.limit, help="A whole number, or `default` for the deployment's own."),
]


@app.command("set")
def set_limits(
    workspace: WorkspaceId,
    runs: Limit = None,
    tokens: Limit = None,
    stack: StackName = None,
    *,
    as_json: AsJson = False,
) -> None:
    """Set a workspace's own daily limits; one that is not named stays as it is."""
    limits = {
        member: None if given == values.DEFAULT else int(given)
        for member, given in (("daily_runs", runs), ("daily_tokens", tokens))
        if given is not None
    }
    if not limits:
        give_up("Give --runs, --tokens, or both.")
    kept = administration(stack).set_budget(workspace, **limits)
    document = {"workspace_id": workspace, **kept.model_dump(include={"daily_runs", "daily_tokens"})}
    show(document, as_json=as_json, nulls=LIMITS)

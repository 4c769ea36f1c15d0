"""The groups of `research admin`, put together."""

import typer

from infra.commands.admin import budgets, members, projects, provider, retention, sources, tokens, workspaces
from infra.commands.admin.refusals import AdminGroup

app = typer.Typer(
    cls=AdminGroup,
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Set up a stack: the running `research dev` (--local, or nothing), or with --stack a deployed one.",
)
for _name, _group in {
    "workspace": workspaces.app,
    "project": projects.app,
    "member": members.app,
    "token": tokens.app,
    "budget": budgets.app,
    "sources": sources.app,
    "provider": provider.app,
}.items():
    app.add_typer(_group, name=_name)
app.command("retention")(retention.prove)

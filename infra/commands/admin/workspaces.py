"""`research admin workspace`."""

import typer

from infra.commands.admin.options import AsJson, Name, StackName, WorkspaceId
from infra.commands.admin.showing import show, show_all
from infra.commands.admin.targets import administration

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="Tenants.")

LIMITS = {"daily_runs": "the deployment's", "daily_tokens": "the deployment's"}


@app.command()
def create(name: Name, stack: StackName = None, *, as_json: AsJson = False) -> None:
    """Create a workspace."""
    workspace_id = administration(stack).create_workspace(name)
    show({"workspace_id": workspace_id, "name": name}, as_json=as_json)


@app.command("list")
def list_(stack: StackName = None, *, as_json: AsJson = False) -> None:
    """List every workspace."""
    found = administration(stack).workspaces()
    rows = [{"workspace_id": workspace_id, "name": entry.name} for workspace_id, entry in found]
    show_all("workspaces", rows, as_json=as_json)


@app.command("show")
def show_one(workspace: WorkspaceId, stack: StackName = None, *, as_json: AsJson = False) -> None:
    """Show one workspace: its limits, and how many members and projects it has."""
    admin = administration(stack)
    document = {
        "workspace_id": workspace,
        **admin.workspace(workspace).model_dump(),
        "members": len(admin.members(workspace)),
        "projects": sum(project.deleted_at is None for _, project in admin.projects(workspace)),
    }
    show(document, as_json=as_json, nulls=LIMITS)

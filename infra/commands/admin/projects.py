"""`research admin project`."""

import typer

from infra.commands.admin.confirming import confirm
from infra.commands.admin.options import AsJson, Name, ProjectId, StackName, WorkspaceId, Yes
from infra.commands.admin.showing import printable, show, show_all
from infra.commands.admin.targets import administration
from infra.commands.terminal import err

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="Named collections of evidence.")


@app.command()
def create(workspace: WorkspaceId, name: Name, stack: StackName = None, *, as_json: AsJson = False) -> None:
    """Create an empty project."""
    project_id = administration(stack).create_project(workspace, name)
    show({"workspace_id": workspace, "project_id": project_id, "name": name}, as_json=as_json)


@app.command("list")
def list_(workspace: WorkspaceId, stack: StackName = None, *, as_json: AsJson = False) -> None:
    """List the projects of a workspace, deleted ones too."""
    rows = [
        {
            "project_id": project_id,
            "name": project.name,
            "revision": project.revision,
            "corpus_snapshot_id": project.corpus_snapshot_id,
            "deleted_at": project.deleted_at,
        }
        for project_id, project in administration(stack).projects(workspace)
    ]
    show_all("projects", rows, as_json=as_json)


@app.command()
def delete(
    workspace: WorkspaceId, project: ProjectId, stack: StackName = None, *, yes: Yes = False, as_json: AsJson = False
) -> None:
    """Close a project for good and erase its evidence."""
    admin = administration(stack)
    name = printable(admin.project(workspace, project).name)
    confirm(
        f"Project {project} ({name}) will be closed for good and its evidence erased;"
        " answers that rest on it can then be read by nobody.",
        yes=yes,
    )
    with err.status("Erasing its evidence"):
        erased = admin.delete_project(workspace, project)
    document = {"workspace_id": workspace, "project_id": project, "deleted": True, "evidence_erased": erased}
    show(document, as_json=as_json)

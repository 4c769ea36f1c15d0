"""`research admin sources`."""

from pathlib import Path
from typing import Annotated, cast

import typer

from infra.commands.admin import evidence_import, values
from infra.commands.admin.confirming import confirm
from infra.commands.admin.options import AsJson, ProjectId, StackName, WorkspaceId, Yes
from infra.commands.admin.showing import show
from infra.commands.admin.targets import administration
from infra.evidence_files import Format

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="Evidence of a project.")


@app.command("import")
def import_(
    workspace: WorkspaceId,
    project: ProjectId,
    file: Annotated[
        Path, typer.Argument(metavar="FILE|-", help="JSON Lines, or CSV with a header; - reads from a pipe.")
    ],
    form: Annotated[
        str | None,
        typer.Option(
            "--format", metavar="|".join(values.FORMATS), parser=values.form, help="Where FILE does not tell."
        ),
    ] = None,
    stack: StackName = None,
    *,
    skip_invalid: Annotated[
        bool, typer.Option("--skip-invalid", help="Leave out rows that cannot be taken, and import the rest.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Import evidence and publish it: all of the file at once, or nothing.

    Evidence that is there already gets a new revision if it has changed. What was withdrawn stays withdrawn.
    """
    admin = administration(stack)
    admin.check_open(workspace, project)
    with evidence_import.opened(file, cast("Format | None", form)) as evidence:
        evidence.check(skip_invalid=skip_invalid, as_json=as_json)
        evidence.publish(lambda sources: admin.import_sources(workspace, project, sources), as_json=as_json)


@app.command()
def withdraw(
    workspace: WorkspaceId,
    project: ProjectId,
    evidence: Annotated[list[str], typer.Argument(metavar="EVIDENCE...", parser=values.identifier, help="Their ids.")],
    stack: StackName = None,
    *,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Withdraw evidence for good: its texts are erased, and answers that rest on it can be read no more."""
    admin = administration(stack)
    chosen = list(dict.fromkeys(evidence))
    admin.check_evidence(workspace, project, chosen)
    confirm(
        f"{len(chosen)} of the evidence of project {project} will be withdrawn for good: {', '.join(chosen)}."
        " Every text of it is erased, and answers that rest on it can then be read by nobody.",
        yes=yes,
    )
    admin.withdraw(workspace, project, chosen)
    show({"workspace_id": workspace, "project_id": project, "withdrawn": chosen}, as_json=as_json)

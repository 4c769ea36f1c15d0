"""`research admin member`."""

from typing import Annotated, Any, cast

import typer

from infra.administration import CAPABILITIES
from infra.commands.admin import values
from infra.commands.admin.confirming import confirm
from infra.commands.admin.options import AsJson, PrincipalId, StackName, WorkspaceId, Yes
from infra.commands.admin.showing import show, show_all
from infra.commands.admin.targets import administration
from infra.commands.terminal import give_up
from research.words.records import Member, Role

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="Who may do what in a workspace.")

_NULLS = {"projects": "all"}
_ROLES = "|".join(values.ROLES)
_CAPABILITIES = ", ".join(CAPABILITIES)

RoleName = Annotated[str, typer.Argument(metavar="ROLE", parser=values.role, help=", ".join(values.ROLES))]


@app.command()
def add(
    workspace: WorkspaceId,
    role: Annotated[str, typer.Option(metavar=_ROLES, parser=values.role, help="Viewers only read.")],
    principal: Annotated[
        str | None,
        typer.Option(metavar="ID", parser=values.identifier, help="Who; somebody new unless given."),
    ] = None,
    capability: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", parser=values.capability, help=f"{_CAPABILITIES}; the first unless given."),
    ] = None,
    project: Annotated[
        list[str] | None,
        typer.Option(metavar="ID", parser=values.identifier, help="Open to the member; all unless given."),
    ] = None,
    stack: StackName = None,
    *,
    as_json: AsJson = False,
) -> None:
    """Add a member. --capability and --project may be repeated."""
    member = Member(
        role=cast("Role", role),
        capabilities=_once(capability or CAPABILITIES[:1]),
        projects=_once(project) if project else None,
    )
    principal_id = administration(stack).add_member(workspace, principal, member)
    _show(workspace, principal_id, member, as_json=as_json)


@app.command("list")
def list_(workspace: WorkspaceId, stack: StackName = None, *, as_json: AsJson = False) -> None:
    """List the members of a workspace."""
    members = administration(stack).members(workspace)
    rows = [{"principal_id": principal_id, **member.model_dump()} for principal_id, member in members]
    show_all("members", rows, as_json=as_json, nulls=_NULLS)


@app.command("role")
def set_role(
    workspace: WorkspaceId, principal: PrincipalId, role: RoleName, stack: StackName = None, *, as_json: AsJson = False
) -> None:
    """Give a member another role."""
    _change(stack, workspace, principal, as_json=as_json, role=role)


@app.command("capabilities")
def set_capabilities(
    workspace: WorkspaceId,
    principal: PrincipalId,
    capabilities: Annotated[
        list[str] | None,
        typer.Argument(metavar="[CAPABILITY]...", parser=values.capability, help=_CAPABILITIES),
    ] = None,
    stack: StackName = None,
    *,
    none: Annotated[bool, typer.Option("--none", help="Take every capability away.")] = False,
    as_json: AsJson = False,
) -> None:
    """Give a member these capabilities and no others."""
    if bool(capabilities) == none:
        give_up("Name the capabilities that the member shall have, or give --none.")
    _change(stack, workspace, principal, as_json=as_json, capabilities=_once(capabilities or ()))


@app.command("projects")
def set_projects(
    workspace: WorkspaceId,
    principal: PrincipalId,
    projects: Annotated[
        list[str] | None, typer.Argument(metavar="[PROJECT]...", parser=values.identifier, help="Their ids.")
    ] = None,
    stack: StackName = None,
    *,
    every: Annotated[bool, typer.Option("--all", help="Open all projects, those to come too.")] = False,
    none: Annotated[bool, typer.Option("--none", help="Close every project.")] = False,
    as_json: AsJson = False,
) -> None:
    """Open these projects to a member and no others."""
    if [bool(projects), every, none].count(True) != 1:
        give_up("Name the projects that shall be open to the member, or give either --all or --none.")
    _change(stack, workspace, principal, as_json=as_json, projects=None if every else _once(projects or ()))


@app.command()
def remove(
    workspace: WorkspaceId,
    principal: PrincipalId,
    stack: StackName = None,
    *,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """End a membership."""
    admin = administration(stack)
    role = admin.member(workspace, principal).role
    confirm(
        f"Member {principal} ({role}) will lose workspace {workspace} from the next call on;"
        " its conversations can then be read by nobody, unless it is added again while they last.",
        yes=yes,
    )
    admin.remove_member(workspace, principal)
    show({"workspace_id": workspace, "principal_id": principal, "removed": True}, as_json=as_json)


def _change(stack: str | None, workspace: str, principal: str, *, as_json: bool, **changes: Any) -> None:
    _show(workspace, principal, administration(stack).change_member(workspace, principal, **changes), as_json=as_json)


def _show(workspace: str, principal: str, member: Member, *, as_json: bool) -> None:
    document = {"workspace_id": workspace, "principal_id": principal, **member.model_dump()}
    show(document, as_json=as_json, nulls=_NULLS)


def _once(names: Any) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))

"""The arguments and options that several commands have."""

from typing import Annotated

import typer

from infra.commands.admin import values

StackName = Annotated[
    str | None,
    typer.Option("--stack", metavar="NAME", help="A deployed stack, with your own AWS credentials."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask; needed where there is no terminal to ask on.")]

WorkspaceId = Annotated[str, typer.Argument(metavar="WORKSPACE", parser=values.identifier, help="Its id.")]
ProjectId = Annotated[str, typer.Argument(metavar="PROJECT", parser=values.identifier, help="Its id.")]
PrincipalId = Annotated[str, typer.Argument(metavar="PRINCIPAL", parser=values.identifier, help="Who: an id.")]
Name = Annotated[str, typer.Argument(metavar="NAME", parser=values.name)]

"""`research admin`: workspaces, projects, members, tokens, sources and budgets of one table."""


import typer

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="Set up a local or deployed stack.")
workspace = typer.Typer(no_args_is_help=True, help="Tenants.")
project = typer.Typer(no_args_is_help=True, help="Named collections of evidence.")
member = typer.Typer(no_args_is_help=True, help="Who may do what in a workspace.")
token = typer.Typer(no_args_is_help=True, help="Access tokens. Each is shown once.")
sources = typer.Typer(no_args_is_help=True, help="Evidence of a project.")
budget = typer.Typer(no_args_is_help=True, help="What a workspace may spend in a UTC day.")
provider = typer.Typer(no_args_is_help=True, help="The language model.")
for name, group in {
    "workspace": workspace,
    "project": project,
    "member": member,
    "token": token,
    "sources": sources,
    "budget": budget,
    "provider": provider,
}.items():
    app.add_typer(group, name=name)

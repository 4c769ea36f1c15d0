"""`research admin token`."""

from datetime import timedelta
from typing import Annotated, Any

import typer

from infra.commands.admin import values
from infra.commands.admin.confirming import confirm
from infra.commands.admin.options import AsJson, PrincipalId, StackName, Yes
from infra.commands.admin.showing import printable, show, show_all
from infra.commands.admin.targets import administration
from infra.commands.terminal import err
from research.words.records import Token

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="Access tokens. Each is shown once.")

DAYS = 30

_NULLS = {"revoked_at": "no"}


@app.command()
def issue(
    principal: PrincipalId,
    label: Annotated[
        str | None, typer.Option(metavar="TEXT", parser=values.name, help="What it is for, to know it by in lists.")
    ] = None,
    days: Annotated[
        int | None,
        typer.Option(metavar="DAYS", parser=values.days, help=f"How long it is good for; {DAYS} unless given."),
    ] = None,
    stack: StackName = None,
    *,
    as_json: AsJson = False,
) -> None:
    """Issue a token to a member. Its text is shown now and never again: only its SHA-256 is kept."""
    issued = administration(stack).issue_token(principal, timedelta(days=days or DAYS), label or "")
    document = {"principal_id": principal, "token": issued.text, **_document(issued.digest, issued.record)}
    show(document, as_json=as_json, nulls=_NULLS)
    if not as_json:
        err.print("Keep the token now: it is shown this once.")


@app.command("list")
def list_(principal: PrincipalId, stack: StackName = None, *, as_json: AsJson = False) -> None:
    """List the tokens of a principal by their digests."""
    rows = [_document(digest, token) for digest, token in administration(stack).tokens(principal)]
    show_all("tokens", rows, as_json=as_json, nulls=_NULLS)


@app.command()
def revoke(
    principal: PrincipalId,
    digest: Annotated[
        str, typer.Argument(metavar="DIGEST_PREFIX", parser=values.digest, help="The beginning of its digest.")
    ],
    stack: StackName = None,
    *,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Revoke a token."""
    admin = administration(stack)
    found, token = admin.token(principal, digest)
    called = f" ({printable(token.label)})" if token.label else ""
    confirm(f"Token {found[:12]}{called} of {principal} will open nothing from the next call on, for good.", yes=yes)
    document = {"principal_id": principal, **_document(*admin.revoke_token(principal, found))}
    show(document, as_json=as_json, nulls=_NULLS)


def _document(digest: str, token: Token) -> dict[str, Any]:
    return {
        "digest": digest,
        "label": token.label,
        "expires_at": token.expires_at,
        "revoked_at": token.revoked_at,
    }

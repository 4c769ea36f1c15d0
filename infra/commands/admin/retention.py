"""`research admin retention`."""

from dataclasses import asdict

import typer

from infra import retention
from infra.commands.admin.options import AsJson, StackName
from infra.commands.admin.showing import show
from infra.commands.admin.targets import target
from research.words import clock


def prove(stack: StackName = None, *, as_json: AsJson = False) -> None:
    """Scan the table: is anything that was said older than 24 hours? Exit code 1 if so, or if it could become so.

    Keys and times are read, nothing that anybody wrote. Reading a table costs a read unit for each 4 KB it holds.
    """
    found = target(stack)
    now = clock.now()
    kept = retention.report(retention.scan(found.client, found.table), now)
    copied = retention.copies(found.client, found.table)
    holds = kept.holds and copied.holds
    show({"checked_at": now, **asdict(kept), **asdict(copied), "holds": holds}, as_json=as_json)
    if not holds:
        raise typer.Exit(1)

"""`research admin` in this process, against a stack that a test starts."""

import json
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from infra.cli import app
from infra.commands.admin import targets
from research.words.records import Member
from research.words.sources import Source

TEXTS = ("The battery lasts seven hours.", "The fan whines on the third setting.")


def admin(*arguments: str, sent: bytes | None = None) -> Result:
    """The command with this on its standard input, which is no terminal."""
    return CliRunner().invoke(app, ["admin", *arguments], input=sent)


def document(*arguments: str, sent: bytes | None = None) -> Any:
    """The one JSON document that the command prints; nothing else is said."""
    told = admin(*arguments, "--json", sent=sent)
    assert (told.exit_code, told.stderr) == (0, ""), told.stderr
    return json.loads(told.stdout)


@dataclass(frozen=True, slots=True)
class World:
    """A workspace of one stack with a project of two texts, a member and a token."""

    workspace: str
    project: str
    member: str
    token: str
    digest: str
    evidence: tuple[str, ...]

    def fill(self, line: str) -> list[str]:
        """A command line with the ids of this world in its braces."""
        names = {"w": self.workspace, "p": self.project, "m": self.member, "d": self.digest, "e": self.evidence[0]}
        return [part.format(**names) for part in line.split()]


def world(announced: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    """A new world in the stack of this file, to which `admin` goes from now on."""
    monkeypatch.setattr(targets, "RUNNING", announced)
    made = targets.administration(None)
    workspace = made.create_workspace("Acme 東京")
    project = made.create_project(workspace, "Fans")
    sources = [Source(id=f"e{number}", text=text) for number, text in enumerate(TEXTS)]
    published = made.import_sources(workspace, project, sources)
    member = made.add_member(workspace, None, Member(role="editor", capabilities=("agent:research",)))
    issued = made.issue_token(member, timedelta(days=1), "first")
    evidence = tuple(pinned.evidence_id for pinned in published.evidence)
    return World(workspace, project, member, issued.text, issued.digest, evidence)

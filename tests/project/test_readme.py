"""README.md and the code say the same."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

from research.words.catalogue import OPERATIONS
from research.words.contract import FailureCode
from research.words.problems import TABLE

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
DESIGN = (ROOT / "functions" / "README.md").read_text()


def section(title: str) -> str:
    return README.split(f"\n## {title}\n")[1].split("\n## ")[0]


def test_every_problem_and_every_failure_code_is_explained() -> None:
    explained = set(re.findall(r"`([a-z_]+)`", section("What each answer means")))

    assert set(TABLE) | set(get_args(FailureCode)) - {"cancelled"} <= explained
    assert {f"`{kind.status}`".strip("`") for kind in TABLE.values()} <= set(re.findall(r"\d{3}", README))


def test_every_operation_is_in_the_table_of_round_trips() -> None:
    table = DESIGN.split("| operation | reads |")[1].split("\n\n")[0]

    assert [operation.name for operation in OPERATIONS if operation.name not in table] == []


def test_every_file_that_is_linked_exists() -> None:
    for page in (ROOT / "README.md", ROOT / "functions" / "README.md"):
        for link in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
            assert (page.parent / link).exists(), link


def test_every_make_target_that_is_named_exists() -> None:
    rules = re.findall(r"^([a-z -]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    targets = {target for rule in rules for target in rule.split()}

    for page in (README, (ROOT / "infra" / "README.md").read_text()):
        assert set(re.findall(r"`make ([a-z-]+)", page)) <= targets


def said(title: str, shell: str, directory: Path, lines: int) -> list[str]:
    """The first lines that the commands of a section print."""
    blocks = re.findall(r"```sh\n(.*?)```", section(title), re.DOTALL)
    (directory / ".venv").symlink_to(Path(sys.executable).parents[1])
    (directory / "events").symlink_to(ROOT / "events")
    environment = {**os.environ, "RESEARCH_DEV_FILE": str(directory / "dev.json")}
    environment.pop("AWS_ENDPOINT_URL", None)

    process = subprocess.Popen(
        [shell, "-c", "set -eu\n" + "\n".join(blocks)],
        cwd=directory,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        return [process.stdout.readline() for _ in range(lines)] if process.stdout else []
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.communicate(timeout=20)


@pytest.mark.parametrize("shell", ["bash", "sh"])
def test_the_curl_commands_create_ask_poll_and_read(shell: str, tmp_path: Path) -> None:
    statement, passages = said("Ask with curl", shell, tmp_path, 2)

    assert "battery" in statement
    assert "battery" in passages


@pytest.mark.parametrize("shell", ["bash", "sh"])
def test_the_commands_lead_from_an_empty_stack_to_a_cited_answer(shell: str, tmp_path: Path) -> None:
    imported, statement, passages = said("From nothing to an answer", shell, tmp_path, 3)

    assert json.loads(imported)["new"] == 13
    assert "battery" in statement
    assert "battery" in passages

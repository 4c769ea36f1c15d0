"""The locks are what pyproject.toml asks for, pinned by hash, and name no address."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LOCKS = ROOT / "infra" / "locks"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
GROUPS = sorted(path.stem for path in LOCKS.glob("*.txt"))


def test_there_is_a_lock_for_each_bundle_for_development_and_for_the_set_up() -> None:
    assert GROUPS == ["dev", "generate", "mcp", "operations", "setup"]
    assert set(GROUPS) <= set(PROJECT["dependency-groups"])


@pytest.mark.parametrize("group", GROUPS)
def test_compiling_a_group_again_changes_nothing_in_its_lock(group: str, tmp_path: Path) -> None:
    lock = LOCKS / f"{group}.txt"
    again = tmp_path / lock.name
    again.write_bytes(lock.read_bytes())  # uv keeps the pins it finds, so that a newer release alone is no difference
    command = ["make", "--no-print-directory", "locks", f"GROUPS={group}", f"COMPILED={tmp_path}"]

    compiled = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)

    if "Failed to fetch" in compiled.stderr or "error sending request" in compiled.stderr:
        pytest.skip("the package index cannot be reached")
    assert (compiled.returncode, compiled.stderr) == (0, "")
    assert again.read_text() == lock.read_text()


@pytest.mark.parametrize("group", GROUPS)
def test_every_pin_has_a_hash(group: str) -> None:
    blocks = re.split(r"\n(?=[a-z0-9])", (LOCKS / f"{group}.txt").read_text().strip())

    assert blocks
    assert all("==" in block and "--hash=sha256:" in block for block in blocks)


def test_the_bundles_pin_the_versions_that_development_tests() -> None:
    def pins(group: str) -> set[str]:
        lock = (LOCKS / f"{group}.txt").read_text()
        return set(re.findall(r"^([a-z0-9][a-z0-9._-]*==[^\s;\\]+)", lock, re.MULTILINE))

    assert pins("operations") <= pins("generate") <= pins("dev")
    assert pins("operations") <= pins("mcp") <= pins("dev")


def test_no_tracked_file_names_a_registry() -> None:
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    hosts = re.compile(r"pypi\.(?:org|python)|pythonhosted|registry\.npm|npmjs|deb\.debian", re.IGNORECASE)
    named = [
        name
        for name in tracked.stdout.split("\0")
        if name and Path(name).name != Path(__file__).name and hosts.search((ROOT / name).read_text(errors="ignore"))
    ]
    assert named == []


def test_python_is_one_that_the_project_says_it_runs_on() -> None:
    assert sys.version_info >= tuple(map(int, PROJECT["project"]["requires-python"].removeprefix(">=").split(".")))

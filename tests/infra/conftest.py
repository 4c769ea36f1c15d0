"""Fixtures: what the deployment synthesises to. No test touches CDK itself."""

import fcntl
import subprocess
import sys
from pathlib import Path

import pytest

from tests.infra.template import Template

_ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def assemblies(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """The directory of every variant's assembly, written by the first worker that asks for it."""
    base = tmp_path_factory.getbasetemp()
    out = (base if worker_id == "master" else base.parent) / "assemblies"
    with Path(f"{out}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (done := out / ".complete").exists():
            _synthesise(out)
            done.touch()
    return out


def _synthesise(out: Path) -> None:
    command = [sys.executable, "-m", "tests.infra.synthesis", out]
    run = subprocess.run(command, cwd=_ROOT, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")


@pytest.fixture(scope="session")
def plain(assemblies: Path) -> Template:
    """The stack as it is when nothing was chosen: without a Gemini secret."""
    return Template.read(assemblies / "plain")


@pytest.fixture(scope="session")
def chosen(assemblies: Path) -> Template:
    """The stack with everything chosen that can be."""
    return Template.read(assemblies / "chosen")

"""Programs written for Node, pinned by exact version, run by the Node of this project's own environment."""

import fcntl
import functools
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

CONFORMANCE = "@modelcontextprotocol/conformance@0.2.0-alpha.12"
INSPECTOR = "@modelcontextprotocol/inspector@2.12.0"
MAINS = {CONFORMANCE: "dist/index.js", INSPECTOR: "clients/launcher/build/index.js"}

_ROOT = Path(__file__).parents[2]
_PROGRAMS = _ROOT / ".build" / "node"
_BIN = Path(sys.executable).parent
_OFFLINE = ("ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "ECONNRESET", "ENETUNREACH", "EHOSTUNREACH", "ETIMEDOUT", "E403")


def run(package: str, *arguments: str, timeout: float = 240) -> subprocess.CompletedProcess[str]:
    """The package's program, run to its end. Skips the test where npm's registry cannot be reached."""
    program = _installed(package)
    environment = {name: text for name, text in os.environ.items() if not name.lower().endswith("_proxy")}
    return subprocess.run(
        (str(_BIN / "node"), str(program), *arguments),
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )


@functools.cache
def _installed(package: str) -> Path:
    """Where the program is, installed by the first process that asks for it and kept in .build."""
    name, _, version = package.rpartition("@")
    home = _PROGRAMS / f"{name.rpartition('/')[2]}-{version}"
    program = home / "node_modules" / name / MAINS[package]
    with _alone():
        if not (home / ".complete").exists():
            _install(package, home)
            (home / ".complete").touch()
    return program


def _install(package: str, home: Path) -> None:
    home.mkdir(parents=True, exist_ok=True)
    options = ("--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts", "--fetch-retries=1")
    done = subprocess.run(
        (str(_BIN / "npm"), "install", "--prefix", str(home), *options, "--cache", str(_PROGRAMS / "cache"), package),
        env={**os.environ, "PATH": f"{_BIN}{os.pathsep}{os.environ['PATH']}"},
        cwd=home,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    if done.returncode != 0 and any(code in done.stderr for code in _OFFLINE):
        pytest.skip(f"npm's registry cannot be reached, and {package} is not in .build/node yet")
    assert done.returncode == 0, done.stderr


@contextmanager
def _alone() -> Iterator[None]:
    """One process at a time: the tests run in several."""
    _PROGRAMS.mkdir(parents=True, exist_ok=True)
    with (_PROGRAMS / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield

"""The `research` command as a process of its own, and a `research dev` to ask."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from infra.client.facts import Facts

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "events" / "evidence.jsonl"
COMMAND = (sys.executable, "-m", "infra.cli")


@dataclass(frozen=True, slots=True)
class Dev:
    """A running `research dev`: its process, the first line it printed, and where it keeps its files."""

    process: subprocess.Popen[str]
    line: str
    directory: Path

    @property
    def facts(self) -> Facts:
        return Facts.model_validate_json(self.announced.read_bytes())

    @property
    def announced(self) -> Path:
        return self.directory / "dev.json"

    @property
    def stderr(self) -> str:
        return (self.directory / "stderr").read_text()

    def stop(self, number: signal.Signals = signal.SIGTERM) -> tuple[int, str]:
        """Its exit code and the rest of its output; subprocess.TimeoutExpired unless it ends within two seconds."""
        assert self.process.stdout is not None
        self.process.send_signal(number)
        return self.process.wait(timeout=2), self.process.stdout.read()


def environment(directory: Path, **more: str) -> dict[str, str]:
    """This process's environment with no model, a dead proxy, and a dev file of the test's own."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("GEMINI_", "AWS_"))}
    given = {
        "PYTHONPATH": f"{ROOT / 'functions'}{os.pathsep}{ROOT}",
        "RESEARCH_DEV_FILE": str(directory / "dev.json"),
        "HTTP_PROXY": "http://127.0.0.1:9",
        "HTTPS_PROXY": "http://127.0.0.1:9",
    }
    return kept | given | more


def research(directory: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    """The command, run to its end with nothing to read from."""
    return subprocess.run(
        (*COMMAND, *arguments),
        cwd=ROOT,
        env=environment(directory, **more),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@contextmanager
def dev(directory: Path, *arguments: str, **more: str) -> Iterator[Dev]:
    """`research dev` on a free port, from its first line on; ended in any case."""
    with (directory / "stderr").open("w") as stderr:
        process = subprocess.Popen(
            (*COMMAND, "dev", "--port", "0", *arguments),
            cwd=ROOT,
            env=environment(directory, **more),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=stderr,
            text=True,
        )
    with process:
        try:
            assert process.stdout is not None
            yield Dev(process, process.stdout.readline(), directory)
        finally:
            process.kill()

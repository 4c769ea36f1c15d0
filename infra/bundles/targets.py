"""For which Python on which platform a layer is built."""

import platform
import sys
from dataclasses import dataclass
from pathlib import Path

FOR_THIS_MACHINE = ""


@dataclass(frozen=True, slots=True)
class Target:
    """`platform` as uv names it, empty for this machine's own; `python` as `3.14`."""

    platform: str
    python: str

    @property
    def runs_here(self) -> bool:
        """Whether this interpreter writes the byte code that the target's reads."""
        return self.python == f"{sys.version_info.major}.{sys.version_info.minor}"


LAMBDA = Target("aarch64-manylinux2014", "3.14")
"""Python 3.14 on arm64. What cannot be run here is checked by the tags of its wheels."""


def host() -> Target:
    """This machine and this Python, so that a bundle can be run where it is tested."""
    return Target(FOR_THIS_MACHINE, f"{sys.version_info.major}.{sys.version_info.minor}")


def described(target: Target) -> str:
    """The target in words that differ where its bundle does."""
    return f"{target.platform or f'{sys.platform} {platform.machine()}'} {target.python} {target.runs_here}"


def recipe(target: Target) -> bytes:
    """What decides any bundle, besides what goes into it: the target, and how bundles are built."""
    sources = sorted(Path(__file__).parent.glob("*.py"))
    return b"".join((described(target).encode(), *(source.read_bytes() for source in sources)))

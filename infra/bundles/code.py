"""Our own code as it is deployed: the modules and the contract's files, and nothing else."""

import hashlib
import shutil
from collections.abc import Iterator
from pathlib import Path

from infra.bundles.compiling import compiled
from infra.bundles.modes import readable
from infra.bundles.targets import LAMBDA, Target, recipe

FUNCTIONS = Path(__file__).parents[2] / "functions"
_DEPLOYED = ("*.py", "*.json")


def build_code(out: Path, target: Target = LAMBDA) -> None:
    """Copy the code into `out`, which becomes /var/task: `handlers/` and `research/`."""
    for source in _files():
        copied = out / source.relative_to(FUNCTIONS)
        copied.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, copied)
    compiled(out, target)
    readable(out)


def code_hash(target: Target = LAMBDA) -> str:
    """A hash of all that decides what `build_code` writes."""
    digest = hashlib.sha256(recipe(target))
    for source in _files():
        content = source.read_bytes()
        digest.update(f"{source.relative_to(FUNCTIONS).as_posix()} {len(content)}\n".encode() + content)
    return digest.hexdigest()


def _files() -> Iterator[Path]:
    found = (
        path
        for package in ("handlers", "research")
        for kind in _DEPLOYED
        for path in FUNCTIONS.glob(f"{package}/**/{kind}")
    )
    yield from sorted(found)

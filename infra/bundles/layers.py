"""The libraries of one set as a Lambda layer: pinned, trimmed to what can be used, byte-compiled where that can be.

`uv` takes wheels alone, for any platform, by the hashes of `infra/locks/<set>.txt`.
"""

import hashlib
import subprocess
import sys
from pathlib import Path

from infra.bundles.compiling import compiled
from infra.bundles.modes import readable
from infra.bundles.targets import Target, described, recipe
from infra.bundles.trimming import trim

LOCKS = Path(__file__).parents[1] / "locks"


class LayerError(Exception):
    """A layer could not be built; the message is what uv said."""


def build_layer(name: str, target: Target, out: Path) -> None:
    """Write the set's libraries into `out/python`, which Lambda mounts as /opt/python. Raises LayerError."""
    site = out / "python"
    _install(LOCKS / f"{name}.txt", target, site)
    trim(site, name)
    compiled(site, target)
    readable(out)


def layer_hash(name: str, target: Target) -> str:
    """A hash of all that decides what `build_layer` writes."""
    return hashlib.sha256(recipe(target) + (LOCKS / f"{name}.txt").read_bytes()).hexdigest()


def _install(lock: Path, target: Target, site: Path) -> None:
    """Copy: uv would link the files of its cache, and whatever is trimmed here be trimmed in every environment."""
    command = [
        str(Path(sys.executable).with_name("uv")),
        *("pip", "install", "--quiet", "--require-hashes", "--no-deps", "--no-installer-metadata", "--no-config"),
        *("--link-mode", "copy"),
        *("--only-binary", ":all:", "--target", str(site), "--python", sys.executable),
        *(("--python-platform", target.platform) if target.platform else ()),
        *("--python-version", target.python, "--requirement", str(lock)),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 (our own command line)
    if done.returncode:
        raise LayerError(f"uv could not install {lock.name} for {described(target)}:\n{done.stderr}")

"""The libraries of one set as a Lambda layer: pinned, trimmed to what can be used, byte-compiled where that can be.

`uv` takes wheels alone, for any platform, by the hashes of `infra/locks/<set>.txt`.
"""

import hashlib
import subprocess
import sys
from pathlib import Path

from infra.bundles.compiling import compiled
from infra.bundles.targets import Target, described
from infra.bundles.trimming import trim

LOCKS = Path(__file__).parents[1] / "locks"
RECIPE = (Path(__file__), *(Path(__file__).with_name(f"{name}.py") for name in ("compiling", "trimming")))
"""What decides, beside the lock and the target, what a layer holds."""


class LayerError(Exception):
    """A layer could not be built; the message is what uv said."""


def build_layer(name: str, target: Target, out: Path) -> None:
    """Write the set's libraries into `out/python`, which Lambda mounts as /opt/python. Raises LayerError."""
    site = out / "python"
    _install(LOCKS / f"{name}.txt", target, site)
    trim(site, name)
    compiled(site, target)


def layer_hash(name: str, target: Target) -> str:
    """A hash of all that decides what `build_layer` writes."""
    digest = hashlib.sha256(described(target).encode())
    for path in (LOCKS / f"{name}.txt", *RECIPE):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _install(lock: Path, target: Target, site: Path) -> None:
    command = [
        str(Path(sys.executable).with_name("uv")),
        *("pip", "install", "--quiet", "--require-hashes", "--no-deps", "--no-installer-metadata", "--no-config"),
        *("--only-binary", ":all:", "--target", str(site), "--python", sys.executable),
        *(("--python-platform", target.platform) if target.platform else ()),
        *("--python-version", target.python, "--requirement", str(lock)),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 (our own command line)
    if done.returncode:
        raise LayerError(f"uv could not install {lock.name} for {described(target)}:\n{done.stderr}")

"""Bundles as they are built for this machine, once for each hash."""

import shutil
import tempfile
from collections.abc import Callable
from importlib import metadata
from pathlib import Path

from infra.bundles import LAMBDA, Target, build_code, build_layer, code_hash, host, layer_hash
from tests.bundle.runtime_api import client_alone

KEPT = Path(__file__).parents[2] / ".build" / "bundles"


def code(target: Target | None = None) -> Path:
    chosen = target or host()
    return _once(f"code-{code_hash(chosen)}", lambda out: build_code(out, chosen))


def layer(name: str, target: Target | None = None) -> Path:
    chosen = target or host()
    return _once(f"{name}-{layer_hash(name, chosen)}", lambda out: build_layer(name, chosen, out))


def for_lambda(name: str) -> Path:
    return layer(name, LAMBDA)


def client() -> Path:
    """AWS's runtime interface client, copied once: other processes have its machine code loaded."""
    return _once(f"client-{metadata.version('awslambdaric')}-{host().python}", client_alone)


def _once(name: str, build: Callable[[Path], None]) -> Path:
    """What is built is there whole or not at all, whoever else builds it at the same time."""
    kept = KEPT / name
    if not kept.exists():
        KEPT.mkdir(parents=True, exist_ok=True)
        building = Path(tempfile.mkdtemp(dir=KEPT, prefix="building-"))
        build(building)
        try:
            building.rename(kept)
        except OSError:  # another process was first
            shutil.rmtree(building)
    return kept

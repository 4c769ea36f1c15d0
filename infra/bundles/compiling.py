"""Byte code beside the modules of a bundle. Without, each cold start compiles what it imports, and keeps nothing."""

import compileall
from pathlib import Path
from py_compile import PycInvalidationMode

from infra.bundles.targets import Target


def compiled(root: Path, target: Target) -> None:
    """Compile everything under `root`, if this is the target's own Python: no other writes the byte code it reads.

    Unchecked by the hash of the source, since a bundle's files have no time to compare and do not change.
    """
    if target.runs_here:
        compileall.compile_dir(root, quiet=2, invalidation_mode=PycInvalidationMode.UNCHECKED_HASH, stripdir=root)

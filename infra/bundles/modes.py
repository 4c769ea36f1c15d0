"""Who may read a bundle's files. Lambda runs as another user than whoever built them, under whatever umask."""

from pathlib import Path

_DIRECTORY = 0o755
_FILE = 0o644


def readable(root: Path) -> None:
    """Let everybody read `root` and all in it. An archive keeps these modes, and a library is loaded without more."""
    for path in (root, *root.rglob("*")):
        path.chmod(_DIRECTORY if path.is_dir() else _FILE)

"""Synthesises every variant once, in a process of its own: CDK takes seconds to load, and tests want only its JSON.

python tests/infra/synthesis.py DIRECTORY
"""

import os
import sys
from pathlib import Path
from typing import Any

from aws_cdk.aws_sqs import Queue

import infra.app
from infra.deployment.assembly import app

VARIANTS: dict[str, dict[str, Any]] = {
    "plain": {},
    "chosen": {
        "stage": "prod",
        "gemini_secret": "team/gemini",
        "gemini_model": "gemini-9-pro",
        "generate_concurrency": "3",
        "daily_runs": "7",
        "daily_tokens": "8000",
        "allowed_origins": "https://app.example.com,http://localhost:3000",
        "alarm_email": "people@example.com",
    },
}
CANARY = "canary"
_UNBUNDLED = {"aws:cdk:bundling-stacks": []}


def main(out: Path) -> None:
    """Write an assembly for each variant, and what became of two that must not pass."""
    for name, given in VARIANTS.items():
        app({**given, **_UNBUNDLED}, str(out / name)).synth()
    _canary(out / CANARY)
    (out / "refused.txt").write_text(_refused(out / "refused"))


def _canary(out: Path) -> None:
    """The stack with a queue in it that no check may let pass."""
    canary = app(_UNBUNDLED, str(out))
    Queue(canary.node.find_child("cited-research-dev"), "Canary")
    try:
        canary.synth()
    except RuntimeError:
        return
    sys.exit("The canary passed the checks.")


def _refused(out: Path) -> str:
    """What the command says of a context that there is not."""
    sys.argv, before = ["app", "-c", "gemini_secrets=x"], sys.argv
    os.environ["CDK_OUTDIR"] = str(out)
    try:
        infra.app.main()
    except SystemExit as refused:
        return str(refused.code)
    finally:
        sys.argv = before
    sys.exit("A misspelt context was taken.")


if __name__ == "__main__":
    main(Path(sys.argv[1]))

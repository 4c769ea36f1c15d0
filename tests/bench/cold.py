"""Importing each handler from its bundle in a new interpreter, beside what it stands on: interleaved, as ratios."""

import os
import shutil
import statistics
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from infra.deployment.functions import FUNCTIONS
from tests.bundle import built

ROUNDS = 7
ENVIRONMENT = {
    "TABLE_NAME": "t",
    "QUEUE_URL": "http://127.0.0.1:9/q",
    "GEMINI_SECRET": "team/gemini",
    "AWS_DEFAULT_REGION": "us-east-1",
    "AWS_ACCESS_KEY_ID": "test",
    "AWS_SECRET_ACCESS_KEY": "test",
    "AWS_CONFIG_FILE": "/dev/null",
}
_BARE = """
import boto3
from aws_lambda_powertools import Logger
from pydantic import BaseModel
class Bare(BaseModel):
    name: str
boto3.client("dynamodb")
Logger()
"""
BASES = {
    "operations": _BARE,
    "mcp": f"import mcp.server.lowlevel, mcp.server.streamable_http_manager\n{_BARE}",
    "generate": f"from google import genai\ngenai.Client(api_key='k')\n{_BARE}",
}
"""What each set of functions stands on: the client of DynamoDB, pydantic and the logger; the bare SDK; google-genai."""


def measured() -> dict[str, dict[str, float]]:
    """By handler, and what each stands on: milliseconds with and without byte code, medians of ROUNDS."""
    cases: dict[str, tuple[str, str]] = {f"base of {layer}": (layer, base) for layer, base in BASES.items()}
    for function in FUNCTIONS:
        cases[function.name] = (function.layer, f"import {function.handler.rpartition('.')[0]}")
    plain = {layer: _without_byte_code(layer) for layer in BASES}
    taken: dict[str, dict[str, list[float]]] = {name: {"compiled": [], "plain": []} for name in cases}
    for _ in range(ROUNDS):
        for name, (layer, statement) in cases.items():
            compiled = (built.code(), built.layer(layer) / "python")
            taken[name]["compiled"].append(_once(statement, compiled))
            if name in ("conversations_get", "mcp_endpoint", "generate"):
                taken[name]["plain"].append(_once(statement, plain[layer]))
    return {
        name: {kind: statistics.median(times) for kind, times in kinds.items() if times}
        for name, kinds in taken.items()
    }


def ratios(found: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    """Each handler as a multiple of what it stands on."""
    return {
        function.name: found[function.name]["compiled"] / found[f"base of {function.layer}"]["compiled"]
        for function in FUNCTIONS
    }


def _without_byte_code(layer: str) -> tuple[Path, Path]:
    """The same bundle as it is deployed where the builder's Python is not the function's."""
    copies = []
    for name, source in (("code", built.code()), (layer, built.layer(layer) / "python")):
        copy = built.KEPT / f"plain-{name}-{source.parent.name[-12:] if name != 'code' else source.name[-12:]}"
        if not copy.exists():
            shutil.copytree(source, copy, ignore=shutil.ignore_patterns("__pycache__"))
        copies.append(copy)
    return copies[0], copies[1]


def _once(statement: str, paths: tuple[Path, ...]) -> float:
    """Milliseconds of processor time, which other processes disturb less than the clock's."""
    program = f"import sys; sys.path[:0] = {[str(path) for path in paths]!r}\n{statement}"
    process = subprocess.Popen([sys.executable, "-I", "-S", "-B", "-c", program], env=ENVIRONMENT)
    _, status, used = os.wait4(process.pid, 0)
    if status:
        raise RuntimeError(f"{statement} failed")
    return (used.ru_utime + used.ru_stime) * 1000


def memory(statement: str, paths: tuple[Path, ...]) -> float:
    """MB that such a process holds at most."""
    told = "print([line for line in open('/proc/self/status') if line.startswith('VmHWM')][0].split()[1])"
    program = f"import sys; sys.path[:0] = {[str(path) for path in paths]!r}\n{statement}\n{told}"
    command = [sys.executable, "-I", "-S", "-B", "-c", program]
    return int(subprocess.run(command, env=ENVIRONMENT, check=True, capture_output=True).stdout) / 1024

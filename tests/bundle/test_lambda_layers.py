"""What cannot be run here, Python 3.14 on arm64, is held against what can: by tags, by machine code, by imports."""

import hashlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from infra.bundles import LAMBDA, build_code, build_layer, code_hash, host, layer_hash
from infra.bundles.trimming import SERVICES
from infra.deployment.functions import FUNCTIONS
from tests.bundle import built

SETS = tuple(SERVICES)
AARCH64 = 0xB7
GLIBC = 34
"""Of Amazon Linux 2023, on which Python 3.14 runs: 2.34."""

_IMPORTED = """
import importlib, json, sys
sys.path[:0] = {paths!r}
before = set(sys.modules)
for handler in {handlers!r}:
    importlib.import_module(handler)
{more}
print(json.dumps(sorted(m.__file__ for m in list(sys.modules.values()) if getattr(m, "__file__", None))))
"""
_GENERATING = """
from research.adapters.gemini import Gemini
Gemini("a-key", "a-model", "http://127.0.0.1:9")._running("a-key")
"""


@pytest.fixture
def private() -> Iterator[None]:
    """Whoever builds lets nobody else read what is written."""
    before = os.umask(0o077)
    yield
    os.umask(before)


def tree(root: Path) -> dict[str, tuple[int, str]]:
    """Every file's and directory's mode, and a hash of what it holds."""
    return {
        path.relative_to(root).as_posix(): (
            path.stat().st_mode & 0o777,
            hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "",
        )
        for path in sorted(root.rglob("*"))
    }


def modules(layer: Path) -> set[str]:
    return {path.relative_to(layer).as_posix() for path in layer.rglob("*.py")}


def distributions(layer: Path) -> set[str]:
    return {path.name.removesuffix(".dist-info") for path in layer.glob("python/*.dist-info")}


@pytest.mark.parametrize("name", SETS)
def test_every_wheel_is_for_this_python_and_platform_or_for_all(name: str) -> None:
    wheels = list(built.for_lambda(name).glob("python/*.dist-info/WHEEL"))

    assert wheels
    for wheel in wheels:
        tags = re.findall(r"^Tag: (\S+)$", wheel.read_text(), re.MULTILINE)
        assert any(fits(tag) for tag in tags), (wheel.parent.name, tags)


def fits(tag: str) -> bool:
    python, abi, platform = tag.split("-")
    if platform == "any":
        return python.startswith("py")
    libc = re.fullmatch(r"manylinux(2014|_2_(\d+))_aarch64", platform)
    compiled = (python, abi) == ("cp314", "cp314") or (abi == "abi3" and python.startswith("cp3"))
    return compiled and libc is not None and int(libc.group(2) or 17) <= GLIBC


@pytest.mark.parametrize("name", SETS)
def test_every_extension_is_machine_code_for_arm64(name: str) -> None:
    extensions = list(built.for_lambda(name).rglob("*.so*"))

    assert extensions
    assert {int.from_bytes(file.read_bytes()[18:20], "little") for file in extensions} == {AARCH64}


@pytest.mark.parametrize("name", SETS)
def test_the_layer_for_lambda_has_the_libraries_of_the_one_that_was_run(name: str) -> None:
    assert distributions(built.for_lambda(name)) == distributions(built.layer(name))
    assert modules(built.for_lambda(name)) >= modules(built.layer(name))


@pytest.mark.parametrize("name", SETS)
def test_all_that_its_handlers_import_is_in_the_layer_for_lambda(name: str) -> None:
    site, code = built.layer(name) / "python", built.code()
    handlers = [f"handlers.{function.name}" for function in FUNCTIONS if function.layer == name]
    program = _IMPORTED.format(
        paths=[str(code), str(site)], handlers=handlers, more=_GENERATING if name == "generate" else ""
    )
    told = {
        "TABLE_NAME": "t",
        "QUEUE_URL": "http://127.0.0.1/q",
        "GEMINI_SECRET": "s",
        "AWS_DEFAULT_REGION": "us-east-1",
    }
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program], env=told, capture_output=True, text=True, check=True
    )

    imported = [Path(file) for file in json.loads(done.stdout)]
    ours = [file.relative_to(site) for file in imported if file.is_relative_to(site)]
    assert len(ours) > 100
    for file in ours:
        stem = file.with_name(file.name.partition(".")[0])
        assert list((built.for_lambda(name) / "python").glob(f"{stem}.*")), file


@pytest.mark.usefixtures("private")
@pytest.mark.parametrize("name", SETS)
def test_a_layer_is_the_same_whenever_and_by_whomever_it_is_built(name: str, tmp_path: Path) -> None:
    build_layer(name, LAMBDA, tmp_path)

    assert tree(tmp_path) == tree(built.for_lambda(name))
    assert {mode for mode, _ in tree(tmp_path).values()} == {0o644, 0o755}


@pytest.mark.parametrize("name", SETS)
def test_a_layer_shares_no_file_with_another_environment(name: str) -> None:
    files = [path for path in built.for_lambda(name).rglob("*") if path.is_file()]

    assert {path.stat().st_nlink for path in files} == {1}


@pytest.mark.usefixtures("private")
def test_the_code_is_the_modules_and_the_contract_and_the_same_whenever_it_is_built(tmp_path: Path) -> None:
    build_code(tmp_path)

    found = tree(tmp_path)
    assert found == tree(built.code(LAMBDA))
    assert {Path(name).suffix for name in found if (tmp_path / name).is_file()} == {".py", ".json"}
    assert {mode for mode, _ in found.values()} == {0o644, 0o755}
    assert {f"handlers/{function.name}.py" for function in FUNCTIONS} <= set(found)


def test_what_runs_here_is_byte_compiled_and_what_does_not_is_not() -> None:
    here, there = built.layer("operations"), built.for_lambda("operations")

    assert (here / "python/boto3/__pycache__").is_dir()
    assert (built.code(host()) / "research/__pycache__").is_dir()
    assert bool(list(there.rglob("*.pyc"))) == LAMBDA.runs_here


def test_a_hash_tells_sets_and_targets_apart() -> None:
    hashes = [layer_hash(name, target) for name in SETS for target in (LAMBDA, host())]

    assert len(set(hashes)) == len(hashes)
    assert code_hash(LAMBDA) != code_hash(host()) or host() == LAMBDA


@pytest.mark.parametrize("name", SETS)
def test_a_layer_knows_the_aws_services_that_its_functions_call_and_no_other(name: str) -> None:
    data = built.for_lambda(name) / "python/botocore/data"

    assert {entry.name for entry in data.iterdir() if entry.is_dir()} == set(SERVICES[name])
    endpoints = json.loads((data / "endpoints.json").read_text())["partitions"]
    assert {service for partition in endpoints for service in partition["services"]} == set(SERVICES[name])

"""What is taken out of a layer, since nothing here can use it.

botocore is nine tenths of an API function's libraries, and nearly all of it describes other services.
"""

import json
import shutil
from pathlib import Path

SERVICES = {
    "operations": ("dynamodb", "sqs"),
    "mcp": ("dynamodb", "sqs"),
    "generate": ("dynamodb", "secretsmanager", "sqs"),
}
"""By set: the AWS services that its functions call."""

_BY_SERVICE = "*-*"  # botocore names a version's directory by its date
_NOT_IMPORTED = ("tests", "test", "examples", "__pycache__", "bin")
_NOT_READ = ("*.pyi", "*.pyx", "*.pxd", "*.c", "*.h", "*.md", "RECORD", "INSTALLER", "REQUESTED", ".lock")


def trim(site: Path, name: str) -> None:
    """Take out of the libraries in `site` what the functions of this set cannot use. Licences stay."""
    _trim_botocore(site / "botocore" / "data", SERVICES[name])
    shutil.rmtree(site / "boto3" / "data")  # of resources, which nobody here uses
    for directory in [path for kind in _NOT_IMPORTED for path in site.glob(f"**/{kind}") if path.is_dir()]:
        shutil.rmtree(directory, ignore_errors=True)
    for file in [path for kind in _NOT_READ for path in site.glob(f"**/{kind}") if path.is_file()]:
        if "licenses" not in file.parts:
            file.unlink()


def _trim_botocore(data: Path, services: tuple[str, ...]) -> None:
    for entry in data.iterdir():
        if entry.is_dir() and entry.name not in services:
            shutil.rmtree(entry)
    kept = [file for service in services for file in data.glob(f"{service}/{_BY_SERVICE}/*")]
    for file in kept:
        if file.name.startswith(("paginators", "waiters", "examples")):
            file.unlink()
    _trim_endpoints(data / "endpoints.json", services)


def _trim_endpoints(path: Path, services: tuple[str, ...]) -> None:
    """Every region of every partition, and of the services these alone: botocore reads all of it for each client."""
    document = json.loads(path.read_text())
    for partition in document["partitions"]:
        partition["services"] = {name: told for name, told in partition["services"].items() if name in services}
    path.write_text(json.dumps(document, separators=(",", ":")))

"""What a function does not use it does not load: a cold start is paid for in imports."""

import json
import subprocess
import sys

import pytest

from research.words.catalogue import OPERATIONS
from tests.stack.research_command import ROOT

ENVIRONMENT = {
    "PYTHONPATH": str(ROOT / "functions"),
    "TABLE_NAME": "t",
    "QUEUE_URL": "http://127.0.0.1:9/q",
    "AWS_DEFAULT_REGION": "us-east-1",
    "AWS_ACCESS_KEY_ID": "test",
    "AWS_SECRET_ACCESS_KEY": "test",
}


def loaded(statement: str) -> set[str]:
    """The modules that a new process has loaded after this statement."""
    script = f"{statement}\nimport json, sys\nprint(json.dumps(sorted(sys.modules)))"
    done = subprocess.run(
        (sys.executable, "-c", script), env=ENVIRONMENT, capture_output=True, text=True, timeout=60, check=True
    )
    return set(json.loads(done.stdout))


@pytest.mark.parametrize("handler", [*(operation.name for operation in OPERATIONS), "unrouted", "sweep"])
def test_only_the_mcp_function_loads_the_sdk(handler: str) -> None:
    modules = loaded(f"import handlers.{handler}")

    assert not {"mcp", "mcp_types", "starlette", "httpx2", "google.genai"} & modules


def test_the_mcp_function_loads_the_sdk_and_what_every_function_has_and_no_more() -> None:
    needed = loaded("import mcp.server.lowlevel, mcp.server.streamable_http_manager, handlers.conversations_get")

    more = {name.partition(".")[0] for name in loaded("import handlers.mcp_endpoint") - needed}

    assert more <= {"handlers", "research"}

"""Lambda's runtime API for one function, and the function as a process that is given nothing but its bundle.

docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html. The process runs AWS's own runtime interface client in an
interpreter that sees neither the development environment nor its packages (`-I -S`).
"""

import json
import queue
import shutil
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import metadata
from pathlib import Path
from typing import Any

_PREFIX = "/2018-06-01/runtime"
_SECONDS = 120
_CLIENT = ("awslambdaric", "simplejson", "snapshot_restore_py", "runtime_client")
_START = """
import sys
sys.path[:0] = {paths!r}
from awslambdaric.__main__ import main
main(["awslambdaric", {handler!r}])
"""


class FunctionFailed(Exception):
    """The function could not be started, or an invocation of it failed: what the runtime reported."""


@dataclass
class RuntimeApi:
    """The server's side of one function: events in, answers out."""

    events: "queue.Queue[tuple[str, Any] | None]"
    answers: "queue.Queue[tuple[str, Any]]"
    server: ThreadingHTTPServer

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.server.server_port}"


class _Handler(BaseHTTPRequestHandler):
    api: RuntimeApi

    def do_GET(self) -> None:
        event = self.api.events.get()
        if event is None:
            return
        body = json.dumps(event[1]).encode()
        self.send_response(200)
        deadline = int((time.time() + 110) * 1000)
        headers = {
            "Lambda-Runtime-Aws-Request-Id": event[0],
            "Lambda-Runtime-Deadline-Ms": str(deadline + 10_000),
            "Lambda-Runtime-Invoked-Function-Arn": "arn:aws:lambda:us-east-1:000000000000:function:tried",
            "Lambda-Runtime-Trace-Id": "Root=1-692cbd13-5e3f1a7b9c2d4e6f8a0b1c13",
            "Content-Type": "application/json",
            "Content-Length": str(len(body)),
        }
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.api.answers.put((self.path.removeprefix(_PREFIX).rpartition("/")[2], json.loads(body or b"null")))
        self.send_response(202)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (the signature of http.server)
        """Say nothing."""


class Running:
    """One function's process. `invoke` gives it an event and waits for what it answers."""

    def __init__(self, api: RuntimeApi, process: "subprocess.Popen[bytes]") -> None:
        self._api = api
        self._process = process

    def invoke(self, event: Any) -> Any:
        """The answer. Raises FunctionFailed."""
        self._api.events.put((str(uuid.uuid4()), event))
        ends = time.monotonic() + _SECONDS
        while time.monotonic() < ends:
            with suppress(queue.Empty):
                kind, answer = self._api.answers.get(timeout=0.2)
                if kind == "response":
                    return answer
                raise FunctionFailed(f"{answer.get('errorType')}: {answer.get('errorMessage')}")
            if self._process.poll() is not None and self._api.answers.empty():
                raise FunctionFailed(f"the process ended with {self._process.returncode} and said nothing")
        raise FunctionFailed("no answer")


@contextmanager
def running(handler: str, paths: Sequence[Path], environment: Mapping[str, str]) -> Iterator[Running]:
    """The function in a process of its own, its modules found in `paths` alone, with no other variables than these."""
    api = RuntimeApi(queue.Queue(), queue.Queue(), ThreadingHTTPServer(("127.0.0.1", 0), _Handler))
    api.server.daemon_threads = True
    api.server.RequestHandlerClass = type("_Of", (_Handler,), {"api": api})
    threading.Thread(target=api.server.serve_forever, args=(0.05,), daemon=True).start()
    program = _START.format(paths=[str(path) for path in paths], handler=handler)
    given = {**environment, "AWS_LAMBDA_RUNTIME_API": api.address, "_HANDLER": handler}
    process = subprocess.Popen(
        [sys.executable, "-I", "-S", "-B", "-c", program],
        env=given,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield Running(api, process)
    finally:
        process.kill()
        process.wait()
        api.events.put(None)
        api.server.shutdown()
        api.server.server_close()


def client_alone(out: Path) -> None:
    """AWS's runtime interface client and the two modules it needs, away from everything else that is installed here."""
    site = Path(str(metadata.distribution("awslambdaric").locate_file("")))
    for name in _CLIENT:
        for found in [site / name, *site.glob(f"{name}*.so"), site / f"{name}.py"]:
            if found.is_dir():
                shutil.copytree(found, out / found.name)
            elif found.is_file():
                shutil.copyfile(found, out / found.name)

"""DynamoDB and SQS in this process: moto behind one lock, with what moto leaves out, and faults to order.

moto loses acknowledged writes when two threads meet in it. Here each request runs alone, since on AWS each is atomic.
"""

import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from types import TracebackType
from typing import Self

from moto import backends
from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from werkzeug.test import create_environ
from werkzeug.wrappers import Response

from infra.local import moto_snapshots
from infra.local.aws_faults import SERVER_ERROR, Call, FaultFor, refusal, under
from infra.local.aws_transactions import Transactions
from infra.local.http_server import HttpServer, Reply, Request

_SERVICES = {"DynamoDB_20120810": "dynamodb", "AmazonSQS": "sqs"}
_ONE_AT_A_TIME = threading.Lock()  # not of the instance: moto's tables and queues belong to the process
_SERVER_SETS = frozenset({"content-length", "connection", "date", "transfer-encoding"})
_ACCOUNTS = count(100_000_000_001)


class LocalAws:
    """DynamoDB and SQS at `endpoint_url`, on 127.0.0.1 and a free port, from `start` to `stop`.

    Begins empty: each instance is an AWS account of its own. Any credentials and any region will do. `calls` counts
    requests by `(service, action)`, retries included; `calls.clear()` starts again. `fault_for`, when set, decides for
    every call whether it meets a fault. `clock` gives seconds that only grow; request tokens are forgotten by it.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.calls: Counter[tuple[str, str]] = Counter()
        self.fault_for: FaultFor | None = None
        self._account = str(next(_ACCOUNTS))
        self._transactions = Transactions(clock)
        self._application = DomainDispatcherApplication(create_backend_app)
        self._server: HttpServer | None = None

    @property
    def endpoint_url(self) -> str:
        """Where boto3 finds it; raises RuntimeError unless started."""
        if self._server is None:
            raise RuntimeError("LocalAws is not running")
        return self._server.url

    def start(self) -> Self:
        """Begin to serve; returns itself."""
        moto_snapshots.install()
        self._server = HttpServer(self._answer)
        self._server.start()
        return self

    def stop(self) -> None:
        """End every connection and forget every table and queue."""
        if self._server is not None:
            self._server.stop()
            self._server = None
            for service in ("dynamodb", "sqs"):
                backends.get_backend(service).pop(self._account, None)

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stop()

    @contextmanager
    def faults(self, fault_for: FaultFor) -> Iterator[None]:
        """Meet calls with these faults until the block ends."""
        self.fault_for, before = fault_for, self.fault_for
        try:
            yield
        finally:
            self.fault_for = before

    def _answer(self, request: Request) -> Reply | None:
        call = _call(request)
        with _ONE_AT_A_TIME:
            self.calls[call.service, call.action] += 1
            fault = self.fault_for(call) if self.fault_for else None
            return under(fault, call, request, lambda asked: self._act(call, asked))

    def _act(self, call: Call, request: Request) -> Reply:
        if call.action == "TransactWriteItems":
            return self._transactions.write(call, lambda: self._ask_moto(call, request))
        return self._ask_moto(call, request)

    def _ask_moto(self, call: Call, request: Request) -> Reply:
        headers = [*request.headers, ("x-moto-account-id", self._account)]
        environ = create_environ(
            request.target, self.endpoint_url, method=request.method, headers=headers, data=request.body
        )
        try:
            response = Response.from_app(self._application, environ, buffered=True)
        except Exception as error:  # noqa: BLE001 - what moto cannot do fails its request, not the connection
            return refusal(call, replace(SERVER_ERROR, message=f"moto failed with {type(error).__name__}"))
        kept = tuple((name, value) for name, value in response.headers.items() if name.lower() not in _SERVER_SETS)
        return Reply(response.status_code, kept, response.get_data())


def _call(request: Request) -> Call:
    prefix, _, action = request.header("X-Amz-Target").partition(".")
    try:
        body = json.loads(request.body)
    except ValueError:
        body = {}
    return Call(_SERVICES.get(prefix, prefix), action, body)

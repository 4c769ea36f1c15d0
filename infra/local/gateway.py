"""API Gateway on one machine: real HTTP in front, the real Lambda handlers behind."""

import logging
import time
import traceback
import uuid
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

from infra.local.http_server import BodyLimit, HttpServer, Reply, Request
from infra.local.lambda_context import LambdaContext
from infra.local.lambda_proxy import event, reply

MAX_BODY_BYTES = 10 * 1024 * 1024
"""API Gateway's own limit; longer bodies never reach a handler."""

TIMEOUT_SECONDS = 29.0
"""What a handler is told it has, just under the 30 seconds that API Gateway waits."""

Handler = Callable[[dict[str, Any], Any], Any]
"""A Lambda handler: a payload 2.0 event and a LambdaContext in, a proxy result out."""

OnCall = Callable[[str, str, int, float, Mapping[str, str], str], None]
"""Told of each answered call: method, path, status, milliseconds, response headers (lower case), request id."""

_LOG = logging.getLogger(__name__)
_JSON = (("content-type", "application/json"),)
_TOO_LARGE = Reply(413, _JSON, b'{"message":"Request Entity Too Large"}')
_FAILED = Reply(500, _JSON, b'{"message":"Internal Server Error"}')


class Gateway:
    """Calls the handler of a request's exact path, or `default`, from `start` to `stop`."""

    def __init__(
        self,
        handlers: Mapping[str, Handler],
        default: Handler,
        host: str = "127.0.0.1",
        port: int = 0,
        on_call: OnCall | None = None,
    ) -> None:
        self._handlers = handlers
        self._default = default
        self._address = (host, port)
        self._on_call = on_call
        self._server: HttpServer | None = None

    @property
    def url(self) -> str:
        """Where it listens, such as `http://127.0.0.1:8787`; raises RuntimeError unless started."""
        if self._server is None:
            raise RuntimeError("the gateway is not running")
        return self._server.url

    def start(self) -> Self:
        """Begin to serve; returns itself. Raises OSError when the port is taken."""
        self._server = HttpServer(self._answer, *self._address, BodyLimit(MAX_BODY_BYTES, self._refuse))
        self._server.start()
        return self

    def stop(self) -> None:
        """Let calls under way be answered for up to a second, and end every connection."""
        if self._server is not None:
            self._server.stop()
            self._server = None

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stop()

    def _answer(self, request: Request) -> Reply:
        path = urlsplit(request.target).path
        handler = self._handlers.get(path)
        route_key = "$default" if handler is None else f"ANY {path}"
        return self._told(request, lambda request_id: _invoke(handler or self._default, request, route_key, request_id))

    def _refuse(self, request: Request) -> Reply:
        return self._told(request, lambda _request_id: _TOO_LARGE)

    def _told(self, request: Request, answer: Callable[[str], Reply]) -> Reply:
        """The answer under a new request id, once `on_call` has been told of it."""
        request_id, began = str(uuid.uuid4()), time.perf_counter()
        answered = answer(request_id)
        if self._on_call is not None:
            milliseconds = (time.perf_counter() - began) * 1000
            headers = {name.lower(): value for name, value in answered.headers}
            path = urlsplit(request.target).path
            self._on_call(request.method, path, answered.status, milliseconds, headers, request_id)
        return Reply(answered.status, (*answered.headers, ("apigw-requestid", request_id)), answered.body)


def _invoke(handler: Handler, request: Request, route_key: str, request_id: str) -> Reply:
    name = getattr(handler, "__module__", "local").rpartition(".")[2]
    context = LambdaContext(name, request_id, time.monotonic() + TIMEOUT_SECONDS)
    try:
        return reply(handler(event(request, route_key, request_id, datetime.now(UTC)), context))
    except Exception as error:  # noqa: BLE001 - API Gateway answers 500 whatever a function fails with
        # Where, but not what: an exception's message may hold what a person wrote.
        where = "".join(traceback.format_tb(error.__traceback__))
        _LOG.error("%s failed with %s\n%s", name, type(error).__name__, where)
        return _FAILED

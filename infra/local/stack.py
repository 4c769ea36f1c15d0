"""The whole service on one machine: the real handlers, behind a gateway and a queue, on local AWS."""

import importlib
import os
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

import boto3

from infra.local import loops, resources
from infra.local.aws import LocalAws
from infra.local.gateway import Gateway
from infra.local.loops import Handler, Loop
from infra.local.seed import NOTHING, Seed, seed
from infra.local.stand_in import MODEL as STAND_IN_MODEL
from infra.local.stand_in import StandIn
from research.wiring import Settings, Wiring
from research.words import clock
from research.words.catalogue import OPERATIONS
from research.words.sources import Source

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient

TABLE = "cited-research"
WORKERS = 4
POLL_SECONDS = 0.2
SWEEP_SECONDS = 5.0
CLEAN_UP_SECONDS = 60.0

_OF_THE_DEVELOPER = ("AWS_PROFILE", "AWS_SESSION_TOKEN", "AWS_ENDPOINT_URL_DYNAMODB", "AWS_ENDPOINT_URL_SQS")
"""Would point boto3 somewhere else than at the local AWS."""


class LocalStack:
    """The service from `start` to `stop`. One in a process: the handlers read its environment."""

    def __init__(self, evidence: Sequence[Source] | None, port: int, *, configured: bool = True) -> None:
        """`evidence` None leaves the table empty: no workspace, no token."""
        self._evidence = evidence
        self._aws = LocalAws()
        self._port = port
        self._stand_in = StandIn() if configured and not os.environ.get("GEMINI_API_KEY") else None
        self._configured = configured
        self._loops: list[Loop] = []
        self._gateway: Gateway | None = None
        self._seed: Seed | None = None

    @property
    def model_id(self) -> str | None:
        """What answers here, as Gemini's API names models; None without one."""
        if not self._configured:
            return None
        return STAND_IN_MODEL if self._stand_in else Settings.from_environment(os.environ).gemini_model

    @property
    def model(self) -> str:
        """The language model that answers here, as a person wants to know it."""
        if not self._configured:
            return "none (--unconfigured): every request is refused as not_configured"
        if self._stand_in is not None:
            return f"{STAND_IN_MODEL}: it only extracts. Set GEMINI_API_KEY to ask Gemini."
        return f"{self.model_id} at {Settings.from_environment(os.environ).gemini_base_url}"

    def facts(self) -> dict[str, Any]:
        """The documented JSON line: addresses, and what to ask with and about, null where nothing was made."""
        if self._gateway is None:
            raise RuntimeError("the stack is not running")
        return {
            "rest_url": self._gateway.url,
            "mcp_url": f"{self._gateway.url}/mcp",
            "aws_endpoint_url": self._aws.endpoint_url,
            "table": TABLE,
            **(self._seed.facts() if self._seed else NOTHING),
        }

    def start(self) -> Self:
        """Everything up, and seeded if so asked; returns itself.

        Raises OSError, with nothing left running, if the port is taken.
        """
        try:
            return self._start()
        except BaseException:
            self.stop()
            raise

    def _start(self) -> Self:
        if self._stand_in is not None:
            self._stand_in.start()
        self._aws.start()
        os.environ.update(self._environment())
        for name in _OF_THE_DEVELOPER:
            os.environ.pop(name, None)
        session = boto3.session.Session()
        dynamodb, sqs = session.client("dynamodb"), session.client("sqs")
        resources.create_table(dynamodb, TABLE)
        queues = resources.create_queues(sqs, TABLE)
        os.environ.update(TABLE_NAME=TABLE, QUEUE_URL=queues.url)
        if self._evidence is not None:
            wiring = Wiring()
            self._seed = seed(wiring.evidence, wiring.importing(), self._evidence, clock.now())
        handlers = {operation.path: _handler(operation.name) for operation in OPERATIONS}
        handlers |= dict.fromkeys(("/mcp", "/mcp/"), _handler("mcp_endpoint"))
        self._gateway = Gateway(handlers, _handler("unrouted"), port=self._port).start()
        os.environ["ALLOWED_ORIGINS"] = f"{self._gateway.url} {self._gateway.url.replace('127.0.0.1', 'localhost')}"
        sweep = _handler("sweep")
        self._loops = [
            *(
                Loop(f"worker-{number}", lambda: _drain(sqs, queues.url, "generate"), POLL_SECONDS)
                for number in range(WORKERS)
            ),
            Loop("dead letters", lambda: _drain(sqs, queues.dead_letters_url, "dead_letters"), SWEEP_SECONDS),
            Loop("sweep", lambda: loops.invoke(sweep, {}, "sweep"), SWEEP_SECONDS),
            Loop("ttl", lambda: loops.clean_up(dynamodb, TABLE, time.time()), CLEAN_UP_SECONDS),
        ]
        for loop in self._loops:
            loop.start()
        return self

    def _environment(self) -> dict[str, str]:
        """What the functions and boto3 read: local addresses, no real credentials, short waits between tries."""
        return {
            "AWS_ENDPOINT_URL": self._aws.endpoint_url,
            "AWS_ACCESS_KEY_ID": "local",
            "AWS_SECRET_ACCESS_KEY": "local",
            "AWS_DEFAULT_REGION": "us-east-1",
            "AWS_CONFIG_FILE": os.devnull,
            "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
            "BACKOFF_FIRST": "0.5",
            "BACKOFF_LONGEST": "2",
            "no_proxy": "*",  # nothing that boto3 is to reach here is beyond a proxy
            **self._model_variables(),
        }

    def _model_variables(self) -> dict[str, str]:
        """What points the worker at its model, where the developer's own variables do not."""
        if self._stand_in is not None:
            base_url = self._stand_in.base_url
            return {"GEMINI_API_KEY": "stand-in", "GEMINI_MODEL": STAND_IN_MODEL, "GEMINI_BASE_URL": base_url}
        return {} if self._configured else {"GEMINI_API_KEY": ""}

    def stop(self) -> None:
        """Everything down; a generation under way is left behind, as a stopped worker would leave it."""
        for loop in self._loops:
            loop.stop()
        for part in (self._gateway, self._stand_in, self._aws):
            if part is not None:
                part.stop()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()


def _handler(name: str) -> Handler:
    """A Lambda's handler, imported at its first call, as Lambda itself does: with its environment there."""

    def handler(event: dict[str, Any], context: Any) -> Any:
        return importlib.import_module(f"handlers.{name}").handler(event, context)

    handler.__module__ = f"handlers.{name}"
    return handler


def _drain(client: "SQSClient", queue_url: str, name: str) -> None:
    # Imported before there is a message: google-genai takes a second, which is past before anybody has asked.
    handler = importlib.import_module(f"handlers.{name}").handler
    while loops.deliver(client, queue_url, handler):
        pass

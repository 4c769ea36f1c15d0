"""Runs through gateway, queue, worker processes and a model over HTTP, while the workers are killed again and again.

One clock for all processes, SPEED times as fast as the wall's, so that leases lapse while one waits. A worker is a
process forked from one that has imported everything, so that a killed one is replaced at once.
"""

import io
import multiprocessing
import random
import re
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from http.server import ThreadingHTTPServer
from typing import Any, ClassVar

import boto3
from harness.local import local_aws
from harness.service import Service

from infra.client.rest import Api
from infra.local import loops, stand_in
from infra.local.aws import LocalAws
from infra.local.gateway import Gateway
from infra.local.stand_in import StandIn
from research.adapters import gemini
from research.edges.queue_consumer import Consumer
from research.wiring import Wiring
from research.words import records
from research.words.catalogue import BY_NAME

SPEED = 15
WORKERS = 2
CLIENTS = 4
BACKLOG = 6
VISIBILITY_SECONDS = 2
MODEL_SECONDS = 0.05
LIVES = (0.8, 3.0)
"""Seconds between which a worker is killed."""
PATIENCE_SECONDS = 120
"""Of waiting for the last runs to end."""

_FENCE = re.compile(r"\[([0-9a-f]{16}) begin ev_1\]")
_EPOCH = datetime(2026, 11, 30, 12, tzinfo=UTC)


class FastClock:
    """The same instant in every process."""

    def __init__(self, began: float) -> None:
        self.began = began

    @property
    def now(self) -> datetime:
        return self()

    def __call__(self) -> datetime:
        instant = _EPOCH + timedelta(seconds=(time.time() - self.began) * SPEED)
        return instant.replace(microsecond=instant.microsecond // 1000 * 1000)


class CountingModel(StandIn):
    """The stand-in, slower, counting what was asked for each run: its fences bear a code made of the run's id."""

    def __init__(self) -> None:
        super().__init__()
        self._server.server_close()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _Counting)
        self._server.daemon_threads = True
        self.base_url = f"http://127.0.0.1:{self._server.server_port}"
        _Counting.calls = Counter()

    @property
    def calls(self) -> Counter[str]:
        return _Counting.calls


class _Counting(stand_in._Handler):
    calls: ClassVar[Counter[str]] = Counter()

    def _send(self, status: int, document: dict[str, Any]) -> None:
        time.sleep(random.uniform(0, 2 * MODEL_SECONDS))  # noqa: S311 (nothing secret)
        with suppress(OSError):  # the worker is dead: nobody hears the answer
            super()._send(status, document)

    def do_POST(self) -> None:  # noqa: N802 (the signature of http.server)
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.calls.update(_FENCE.findall(body.decode())[:1])
        self.rfile = io.BytesIO(body)  # type: ignore[assignment]
        super().do_POST()


def thousand(runs: int = 1000) -> dict[str, Any]:
    """Ask so many questions while workers are killed; what became of them."""
    with local_aws() as aws, CountingModel() as model:
        return _Trial(aws, model, runs).result()


class _Trial:
    def __init__(self, aws: LocalAws, model: CountingModel, runs: int) -> None:
        self.service = Service(aws, "killing")
        self.clock = FastClock(time.time())
        self.service.time = self.clock  # type: ignore[assignment]
        self.service.token = self.service.issue(self.service.principal_id)
        self.service.wire(
            GEMINI_API_KEY="a-key", GEMINI_MODEL=stand_in.MODEL, GEMINI_BASE_URL=model.base_url, DAILY_RUNS="100000"
        )
        self.model, self.runs, self.kills = model, runs, 0
        self.stopping = threading.Event()
        self.context = multiprocessing.get_context("forkserver")
        self.context.set_forkserver_preload([__name__, gemini.__name__])  # a second that no worker has to live for

    def result(self) -> dict[str, Any]:
        sqs, queues = self.service.sqs, self.service.queues
        sqs.set_queue_attributes(QueueUrl=queues.url, Attributes={"VisibilityTimeout": str(VISIBILITY_SECONDS)})
        began = time.monotonic()
        chores = [
            *(threading.Thread(target=self._keep_killing) for _ in range(WORKERS)),
            threading.Thread(target=self._every, args=(20 / SPEED, self.service.sweep)),
            threading.Thread(target=self._every, args=(1, self._bury)),
        ]
        for chore in chores:
            chore.start()
        try:
            asked = self._ask_all()
            self._wait()
        finally:
            self.stopping.set()
            for chore in chores:
                chore.join()
        ends = Counter(self._end(run) for run in asked)
        return {
            "runs": len(asked),
            "kills": self.kills,
            "seconds": round(time.monotonic() - began),
            "open": len(self._open()),
            "most_calls": max(self.model.calls.values(), default=0),
            "calls": sum(self.model.calls.values()),
            "ends": dict(ends.most_common()),
        }

    def _ask_all(self) -> list[Any]:
        handlers = {BY_NAME[name].path: endpoint for name, endpoint in self.service.endpoints.items()}
        gateway = Gateway(handlers, self.service.endpoints["conversations_get"]).start()
        try:
            with ThreadPoolExecutor(CLIENTS) as clients, Api(gateway.url, self.service.token) as api:
                return list(clients.map(lambda _: self._ask(api), range(self.runs)))
        finally:
            gateway.stop()

    def _ask(self, api: Api) -> Any:
        """One question, once few others wait: the sweep would send again what waits for longer than half a minute."""
        while self._waiting() > BACKLOG:
            time.sleep(0.1)
        conversation = api.send("conversations_create", self.service.creation())["conversation"]
        question = "How long does the battery last on the lowest setting?"
        return api.send("assistant_request", self.service.asking(conversation, question=question))["run"]

    def _waiting(self) -> int:
        count = "ApproximateNumberOfMessages"
        told = self.service.sqs.get_queue_attributes(QueueUrl=self.service.queues.url, AttributeNames=[count])
        return int(told["Attributes"][count])

    def _wait(self) -> None:
        ends = time.monotonic() + PATIENCE_SECONDS
        while self._open() and time.monotonic() < ends:
            time.sleep(2)

    def _open(self) -> list[Any]:
        later = self.clock() + timedelta(hours=1)
        return [ref for page in self.service.store.due(later, 100) for ref in page if ref.kind is records.Run]

    def _end(self, run: Any) -> str:
        ref = records.run(run["conversation_id"], run["id"])
        stored = self.service.store.fetch(ref)[ref]
        return "gone" if stored is None else stored.failure_code or stored.status

    def _bury(self) -> None:
        while loops.deliver(self.service.sqs, self.service.queues.dead_letters_url, self.service.dead_letters):
            pass

    def _every(self, seconds: float, chore: Callable[[], Any]) -> None:
        while not self.stopping.wait(seconds):
            chore()

    def _keep_killing(self) -> None:
        """A worker after the other, each killed in the middle of what it does; the last lives to the end."""
        while not self.stopping.is_set():
            worker = self.context.Process(target=_work, args=(self.service.environment, self.clock.began), daemon=True)
            worker.start()
            self.stopping.wait(random.uniform(*LIVES))  # noqa: S311 (as above)
            worker.kill()
            worker.join()
            self.kills += 1


def _work(environment: dict[str, str], began: float) -> None:
    """A worker: message after message, until it is killed."""
    wiring = Wiring(environment, FastClock(began))
    consumer = Consumer(wiring.generation(), wiring.queue)
    sqs = boto3.client("sqs")
    while True:
        with suppress(Exception):
            if not loops.deliver(sqs, environment["QUEUE_URL"], consumer):
                time.sleep(0.05)

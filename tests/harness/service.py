"""The real service: handlers' endpoints, worker and sweep over boto3 and HTTP, on a table and a queue of its own."""

import base64
import json
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import boto3

from harness.model import ScriptedModel, quoting, reply
from harness.schemas import check_result
from infra.local import loops, resources
from infra.local.aws import LocalAws
from research.edges.queue_consumer import Consumer, DeadLetterConsumer
from research.edges.rest import Endpoint
from research.operations.generation import Generation
from research.operations.importing import Publication
from research.rules.transitions import Backoff
from research.wiring import Wiring
from research.words import ids, records
from research.words.catalogue import BY_NAME
from research.words.records import Member, Project, Ref, Token, Workspace
from research.words.sources import Source

TEXTS = (
    "The battery lasts about seven hours on the lowest setting, which is more than the box promises.",
    "From the third setting up there is a thin whine that my old fan never had.",
    "Support answered on Monday morning and sent a new stand within the week.",
)
DEFAULT_REPLY = reply(quoting(("ev_1", TEXTS[0])))


class Time:
    """A clock that only the test moves."""

    def __init__(self) -> None:
        self.now = datetime(2026, 11, 30, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def pass_(self, **duration: float) -> None:
        self.now += timedelta(**duration)


@dataclass(frozen=True, slots=True)
class Response:
    """An HTTP response, its body parsed."""

    status: int
    headers: dict[str, str]
    body: Any

    @property
    def code(self) -> str:
        return str(self.body.get("code", "ok"))

    @property
    def replayed(self) -> bool:
        return self.headers.get("idempotent-replay") == "true"


class Service:
    """A workspace with one owner, one project and `TEXTS` as its evidence, and everything a test does to it."""

    def __init__(self, aws: LocalAws, name: str) -> None:
        self.aws = aws
        self.time = Time()
        self.dynamodb, self.sqs = boto3.client("dynamodb"), boto3.client("sqs")
        resources.create_table(self.dynamodb, name)
        self.queues = resources.create_queues(self.sqs, name)
        self.environment = {"TABLE_NAME": name, "QUEUE_URL": self.queues.url, "GEMINI_API_KEY": "a-key"}
        self.model = ScriptedModel(DEFAULT_REPLY)
        self.wire()
        self.workspace_id, self.project_id = ids.new(), ids.new()
        self.evidence.keep(
            [
                (records.workspace(self.workspace_id), Workspace(name="Acme")),
                (records.project(self.workspace_id, self.project_id), Project(name="Fans")),
            ]
        )
        self.principal_id = ids.new()
        self.token = self.member(self.principal_id)
        self.published = self.publish(*TEXTS)

    def wire(self, **environment: str) -> None:
        """Start the functions anew, as a deployment with these variables would."""
        self.environment |= environment
        self.wiring = Wiring(self.environment, self.time)
        self.store, self.evidence = self.wiring.store, self.wiring.evidence
        self.endpoints = {name: Endpoint(name, self.wiring.calls()) for name in BY_NAME}
        backoff = Backoff(first=timedelta(), longest=timedelta())
        self.generation = Generation(
            self.store, self.model, self.time, backoff, pause=lambda seconds: self.time.pass_(seconds=seconds)
        )
        self.consumer = Consumer(self.generation, self.wiring.queue)
        self.dead_letters = DeadLetterConsumer(self.wiring.dead_letters())

    def member(self, principal_id: str, role: Any = "owner", **fields: Any) -> str:
        """Make a member and return a token of its own."""
        given = {"capabilities": ("agent:research",), **fields}
        self.put(records.member(self.workspace_id, principal_id), Member(role=role, **given))
        return self.issue(principal_id)

    def issue(self, principal_id: str, life: timedelta = timedelta(days=30), **fields: Any) -> str:
        token = ids.new_token(principal_id)
        kept = Token(expires_at=self.time.now + life, **fields)
        self.put(records.token(principal_id, ids.token_digest(token)), kept)
        return token

    def put(self, ref: Ref[Any], record: Any) -> None:
        self.evidence.keep([(ref, record)])

    def publish(self, *texts: str, names: Sequence[str] | None = None) -> Publication:
        """Import these texts under their names (e1, e2, … unless given) and publish them."""
        own = names or [f"e{number}" for number in range(1, len(texts) + 1)]
        sources = [Source(id=name, text=text, title=f"About {name}") for name, text in zip(own, texts, strict=True)]
        return self.wiring.importing().publish(self.workspace_id, self.project_id, sources)

    def context(self, publication: Publication | None = None) -> dict[str, Any]:
        chosen = publication or self.published
        return {
            "project_id": self.project_id,
            "project_revision": chosen.project_revision,
            "corpus_snapshot_id": chosen.corpus_snapshot_id,
            "evidence": [pinned.model_dump() for pinned in chosen.evidence],
        }

    def send(
        self,
        operation: str,
        body: Any = None,
        *,
        token: str | None = "",
        method: str = "POST",
        headers: dict[str, str] | None = None,
        raw: bytes | None = None,
    ) -> Response:
        """One call through the real endpoint. A token of None sends no Authorization; "" the owner's."""
        sent = {"content-type": "application/json"}
        if token is not None:
            sent["authorization"] = f"Bearer {token or self.token}"
        event = http_event(BY_NAME[operation].path, method, sent | (headers or {}), raw or json.dumps(body).encode())
        answer = self.endpoints[operation](event, None)
        document = json.loads(answer["body"])
        if answer["statusCode"] == 200:
            check_result(operation, document)
        return Response(answer["statusCode"], answer["headers"], document)

    def create(self, *, token: str = "", **changes: Any) -> Response:
        return self.send("conversations_create", self.creation(**changes), token=token)

    def creation(self, **changes: Any) -> dict[str, Any]:
        body = {"mutation_id": new_id(), "title": "Battery", "context": self.context(), "language": "en"}
        return {"workspace_id": self.workspace_id, **body, **changes}

    def request(self, conversation: Any, *, token: str = "", **changes: Any) -> Response:
        return self.send("assistant_request", self.asking(conversation, **changes), token=token)

    def asking(self, conversation: Any, **changes: Any) -> dict[str, Any]:
        """A valid request to a conversation as it was last read (`conversation` of a result)."""
        body = {
            "mutation_id": new_id(),
            "conversation_id": conversation["id"],
            "expected_revision": conversation["revision"],
            "parent_message_id": None,
            "question": "How long does the battery last?",
            "request_kind": "question",
            "processing_intent": "google_gemini_selected_context",
        }
        return {"workspace_id": self.workspace_id, **body, **changes}

    def get(self, conversation_id: str, *, token: str = "") -> Response:
        names = {"workspace_id": self.workspace_id, "conversation_id": conversation_id}
        return self.send("conversations_get", names, token=token)

    def status(self, run: Any, *, token: str = "") -> Response:
        return self.send("assistant_status", self._names(run), token=token)

    def cancel(self, run: Any, *, token: str = "", **changes: Any) -> Response:
        body = {"mutation_id": new_id(), **self._names(run), **changes}
        return self.send("assistant_cancel", body, token=token)

    def citations(self, run: Any, *, token: str = "") -> Response:
        return self.send("citations_get", self._names(run), token=token)

    def _names(self, run: Any) -> dict[str, str]:
        return {"workspace_id": self.workspace_id, "conversation_id": run["conversation_id"], "run_id": run["id"]}

    def asked(self, **changes: Any) -> Any:
        """The run of a question just accepted in a new conversation."""
        return self.request(self.create().body["conversation"], **changes).body["run"]

    def deliver(self) -> int:
        """Deliver every message that is visible now, as often as it comes back at once; how many deliveries."""
        count = 0
        while loops.deliver(self.sqs, self.queues.url, self.consumer):
            count += 1
        return count

    def sweep(self) -> dict[str, int]:
        return self.wiring.sweep().sweep().counts

    def items(self) -> list[dict[str, Any]]:
        """Everything in the table, whatever the clock says of it."""
        found: list[dict[str, Any]] = self.dynamodb.scan(TableName=self.environment["TABLE_NAME"])["Items"]
        return found


def new_id() -> str:
    return str(uuid.uuid4())


def http_event(path: str, method: str, headers: dict[str, str], body: bytes, stage: str = "$default") -> dict[str, Any]:
    """An HTTP API event of payload 2.0 with a base64 body, as API Gateway sends what it takes for binary."""
    return {
        "version": "2.0",
        "routeKey": f"ANY {path}",
        "rawPath": path if stage == "$default" else f"/{stage}{path}",
        "headers": headers,
        "requestContext": {"http": {"method": method, "path": path}, "requestId": new_id(), "stage": stage},
        "body": base64.b64encode(body).decode(),
        "isBase64Encoded": True,
    }

"""The composition root: the only reader of the environment, and what each Lambda is built from.

What a function does not use it does not import: google-genai is loaded by the worker alone.
"""

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

import boto3
from aws_lambda_powertools import Logger
from botocore.config import Config

from research.adapters.run_queue import SqsRunQueue
from research.adapters.store import DynamoEvidenceStore, DynamoStore
from research.operations.calls import Calls
from research.operations.dead_letters import DeadLetters
from research.operations.importing import Importing
from research.operations.reading import Policy
from research.operations.sweep import Sweep
from research.rules.budget import Limits
from research.rules.transitions import Backoff
from research.words import clock
from research.words.catalogue import PROFILES, SWITCH, Profile

if TYPE_CHECKING:
    from research.adapters.gemini import Gemini
    from research.adapters.gemini_key import SecretKey
    from research.operations.generation import Generation

SERVICE = "cited-research"

_CLIENT = Config(
    connect_timeout=1,
    read_timeout=3,
    retries={"mode": "standard", "total_max_attempts": 3},
    parameter_validation=False,
)
"""DynamoDB and SQS answer in milliseconds; botocore's own minute of waiting would outlast the request.

What we send is typed and tested; botocore's look at every parameter takes a tenth of a call's processor time.
"""


@dataclass(frozen=True, slots=True)
class Settings:
    """The environment of a function. DAILY_* are per workspace and UTC day; BACKOFF_* are seconds.

    GEMINI_SECRET names the secret that holds the key; GEMINI_API_KEY is the key itself, where nobody else can read it.

    SOSOAPI_* say what an MCP client is shown that asks for nothing else; ALLOWED_ORIGINS which web pages may call MCP.
    """

    table: str
    queue_url: str
    daily_runs: int
    daily_tokens: int
    gemini_api_key: str
    gemini_secret: str
    gemini_model: str
    gemini_base_url: str
    backoff: Backoff
    profile: Profile
    output_schemas: bool
    allowed_origins: tuple[str, ...]

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> "Settings":
        """Raises KeyError or ValueError at the start of a function that was deployed without what it needs."""
        return cls(
            table=environment["TABLE_NAME"],
            queue_url=environment["QUEUE_URL"],
            daily_runs=int(environment.get("DAILY_RUNS", "500")),
            daily_tokens=int(environment.get("DAILY_TOKENS", "20000000")),
            gemini_api_key=environment.get("GEMINI_API_KEY", ""),
            gemini_secret=environment.get("GEMINI_SECRET", ""),
            gemini_model=environment.get("GEMINI_MODEL", "gemini-3.8-flash"),
            gemini_base_url=environment.get("GEMINI_BASE_URL", "https://generativelanguage.googleapis.com"),
            backoff=Backoff(
                first=timedelta(seconds=float(environment.get("BACKOFF_FIRST", "10"))),
                longest=timedelta(seconds=float(environment.get("BACKOFF_LONGEST", "300"))),
            ),
            profile=PROFILES[environment.get("SOSOAPI_PROFILE", "full")],
            output_schemas=SWITCH[environment.get("SOSOAPI_OUTPUT_SCHEMAS", "0")],
            allowed_origins=tuple(environment.get("ALLOWED_ORIGINS", "").replace(",", " ").split()),
        )

    @property
    def policy(self) -> Policy:
        """What the deployment decides for every workspace."""
        return Policy(Limits(self.daily_runs, self.daily_tokens), configured=self.configured)

    @property
    def configured(self) -> bool:
        """Whether the deployment names a key to Gemini. It is not read for this."""
        return bool(self.gemini_api_key or self.gemini_secret)


class Wiring:
    """The parts of one process, over one boto3 session."""

    def __init__(self, environment: Mapping[str, str] | None = None, now: clock.Clock = clock.now) -> None:
        Logger(service=SERVICE, stream=sys.stderr, use_rfc3339=True)  # Lambda knows the level of a line by such a time
        self.settings = Settings.from_environment(os.environ if environment is None else environment)
        self._now = now
        self._session = boto3.session.Session()
        dynamodb = self._session.client("dynamodb", config=_CLIENT)
        self.store = DynamoStore(dynamodb, self.settings.table)
        self.evidence = DynamoEvidenceStore(dynamodb, self.settings.table)
        self.queue = SqsRunQueue(partial(self._session.client, "sqs", config=_CLIENT), self.settings.queue_url)

    def calls(self) -> Calls:
        """Every public operation."""
        return Calls(self.store, self.evidence, self.queue, self.settings.policy, self._now)

    def generation(self) -> "Generation":
        """The worker."""
        from research.operations.generation import Generation  # noqa: PLC0415 (verification is the worker's alone)

        return Generation(self.store, self._provider(), self._now, self.settings.backoff)

    def sweep(self) -> Sweep:
        """The scheduled sweep."""
        return Sweep(self.store, self.evidence, self.queue, self._now)

    def dead_letters(self) -> DeadLetters:
        """What becomes of a run whose message was set aside."""
        return DeadLetters(self.store, self._now)

    def importing(self) -> Importing:
        """Importing evidence."""
        return Importing(self.evidence, self._now)

    def _provider(self) -> "Gemini | None":
        settings = self.settings
        if not settings.configured:
            return None
        from research.adapters.gemini import Gemini  # noqa: PLC0415 (a second to import, and only the worker needs it)

        return Gemini(settings.gemini_api_key or self._secret(), settings.gemini_model, settings.gemini_base_url)

    def _secret(self) -> "SecretKey":
        from research.adapters.gemini_key import SecretKey  # noqa: PLC0415 (as above)

        return SecretKey(self._session.client("secretsmanager", config=_CLIENT), self.settings.gemini_secret)

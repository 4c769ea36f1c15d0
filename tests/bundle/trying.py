"""Every handler from its bundle alone, with every sample event, in the order of their story."""

import json
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import boto3
from harness.service import Service

from infra.deployment.functions import FUNCTIONS, Function
from infra.local.stand_in import MODEL, StandIn
from tests.bundle import built
from tests.bundle.runtime_api import FunctionFailed, Running, running
from tests.edges.sample_events import STORY, event, seed

SECRET = "team/gemini"  # noqa: S105 (its name)
BY_NAME = {function.name: function for function in FUNCTIONS}


class Trial:
    """The functions of one deployment over a service's table, each started at its first event."""

    def __init__(self, service: Service, model: StandIn, stack: ExitStack) -> None:
        self._stack = stack
        self._running: dict[str, Running] = {}
        self.client = built.client()
        self.told = {
            "TABLE_NAME": service.environment["TABLE_NAME"],
            "QUEUE_URL": service.environment["QUEUE_URL"],
            "DAILY_RUNS": "500",
            "DAILY_TOKENS": "20000000",
            "GEMINI_SECRET": SECRET,
            "GEMINI_MODEL": MODEL,
            "ALLOWED_ORIGINS": "",
        }
        self.aws = service.aws.endpoint_url
        self.model = model.base_url

    def environment(self, function: Function) -> dict[str, str]:
        """What the deployment tells the function, what Lambda sets, and where the local AWS and the model are."""
        told = {name: self.told[name] for name in function.environment}
        lambda_sets = {
            "AWS_REGION": "us-east-1",
            "AWS_DEFAULT_REGION": "us-east-1",
            "AWS_ACCESS_KEY_ID": "test",
            "AWS_SECRET_ACCESS_KEY": "test",
            "AWS_SESSION_TOKEN": "test",
            "AWS_LAMBDA_FUNCTION_NAME": function.name,
            "AWS_LAMBDA_FUNCTION_VERSION": "1",
            "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": str(function.memory),
            "AWS_LAMBDA_LOG_FORMAT": "JSON",
            "AWS_LAMBDA_LOG_LEVEL": "INFO",
            "PATH": "/usr/bin:/bin",
        }
        return {**told, **lambda_sets, "AWS_ENDPOINT_URL": self.aws, "GEMINI_BASE_URL": self.model}

    def start(
        self,
        function: Function,
        *,
        paths: Sequence[Path] | None = None,
        handler: str = "",
        environment: Mapping[str, str] | None = None,
    ) -> Running:
        given = [built.code(), built.layer(function.layer) / "python"] if paths is None else list(paths)
        return self._stack.enter_context(
            running(handler or function.handler, [*given, self.client], environment or self.environment(function))
        )

    def invoke(self, name: str) -> Any:
        function = BY_NAME[name.partition(".")[0]]
        if function.name not in self._running:
            self._running[function.name] = self.start(function)
        return self._running[function.name].invoke(event(name))


def trial(service: Service, stack: ExitStack) -> Trial:
    """A trial over the table that the events speak of, the key to the model in Secrets Manager."""
    seed(service)
    boto3.client("secretsmanager").create_secret(Name=SECRET, SecretString=json.dumps({"api_key": "stand-in"}))
    stack.callback(boto3.client("secretsmanager").delete_secret, SecretId=SECRET, ForceDeleteWithoutRecovery=True)
    return Trial(service, stack.enter_context(StandIn()), stack)


def statuses(of: Trial) -> dict[str, Any]:
    """Every event with its status, None where the caller is not HTTP, or what failed."""
    found: dict[str, Any] = {}
    for name in STORY:
        try:
            found[name] = status(of.invoke(name))
        except FunctionFailed as failed:
            found[name] = str(failed)
    return found


def status(answer: Any) -> Any:
    """What HTTP is told. Where nobody is: None when all is done, or how many messages come again."""
    if not isinstance(answer, dict):
        return answer
    again = answer.get("batchItemFailures")
    return f"{len(again)} to come again" if again else answer.get("statusCode")

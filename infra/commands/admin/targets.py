"""Which stack an administrator means: a deployed one by its name, or the running `research dev`."""

import json
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from infra.administration import Administration
from infra.commands.stacks import RUNNING
from infra.commands.terminal import give_up
from research.words import clock

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

TABLE_OUTPUT = "TableName"
SECRET_OUTPUT = "GeminiSecretArn"  # noqa: S105 (where the secret is, not what)
MODEL_OUTPUT = "GeminiModel"
"""Outputs of a deployed stack."""


@dataclass(frozen=True, slots=True)
class Target:
    """A stack's table, and its language model: whether there is one, and which if that is known."""

    client: "DynamoDBClient"
    table: str
    configured: bool
    model: str | None


def administration(stack: str | None) -> Administration:
    """The use cases on the stack of this name, or else on the running `research dev`."""
    from research.adapters.store import DynamoEvidenceStore  # noqa: PLC0415 (a second of botocore)

    found = target(stack)
    return Administration(DynamoEvidenceStore(found.client, found.table), clock.now)


def target(stack: str | None) -> Target:
    """Where the stack of this name is, or else the running `research dev`. Gives up where there is none."""
    return _deployed(stack) if stack else _local()


def _deployed(stack: str) -> Target:
    import boto3  # noqa: PLC0415 (a second, which other commands need not wait for)
    from botocore.config import Config  # noqa: PLC0415 (as above)
    from botocore.exceptions import BotoCoreError, ClientError  # noqa: PLC0415 (as above)

    config = Config(connect_timeout=5, read_timeout=20, retries={"mode": "standard", "total_max_attempts": 3})
    try:
        session = boto3.session.Session()
        described = session.client("cloudformation", config=config).describe_stacks(StackName=stack)["Stacks"][0]
        outputs = {output["OutputKey"]: output["OutputValue"] for output in described.get("Outputs", [])}
        client = session.client("dynamodb", config=config)
    except (BotoCoreError, ClientError) as error:
        code = error.response["Error"]["Code"] if isinstance(error, ClientError) else type(error).__name__
        give_up(f"Stack {stack} cannot be read ({code}). Check its name, AWS_REGION and your AWS credentials.")
    if TABLE_OUTPUT not in outputs:
        give_up(f"Stack {stack} has no output {TABLE_OUTPUT}: it is not one of this project.")
    return Target(client, outputs[TABLE_OUTPUT], SECRET_OUTPUT in outputs, outputs.get(MODEL_OUTPUT))


def _local() -> Target:
    import boto3  # noqa: PLC0415 (a second, which other commands need not wait for)
    from botocore.config import Config  # noqa: PLC0415 (as above)

    try:
        facts: dict[str, Any] = json.loads(RUNNING.read_bytes())
        endpoint, table, model = str(facts["aws_endpoint_url"]), str(facts["table"]), facts["model"]
    except (OSError, ValueError, KeyError, TypeError):
        give_up("No `research dev` is running. Start one, or name a deployed stack with --stack.")
    os.environ.pop("AWS_PROFILE", None)  # one that does not exist would be an error, and none is needed here
    client = boto3.client(
        "dynamodb",
        endpoint_url=endpoint,
        region_name="us-east-1",
        aws_access_key_id="local",
        aws_secret_access_key="local",  # noqa: S106 (the local AWS takes any)
        config=Config(connect_timeout=2, retries={"mode": "standard", "total_max_attempts": 2}, proxies={}),
    )
    return Target(client, table, model is not None, model)

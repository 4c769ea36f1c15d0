"""Which table an administrator means: of a deployed stack, or of the running local one."""

import json
import os
from dataclasses import dataclass
from typing import Any

import boto3
from botocore.exceptions import BotoCoreError, ClientError

from infra.commands.stacks import RUNNING
from infra.commands.terminal import give_up
from research.adapters.store import DynamoEvidenceStore

TABLE_OUTPUT = "TableName"
"""The output of a deployed stack that names its table."""


@dataclass(frozen=True, slots=True)
class Target:
    """A table and where it is, as a person would say it."""

    store: DynamoEvidenceStore
    place: str
    outputs: dict[str, str]


def target(stack: str | None) -> Target:
    """The table of this CloudFormation stack, with the caller's own AWS credentials, or else of `research dev`."""
    return _deployed(stack) if stack else _local()


def _deployed(stack: str) -> Target:
    try:
        described = boto3.client("cloudformation").describe_stacks(StackName=stack)["Stacks"][0]
        outputs = {output["OutputKey"]: output["OutputValue"] for output in described.get("Outputs", [])}
        return Target(
            DynamoEvidenceStore(boto3.client("dynamodb"), outputs[TABLE_OUTPUT]), f"stack {stack}", outputs
        )
    except KeyError:
        give_up(f"Stack {stack} has no output {TABLE_OUTPUT}: it is not one of this project.")
    except (BotoCoreError, ClientError) as error:
        code = error.response["Error"]["Code"] if isinstance(error, ClientError) else type(error).__name__
        give_up(f"Stack {stack} cannot be read ({code}). Check its name, AWS_REGION and your AWS credentials.")


def _local() -> Target:
    try:
        facts: dict[str, Any] = json.loads(RUNNING.read_bytes())
        endpoint, table = str(facts["aws_endpoint_url"]), str(facts["table"])
    except (OSError, ValueError, KeyError):
        give_up("No `research dev` is running. Start it, or name a deployed stack with --stack.")
    for name in ("AWS_PROFILE", "AWS_SESSION_TOKEN"):
        os.environ.pop(name, None)
    client = boto3.client(
        "dynamodb",
        endpoint_url=endpoint,
        region_name="us-east-1",
        aws_access_key_id="local",
        aws_secret_access_key="local",  # noqa: S106 (the local AWS takes any)
    )
    return Target(DynamoEvidenceStore(client, table), f"the local stack at {endpoint}", {})

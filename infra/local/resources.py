"""The table and the queues on local AWS, from the definitions that the deployment uses too."""

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from research.words import resources

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_sqs import SQSClient


@dataclass(frozen=True, slots=True)
class Queues:
    """The run queue and where messages go that were delivered too often."""

    url: str
    dead_letters_url: str


def create_table(client: "DynamoDBClient", name: str) -> None:
    """The table with its index of due work and its TTL."""
    client.create_table(
        TableName=name,
        BillingMode="PAY_PER_REQUEST",
        AttributeDefinitions=[
            {"AttributeName": resources.PARTITION_KEY, "AttributeType": "S"},
            {"AttributeName": resources.SORT_KEY, "AttributeType": "S"},
            {"AttributeName": resources.DUE_SHARD, "AttributeType": "S"},
            {"AttributeName": resources.DUE_AT, "AttributeType": "N"},
        ],
        KeySchema=[
            {"AttributeName": resources.PARTITION_KEY, "KeyType": "HASH"},
            {"AttributeName": resources.SORT_KEY, "KeyType": "RANGE"},
        ],
        GlobalSecondaryIndexes=[
            {
                "IndexName": resources.DUE_INDEX,
                "KeySchema": [
                    {"AttributeName": resources.DUE_SHARD, "KeyType": "HASH"},
                    {"AttributeName": resources.DUE_AT, "KeyType": "RANGE"},
                ],
                "Projection": {"ProjectionType": "KEYS_ONLY"},
            }
        ],
    )
    client.update_time_to_live(
        TableName=name, TimeToLiveSpecification={"Enabled": True, "AttributeName": resources.TTL_ATTRIBUTE}
    )


def create_queues(client: "SQSClient", name: str) -> Queues:
    """The run queue with its dead letters."""
    retention = str(resources.QUEUE_RETENTION_SECONDS)
    dead_letters = client.create_queue(
        QueueName=f"{name}-dead-letters", Attributes={"MessageRetentionPeriod": retention}
    )["QueueUrl"]
    arn = client.get_queue_attributes(QueueUrl=dead_letters, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
    redrive = {"deadLetterTargetArn": arn, "maxReceiveCount": str(resources.MAX_RECEIVES)}
    url = client.create_queue(
        QueueName=name,
        Attributes={
            "VisibilityTimeout": str(resources.VISIBILITY_SECONDS),
            "MessageRetentionPeriod": retention,
            "RedrivePolicy": json.dumps(redrive),
        },
    )["QueueUrl"]
    return Queues(url, dead_letters)

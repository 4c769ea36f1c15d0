"""A table of the local AWS with string keys `pk` and `sk`, and the operations that its tests repeat."""

import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

from infra.local.aws import LocalAws


def client_of(aws: LocalAws, service: Any = "dynamodb", attempts: int = 1) -> Any:
    return boto3.client(
        service,
        endpoint_url=aws.endpoint_url,
        region_name="eu-central-1",
        aws_access_key_id="any",
        aws_secret_access_key="any",  # noqa: S106 - moto takes any
        config=Config(retries={"mode": "standard", "total_max_attempts": attempts}, max_pool_connections=50),
    )


def table_in(aws: LocalAws) -> None:
    client_of(aws).create_table(
        TableName="t",
        BillingMode="PAY_PER_REQUEST",
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
        AttributeDefinitions=[
            {"AttributeName": "pk", "AttributeType": "S"},
            {"AttributeName": "sk", "AttributeType": "S"},
        ],
    )


def key(name: str) -> dict[str, Any]:
    return {"pk": {"S": "p"}, "sk": {"S": name}}


def put(name: str, **operation: Any) -> dict[str, Any]:
    return {"Put": {"TableName": "t", "Item": key(name), **operation}}


def add_one(name: str) -> dict[str, Any]:
    values = {":one": {"N": "1"}}
    update = {"TableName": "t", "Key": key(name), "UpdateExpression": "ADD n :one", "ExpressionAttributeValues": values}
    return {"Update": update}


def fails() -> dict[str, Any]:
    return {"ConditionCheck": {"TableName": "t", "Key": key("none"), "ConditionExpression": "attribute_exists(pk)"}}


def names(db: Any) -> set[str]:
    found = db.scan(TableName="t", ConsistentRead=True)["Items"]
    return {item["sk"]["S"] for item in found}


def at_once(count: int, act: Callable[[int], Any]) -> list[Any]:
    """What `act` returned or raised in each of `count` threads that begin together."""
    gate = threading.Barrier(count)

    def one(number: int) -> Any:
        gate.wait()
        try:
            return act(number)
        except ClientError as error:
            return error.response["Error"]["Code"]

    interval = sys.getswitchinterval()
    sys.setswitchinterval(5e-5)  # a hundred times as often, so that what can interleave does
    try:
        with ThreadPoolExecutor(count) as pool:
            return list(pool.map(one, range(count)))
    finally:
        sys.setswitchinterval(interval)

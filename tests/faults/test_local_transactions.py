"""TransactWriteItems on the local AWS: once per token, and refused where DynamoDB refuses."""

from collections.abc import Iterator
from typing import Any

import pytest
from botocore.exceptions import ClientError

from infra.local.aws import LocalAws
from tests.faults.small_table import add_one, at_once, client_of, fails, key, names, put, table_in


@pytest.fixture
def aws() -> Iterator[LocalAws]:
    with LocalAws() as running:
        table_in(running)
        running.calls.clear()
        yield running


def test_the_same_token_twice_acts_once(aws: LocalAws) -> None:
    db = client_of(aws)

    first = db.transact_write_items(ClientRequestToken="token", TransactItems=[add_one("n")])
    second = db.transact_write_items(ClientRequestToken="token", TransactItems=[add_one("n")])

    assert db.get_item(TableName="t", Key=key("n"))["Item"]["n"] == {"N": "1"}
    assert first["ResponseMetadata"]["RequestId"] == second["ResponseMetadata"]["RequestId"]


def test_the_same_token_from_many_threads_acts_once(aws: LocalAws) -> None:
    db = client_of(aws)

    def act(_number: int) -> int:
        return int(
            db.transact_write_items(ClientRequestToken="token", TransactItems=[add_one("n")])["ResponseMetadata"][
                "HTTPStatusCode"
            ]
        )

    assert at_once(20, act) == [200] * 20
    assert db.get_item(TableName="t", Key=key("n"))["Item"]["n"] == {"N": "1"}


def test_the_same_token_with_other_parameters_is_refused(aws: LocalAws) -> None:
    db = client_of(aws)
    db.transact_write_items(ClientRequestToken="token", TransactItems=[put("a")])

    with pytest.raises(db.exceptions.IdempotentParameterMismatchException):
        db.transact_write_items(ClientRequestToken="token", TransactItems=[put("b")])

    assert names(db) == {"a"}


def test_a_token_may_be_used_again_after_ten_minutes_and_after_a_failure() -> None:
    seconds = [0.0]
    with LocalAws(clock=lambda: seconds[0]) as aws:
        table_in(aws)
        db = client_of(aws)
        with pytest.raises(db.exceptions.TransactionCanceledException):
            db.transact_write_items(ClientRequestToken="token", TransactItems=[fails()])

        db.transact_write_items(ClientRequestToken="token", TransactItems=[add_one("n")])
        seconds[0] = 599.0
        db.transact_write_items(ClientRequestToken="token", TransactItems=[add_one("n")])
        seconds[0] = 600.0
        db.transact_write_items(ClientRequestToken="token", TransactItems=[add_one("n")])

        assert db.get_item(TableName="t", Key=key("n"))["Item"]["n"] == {"N": "2"}


@pytest.mark.parametrize(
    "operation",
    [
        put("a", ConditionExpression="attribute_not_exists(pk)", ExpressionAttributeValues={":x": {"N": "1"}}),
        put("a", ConditionExpression="attribute_not_exists(#pk)", ExpressionAttributeNames={"#pk": "pk", "#x": "x"}),
        put("a", ConditionExpression="n = :x"),
    ],
    ids=["a value unused", "a name unused", "a value undefined"],
)
def test_a_transaction_with_an_unused_or_undefined_placeholder_is_invalid(
    aws: LocalAws, operation: dict[str, Any]
) -> None:
    db = client_of(aws)

    with pytest.raises(ClientError) as refused:
        db.transact_write_items(TransactItems=[operation])

    assert refused.value.response["Error"]["Code"] == "ValidationException"


def test_a_transaction_over_four_megabytes_is_invalid(aws: LocalAws) -> None:
    db = client_of(aws)
    items = [put(str(number), Item={**key(str(number)), "b": {"B": b"x" * 390_000}}) for number in range(11)]

    db.transact_write_items(TransactItems=items[:10])
    with pytest.raises(ClientError) as refused:
        db.transact_write_items(TransactItems=items)

    assert refused.value.response["Error"]["Code"] == "ValidationException"

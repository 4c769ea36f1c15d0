"""The AWS that the tests and the local stack stand on: atomic, honest about tokens, and failing to order."""

import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import boto3
import pytest
from botocore.config import Config
from botocore.exceptions import ClientError, ConnectionClosedError
from moto.dynamodb.models.dynamo_type import Item

from infra.local.aws import LocalAws
from infra.local.aws_faults import (
    CONFLICT,
    IN_PROGRESS,
    SERVER_ERROR,
    THROTTLED,
    THROUGHPUT_EXCEEDED,
    WRITE_CONFLICT,
    Call,
    Cancel,
    LeaveUnprocessed,
    LoseReply,
    Refuse,
    always,
    in_turn,
)


@pytest.fixture
def aws() -> Iterator[LocalAws]:
    with LocalAws() as running:
        table_in(running)
        running.calls.clear()
        yield running


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


def test_of_fifty_threads_that_claim_one_key_one_wins(aws: LocalAws) -> None:
    db = client_of(aws)

    def claim(number: int) -> str:
        item = {**key("claim"), "owner": {"N": str(number)}}
        db.put_item(TableName="t", Item=item, ConditionExpression="attribute_not_exists(pk)")
        return "won"

    outcomes = at_once(50, claim)

    assert sorted(outcomes) == ["ConditionalCheckFailedException"] * 49 + ["won"]
    owner = db.get_item(TableName="t", Key=key("claim"))["Item"]["owner"]["N"]
    assert outcomes[int(owner)] == "won"


def test_a_counter_with_a_limit_is_never_taken_beyond_it(aws: LocalAws) -> None:
    db = client_of(aws)

    def take(_number: int) -> str:
        db.update_item(
            TableName="t",
            Key=key("count"),
            UpdateExpression="ADD n :one",
            ConditionExpression="attribute_not_exists(n) OR n < :limit",
            ExpressionAttributeValues={":one": {"N": "1"}, ":limit": {"N": "10"}},
        )
        return "taken"

    assert at_once(40, take).count("taken") == 10
    assert db.get_item(TableName="t", Key=key("count"))["Item"]["n"] == {"N": "10"}


def test_failing_transactions_lose_no_write_that_was_acknowledged_to_others(aws: LocalAws) -> None:
    db = client_of(aws)

    def act(number: int) -> str:
        if number % 2:
            db.transact_write_items(TransactItems=[put(f"undone {number}"), fails()])
        db.put_item(TableName="t", Item=key(f"kept {number}"))
        return "kept"

    outcomes = at_once(50, act)

    assert outcomes == ["kept", "TransactionCanceledException"] * 25
    assert names(db) == {f"kept {number}" for number in range(0, 50, 2)}


def test_a_failing_transaction_leaves_each_item_it_named_as_it_was(aws: LocalAws) -> None:
    db = client_of(aws)
    db.put_item(TableName="t", Item={**key("counted"), "n": {"N": "4"}})
    db.put_item(TableName="t", Item={**key("deleted"), "text": {"S": "still here"}})
    before = db.scan(TableName="t")["Items"]

    with pytest.raises(ClientError) as refused:
        db.transact_write_items(
            TransactItems=[
                put("new"),
                add_one("counted"),
                {"Delete": {"TableName": "t", "Key": key("deleted")}},
                fails(),
            ]
        )

    reasons = refused.value.response["CancellationReasons"]
    assert [reason["Code"] for reason in reasons] == ["None", "None", "None", "ConditionalCheckFailed"]
    assert db.scan(TableName="t")["Items"] == before


def test_a_transaction_copies_the_items_it_names_and_no_others(aws: LocalAws, monkeypatch: pytest.MonkeyPatch) -> None:
    db = client_of(aws)
    for start in range(0, 3_000, 25):
        requests = [{"PutRequest": {"Item": key(f"{number:04}")}} for number in range(start, start + 25)]
        db.batch_write_item(RequestItems={"t": requests})
    copied = []
    copy_item = Item.__deepcopy__

    def counted(self: Item, memo: dict[int, Any]) -> Item:
        copied.append(self.to_json()["Attributes"]["sk"]["S"])
        return copy_item(self, memo)

    monkeypatch.setattr(Item, "__deepcopy__", counted)

    db.transact_write_items(TransactItems=[add_one("0001"), add_one("0002")])

    assert set(copied) == {"0001", "0002"}
    assert len(copied) <= 6


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
    ("fault", "code", "status"),
    [
        (WRITE_CONFLICT, "TransactionConflictException", 400),
        (THROTTLED, "ThrottlingException", 400),
        (THROUGHPUT_EXCEEDED, "ProvisionedThroughputExceededException", 400),
        (SERVER_ERROR, "InternalServerError", 500),
        (Refuse("RequestLimitExceeded"), "RequestLimitExceeded", 400),
    ],
)
def test_an_injected_error_is_answered_and_nothing_is_done(
    aws: LocalAws, fault: Refuse, code: str, status: int
) -> None:
    db = client_of(aws)

    with aws.faults(always("PutItem", fault)), pytest.raises(ClientError) as refused:
        db.put_item(TableName="t", Item=key("a"))

    assert refused.value.response["Error"]["Code"] == code
    assert refused.value.response["ResponseMetadata"]["HTTPStatusCode"] == status
    assert names(db) == set()


def test_an_injected_cancellation_gives_a_reason_for_each_item_in_order(aws: LocalAws) -> None:
    db = client_of(aws)

    with (
        aws.faults(in_turn("TransactWriteItems", Cancel(("None", "TransactionConflict")))),
        pytest.raises(db.exceptions.TransactionCanceledException) as refused,
    ):
        db.transact_write_items(TransactItems=[put("a"), put("b"), put("c")])

    assert refused.value.response["CancellationReasons"] == [
        {"Code": "None"},
        {"Code": "TransactionConflict", "Message": "Transaction is ongoing for the item"},
        {"Code": "None"},
    ]
    assert names(db) == set()


def test_faults_in_turn_meet_the_calls_of_their_action_until_they_are_used_up(aws: LocalAws) -> None:
    db = client_of(aws)
    codes = []

    with aws.faults(in_turn("TransactWriteItems", CONFLICT, IN_PROGRESS)):
        db.put_item(TableName="t", Item=key("other"))
        for _ in range(3):
            try:
                db.transact_write_items(ClientRequestToken="token", TransactItems=[put("a")])
            except ClientError as error:
                codes.append(error.response["Error"]["Code"])

    assert codes == ["TransactionCanceledException", "TransactionInProgressException"]
    assert names(db) == {"other", "a"}


def test_a_hook_may_choose_by_what_the_call_holds(aws: LocalAws) -> None:
    db = client_of(aws)

    def only_b(call: Call) -> Refuse | None:
        return THROTTLED if call.body.get("Item") == key("b") else None

    with aws.faults(only_b):
        db.put_item(TableName="t", Item=key("a"))
        with pytest.raises(db.exceptions.ThrottlingException):
            db.put_item(TableName="t", Item=key("b"))

    assert names(db) == {"a"}


def test_a_lost_reply_follows_a_write_that_was_made(aws: LocalAws) -> None:
    db = client_of(aws)

    with aws.faults(in_turn("PutItem", LoseReply(), LoseReply(status=500))):
        with pytest.raises(ConnectionClosedError):
            db.put_item(TableName="t", Item=key("a"))
        with pytest.raises(ClientError) as refused:
            db.put_item(TableName="t", Item=key("b"))

    assert refused.value.response["ResponseMetadata"]["HTTPStatusCode"] == 500
    assert names(db) == {"a", "b"}


def test_a_transaction_whose_reply_was_lost_is_sent_again_by_boto3_and_acts_once(aws: LocalAws) -> None:
    db = client_of(aws, attempts=3)

    with aws.faults(in_turn("TransactWriteItems", LoseReply())):
        db.transact_write_items(TransactItems=[add_one("n")])

    assert aws.calls == {("dynamodb", "TransactWriteItems"): 2}
    assert db.get_item(TableName="t", Key=key("n"))["Item"]["n"] == {"N": "1"}


def test_keys_left_unprocessed_come_back_with_the_options_they_were_asked_with(aws: LocalAws) -> None:
    db = client_of(aws)
    for name in "abc":
        db.put_item(TableName="t", Item={**key(name), "n": {"N": "1"}})
    options = {"ConsistentRead": True, "ProjectionExpression": "#s", "ExpressionAttributeNames": {"#s": "sk"}}
    request = {"t": {"Keys": [key("a"), key("b"), key("c")], **options}}

    with aws.faults(in_turn("BatchGetItem", LeaveUnprocessed(2), LeaveUnprocessed(9))):
        some = db.batch_get_item(RequestItems=request)
        none = db.batch_get_item(RequestItems=request)
    rest = db.batch_get_item(RequestItems=some["UnprocessedKeys"])

    assert some["Responses"] == {"t": [{"sk": {"S": "a"}}]}
    assert some["UnprocessedKeys"] == {"t": {"Keys": [key("b"), key("c")], **options}}
    assert (none["Responses"], none["UnprocessedKeys"]) == ({"t": []}, request)
    assert sorted(item["sk"]["S"] for item in rest["Responses"]["t"]) == ["b", "c"]


def test_writes_left_unprocessed_come_back_and_are_not_made(aws: LocalAws) -> None:
    db = client_of(aws)
    requests = [{"PutRequest": {"Item": key(name)}} for name in "abc"]

    with aws.faults(in_turn("BatchWriteItem", LeaveUnprocessed(1))):
        answer = db.batch_write_item(RequestItems={"t": requests})

    assert answer["UnprocessedItems"] == {"t": requests[2:]}
    assert names(db) == {"a", "b"}


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


def test_calls_are_counted_by_service_and_action(aws: LocalAws) -> None:
    queues = client_of(aws, "sqs")
    queue = queues.create_queue(QueueName="q")["QueueUrl"]
    queues.send_message(QueueUrl=queue, MessageBody="{}")
    db = client_of(aws)
    db.put_item(TableName="t", Item=key("a"))
    db.put_item(TableName="t", Item=key("b"))

    assert aws.calls == {("sqs", "CreateQueue"): 1, ("sqs", "SendMessage"): 1, ("dynamodb", "PutItem"): 2}


def test_two_instances_share_nothing(aws: LocalAws) -> None:
    with LocalAws() as other:
        assert client_of(other).list_tables()["TableNames"] == []
        table_in(other)
        client_of(other).put_item(TableName="t", Item=key("other"))

        assert names(client_of(aws)) == set()


def test_what_moto_cannot_do_is_a_server_error_and_the_connection_lives(aws: LocalAws) -> None:
    db = client_of(aws)
    db.put_item(TableName="t", Item={**key("a"), "n": {"N": "1"}})

    with pytest.raises(ClientError) as refused:
        db.put_item(
            TableName="t",
            Item=key("a"),
            ConditionExpression="n < :text",
            ExpressionAttributeValues={":text": {"S": "x"}},
        )

    assert refused.value.response["ResponseMetadata"]["HTTPStatusCode"] == 500
    assert names(db) == {"a"}


def test_it_writes_nothing_and_leaves_no_thread_behind(capfd: pytest.CaptureFixture[str]) -> None:
    before = set(threading.enumerate())

    with LocalAws() as aws:
        table_in(aws)
        db = client_of(aws)
        at_once(10, lambda number: db.put_item(TableName="t", Item=key(str(number))))

    assert set(threading.enumerate()) == before
    assert capfd.readouterr() == ("", "")
    with pytest.raises(RuntimeError):
        aws.endpoint_url  # noqa: B018

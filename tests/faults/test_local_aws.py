"""The AWS that the tests and the local stack stand on: each request alone, nothing acknowledged ever lost."""

import threading
from collections.abc import Iterator
from typing import Any

import pytest
from botocore.exceptions import ClientError
from moto.dynamodb.models.dynamo_type import Item

from infra.local.aws import LocalAws
from tests.faults.small_table import add_one, at_once, client_of, fails, key, names, put, table_in


@pytest.fixture
def aws() -> Iterator[LocalAws]:
    with LocalAws() as running:
        table_in(running)
        running.calls.clear()
        yield running


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

    assert set(threading.enumerate()) <= before
    assert capfd.readouterr() == ("", "")
    with pytest.raises(RuntimeError):
        aws.endpoint_url  # noqa: B018

"""Each fault that a test can order of the local AWS, as boto3 meets it."""

from collections.abc import Iterator

import pytest
from botocore.exceptions import ClientError, ConnectionClosedError

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
    LoseRequest,
    Refuse,
    always,
    in_turn,
)
from tests.faults.small_table import add_one, client_of, key, names, put, table_in


@pytest.fixture
def aws() -> Iterator[LocalAws]:
    with LocalAws() as running:
        table_in(running)
        running.calls.clear()
        yield running


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


def test_a_lost_request_breaks_the_connection_and_nothing_is_done(aws: LocalAws) -> None:
    db = client_of(aws)

    with aws.faults(in_turn("PutItem", LoseRequest())), pytest.raises(ConnectionClosedError):
        db.put_item(TableName="t", Item=key("a"))

    assert names(db) == set()


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

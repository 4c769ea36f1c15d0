"""What is secure by default, bounded in what it keeps and costs, and gone when it is destroyed."""

import json
from typing import Any

import pytest

from infra.deployment.functions import FUNCTIONS
from research.rules.transitions import FUNCTION_TIMEOUT
from research.words import resources
from research.words.clock import RETENTION
from tests.infra.template import Template, listed

DAY = int(RETENTION.total_seconds())
TRACING = {"xray:PutTraceSegments", "xray:PutTelemetryRecords"}


def test_the_table_is_what_the_local_one_is_made_from(plain: Template) -> None:
    table = plain.one("DynamoDB::GlobalTable")
    (index,) = table["GlobalSecondaryIndexes"]

    assert table["BillingMode"] == "PAY_PER_REQUEST"
    assert table["KeySchema"] == [
        {"AttributeName": resources.PARTITION_KEY, "KeyType": "HASH"},
        {"AttributeName": resources.SORT_KEY, "KeyType": "RANGE"},
    ]
    assert (index["IndexName"], index["Projection"]) == (resources.DUE_INDEX, {"ProjectionType": "KEYS_ONLY"})
    assert index["KeySchema"] == [
        {"AttributeName": resources.DUE_SHARD, "KeyType": "HASH"},
        {"AttributeName": resources.DUE_AT, "KeyType": "RANGE"},
    ]
    assert table["TimeToLiveSpecification"] == {"AttributeName": resources.TTL_ATTRIBUTE, "Enabled": True}


def test_the_table_is_encrypted_keeps_no_copy_and_cannot_cost_without_bound(plain: Template) -> None:
    table = plain.one("DynamoDB::GlobalTable")
    (replica,) = table["Replicas"]
    (index,) = table["GlobalSecondaryIndexes"]
    (read_index,) = replica["GlobalSecondaryIndexes"]

    assert table["SSESpecification"] == {"SSEEnabled": True, "SSEType": "KMS"}
    assert replica["PointInTimeRecoverySpecification"] == {"PointInTimeRecoveryEnabled": False}
    assert not {"StreamSpecification"} & table.keys()
    assert not {"KinesisStreamSpecification", "ContributorInsightsSpecification"} & replica.keys()
    for writes in (table, index):
        assert writes["WriteOnDemandThroughputSettings"]["MaxWriteRequestUnits"] > 0
    for reads in (replica, read_index):
        assert reads["ReadOnDemandThroughputSettings"]["MaxReadRequestUnits"] > 0


def test_the_queues_take_and_keep_messages_encrypted_and_for_less_than_a_day(plain: Template) -> None:
    queues = plain.of("SQS::Queue")

    assert len(queues) == 2
    for queue in queues.values():
        assert queue["SqsManagedSseEnabled"] is True
        assert queue["MessageRetentionPeriod"] == resources.QUEUE_RETENTION_SECONDS < DAY
    assert sorted(refuses_plain_http(policy) for policy in plain.of("SQS::QueuePolicy").values()) == sorted(queues)


def refuses_plain_http(policy: dict[str, Any]) -> str:
    """The queue whose every action a policy denies without TLS."""
    (statement,) = policy["PolicyDocument"]["Statement"]
    assert (statement["Effect"], statement["Action"], statement["Principal"]) == ("Deny", "sqs:*", {"AWS": "*"})
    assert statement["Condition"] == {"Bool": {"aws:SecureTransport": "false"}}
    return str(statement["Resource"]["Fn::GetAtt"][0])


def test_a_message_stays_hidden_six_times_as_long_as_its_function_may_run_and_is_set_aside_in_the_end(
    plain: Template,
) -> None:
    queues = plain.of("SQS::Queue")
    (runs,) = (queue for queue in queues.values() if "RedrivePolicy" in queue)

    assert runs["VisibilityTimeout"] == resources.VISIBILITY_SECONDS == 6 * FUNCTION_TIMEOUT.total_seconds()
    assert runs["RedrivePolicy"]["maxReceiveCount"] == resources.MAX_RECEIVES
    set_aside = queues[runs["RedrivePolicy"]["deadLetterTargetArn"]["Fn::GetAtt"][0]]
    assert set_aside["VisibilityTimeout"] >= 6 * plain.functions()["dead_letters"]["Timeout"]


def test_alarms_go_to_a_topic_that_is_encrypted_and_takes_them_from_cloudwatch_over_tls(plain: Template) -> None:
    (topic,) = plain.of("SNS::Topic")
    (key,) = plain.of("KMS::Key")
    deny, allow = plain.one("SNS::TopicPolicy")["PolicyDocument"]["Statement"]
    *_, encrypt = plain.one("KMS::Key")["KeyPolicy"]["Statement"]

    assert plain.one("SNS::Topic")["KmsMasterKeyId"] == {"Fn::GetAtt": [key, "Arn"]}
    assert plain.one("KMS::Key")["EnableKeyRotation"] is True
    assert (deny["Effect"], deny["Condition"]) == ("Deny", {"Bool": {"aws:SecureTransport": "false"}})
    assert (allow["Action"], allow["Resource"]) == ("sns:Publish", {"Ref": topic})
    assert encrypt["Action"] == ["kms:Decrypt", "kms:GenerateDataKey"]
    for statement in (allow, encrypt):
        assert statement["Principal"] == {"Service": "cloudwatch.amazonaws.com"}
        assert statement["Condition"] == {"StringEquals": {"aws:SourceAccount": {"Ref": "AWS::AccountId"}}}


def test_a_role_serves_one_function_and_is_open_to_lambda_alone(plain: Template) -> None:
    roles = [made["Role"]["Fn::GetAtt"][0] for made in plain.functions().values()]

    assert sorted(roles) == sorted(plain.of("IAM::Role"))
    assert len(set(roles)) == len(FUNCTIONS)
    assert plain.of("IAM::Policy") == plain.of("IAM::ManagedPolicy") == {}
    for role in plain.of("IAM::Role").values():
        (trust,) = role["AssumeRolePolicyDocument"]["Statement"]
        assert trust["Principal"] == {"Service": "lambda.amazonaws.com"}
        assert trust["Action"] == "sts:AssumeRole"


@pytest.mark.parametrize("variant", ["plain", "chosen"])
def test_no_role_has_a_wildcard_but_that_of_tracing(variant: str, request: pytest.FixtureRequest) -> None:
    template: Template = request.getfixturevalue(variant)
    wild = [
        (function.name, statement["Action"])
        for function in FUNCTIONS
        for statement in template.statements(function.name).values()
        if "*" in json.dumps([statement["Action"], statement["Resource"]])
    ]

    assert [name for name, _ in wild] == [function.name for function in FUNCTIONS]
    assert all(set(actions) == TRACING for _, actions in wild)


@pytest.mark.parametrize("variant", ["plain", "chosen"])
def test_every_statement_allows_and_names_what_it_is_on(variant: str, request: pytest.FixtureRequest) -> None:
    template: Template = request.getfixturevalue(variant)
    for function in FUNCTIONS:
        for statement in template.statements(function.name).values():
            assert statement["Effect"] == "Allow"
            assert not {"NotAction", "NotResource"} & statement.keys()
            assert len(listed(statement["Resource"])) == 1


def test_only_the_worker_may_read_the_gemini_secret_and_only_that_one(plain: Template, chosen: Template) -> None:
    may = {function.name: chosen.statements(function.name).get("Secret") for function in FUNCTIONS}
    secret = may.pop("generate")

    assert set(may.values()) == {None}
    assert secret is not None
    assert secret["Action"] == "secretsmanager:GetSecretValue"
    assert json.dumps(secret["Resource"]).endswith(':secret:team/gemini-??????"]]}')
    assert "Secret" not in plain.statements("generate")
    assert chosen.of("SecretsManager::Secret") == {}


def test_nothing_can_call_a_function_but_this_api_and_this_schedule(plain: Template) -> None:
    (api,) = plain.of("ApiGatewayV2::Api")
    (rule,) = plain.of("Events::Rule")
    permissions = plain.of("Lambda::Permission").values()

    assert plain.of("Lambda::Url") == {}
    assert {permission["Principal"] for permission in permissions} == {
        "apigateway.amazonaws.com",
        "events.amazonaws.com",
    }
    for permission in permissions:
        assert permission["Action"] == "lambda:InvokeFunction"
        source = json.dumps(permission["SourceArn"])
        assert f'{{"Ref": "{api}"}}' in source or source == json.dumps({"Fn::GetAtt": [rule, "Arn"]})


def test_everything_that_stores_something_goes_with_the_stack(plain: Template) -> None:
    keeping = ("DynamoDB::GlobalTable", "SQS::Queue", "Logs::LogGroup", "KMS::Key")
    for kind in keeping:
        for name in plain.of(kind):
            assert plain.resources[name]["DeletionPolicy"] == "Delete"
    assert {made.get("DeletionPolicy", "Delete") for made in plain.resources.values()} == {"Delete"}
    assert {made.get("UpdateReplacePolicy", "Delete") for made in plain.resources.values()} == {"Delete"}


def test_every_log_is_kept_for_two_weeks(plain: Template) -> None:
    logs = plain.of("Logs::LogGroup")

    assert len(logs) == len(FUNCTIONS) + 1
    assert {log["RetentionInDays"] for log in logs.values()} == {14}

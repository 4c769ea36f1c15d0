"""What a person is called for. infra/README.md says of each what to do."""

from dataclasses import dataclass

from aws_cdk import Duration, RemovalPolicy, Stack
from aws_cdk.aws_cloudwatch import Alarm, ComparisonOperator, IMetric, TreatMissingData
from aws_cdk.aws_cloudwatch_actions import SnsAction
from aws_cdk.aws_iam import PolicyStatement, ServicePrincipal
from aws_cdk.aws_kms import Key
from aws_cdk.aws_sns import Topic
from aws_cdk.aws_sns_subscriptions import EmailSubscription
from constructs import Construct

from infra.deployment.functions import DEAD_LETTERS, GENERATE, SWEEP
from infra.deployment.measures import REFUSED, UNCONFIRMED, UNFINISHED
from infra.deployment.metrics import Metrics

_LONG_IN_THE_QUEUE = 900
"""Seconds: longer than the waits between a run's tries, unless Gemini asks for longer ones."""


@dataclass(frozen=True, slots=True)
class _Rule:
    """Alarm when each of `periods` of five minutes reaches `at`; with `below`, when it does not, or has no data."""

    name: str
    says: str
    metric: IMetric
    at: float = 1
    periods: int = 1
    below: bool = False


def _rules(metrics: Metrics) -> list[_Rule]:
    return [
        _Rule("DeadLetters", "A run's message was set aside.", metrics.function(DEAD_LETTERS, "Invocations")),
        _Rule(
            "QueueAge",
            "Runs wait a quarter of an hour for an answer.",
            metrics.queue("ApproximateAgeOfOldestMessage"),
            at=_LONG_IN_THE_QUEUE,
            periods=2,
        ),
        _Rule("Api5xx", "Calls fail on the server's side.", metrics.api("5xx"), at=5),
        _Rule("GenerateErrors", "The worker broke or ran out of time.", metrics.function(GENERATE, "Errors")),
        _Rule("GeminiRefuses", "Gemini refused a run for good.", metrics.counted(REFUSED)),
        _Rule("GenerationUnconfirmed", "A paid answer may have been lost.", metrics.counted(UNCONFIRMED)),
        _Rule("TableThrottled", "The table puts requests off.", metrics.throttles(), at=10),
        _Rule("SweepErrors", "The sweep breaks on some record.", metrics.function(SWEEP, "Errors"), at=3),
        _Rule("SweepBehind", "There is more due than sweeps can do.", metrics.counted(UNFINISHED), at=3, periods=2),
        _Rule("SweepSilent", "Nothing sweeps.", metrics.function(SWEEP, "Invocations"), below=True),
    ]


class Alarms(Construct):
    """The alarms and their topic, which tells `email` if there is one."""

    def __init__(self, scope: Construct, name: str, metrics: Metrics, email: str | None) -> None:
        super().__init__(scope, name)
        self.topic = Topic(self, "Topic", master_key=self._key(), enforce_ssl=True)
        self.topic.add_to_resource_policy(_cloudwatch("Publish", ["sns:Publish"], self.topic.topic_arn, self))
        if email:
            self.topic.add_subscription(EmailSubscription(email))
        self.all = [self._alarm(rule) for rule in _rules(metrics)]

    def _key(self) -> Key:
        """CloudWatch may not use the key that SNS has by default, so that the topic needs one of its own."""
        key = Key(
            self,
            "Key",
            description="Alarms of Cited Research",
            enable_key_rotation=True,
            pending_window=Duration.days(7),
            removal_policy=RemovalPolicy.DESTROY,
        )
        key.add_to_resource_policy(_cloudwatch("Encrypt", ["kms:Decrypt", "kms:GenerateDataKey"], "*", self))
        return key

    def _alarm(self, rule: _Rule) -> Alarm:
        at_least, below = ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD, ComparisonOperator.LESS_THAN_THRESHOLD
        alarm = Alarm(
            self,
            rule.name,
            alarm_name=f"{Stack.of(self).stack_name}-{rule.name}",
            alarm_description=f"{rule.says} What to do: infra/README.md, Alarms, {rule.name}.",
            metric=rule.metric,
            threshold=rule.at,
            evaluation_periods=rule.periods,
            comparison_operator=below if rule.below else at_least,
            treat_missing_data=TreatMissingData.BREACHING if rule.below else TreatMissingData.NOT_BREACHING,
        )
        alarm.add_alarm_action(SnsAction(self.topic))
        return alarm


def _cloudwatch(sid: str, actions: list[str], resource: str, scope: Construct) -> PolicyStatement:
    """CloudWatch may do this for alarms of this account."""
    return PolicyStatement(
        sid=sid,
        principals=[ServicePrincipal("cloudwatch.amazonaws.com")],
        actions=actions,
        resources=[resource],
        conditions={"StringEquals": {"aws:SourceAccount": Stack.of(scope).account}},
    )

"""Every metric that an alarm or the dashboard shows: our own, counted from the logs, and those of AWS."""

from aws_cdk import Duration, Stack
from aws_cdk.aws_cloudwatch import IMetric, MathExpression, Metric, Stats
from aws_cdk.aws_logs import FilterPattern, MetricFilter
from constructs import Construct

from infra.deployment.api import Api
from infra.deployment.functions import Function
from infra.deployment.lambdas import Lambdas, camel_case
from infra.deployment.measures import MEASURES, Measure
from infra.deployment.queues import Queues
from infra.deployment.table import Table
from research.words.resources import DUE_INDEX

PERIOD = Duration.minutes(5)


class Metrics(Construct):
    """The metrics of one stack, each over five minutes; our own are in a namespace with the stack's name."""

    def __init__(self, scope: Construct, name: str, api: Api, lambdas: Lambdas, queues: Queues, table: Table) -> None:
        super().__init__(scope, name)
        self._namespace = Stack.of(self).stack_name
        self._api, self._lambdas, self._queues, self._table = api, lambdas, queues, table
        for measure in MEASURES:
            for function in measure.functions:
                self._count(measure, function)

    def _count(self, measure: Measure, function: Function) -> None:
        MetricFilter(
            self,
            f"{measure.name}{camel_case(function.name)}",
            log_group=self._lambdas[function].logs,
            filter_pattern=FilterPattern.literal(measure.pattern),
            metric_namespace=self._namespace,
            metric_name=measure.name,
            metric_value="1",
        )

    def counted(self, measure: Measure) -> IMetric:
        """How many such log lines."""
        return Metric(namespace=self._namespace, metric_name=measure.name, statistic=Stats.SUM, period=PERIOD)

    def api(self, name: str, statistic: str = Stats.SUM) -> IMetric:
        """Of the HTTP API: Count, 4xx, 5xx, Latency."""
        return self._api.api.metric(name, statistic=statistic, period=PERIOD, label=_label(name, statistic))

    def function(self, function: Function, name: str, statistic: str = Stats.SUM) -> IMetric:
        """Of a function: Invocations, Errors, Duration, ConcurrentExecutions."""
        label = _label(f"{function.name} {name}", statistic)
        return self._lambdas[function].function.metric(name, statistic=statistic, period=PERIOD, label=label)

    def queue(self, name: str) -> IMetric:
        """The most of it on the queue of runs: ApproximateAgeOfOldestMessage, ApproximateNumberOfMessagesVisible."""
        return self._queues.runs.metric(name, statistic=Stats.MAXIMUM, period=PERIOD)

    def throttles(self) -> IMetric:
        """Requests that the table or its index put off, reads and writes together."""
        metrics = {
            f"{kind.lower()}_{place}": self._throttled(kind, dimensions)
            for kind in ("Read", "Write")
            for place, dimensions in (("table", {}), ("index", {"GlobalSecondaryIndexName": DUE_INDEX}))
        }
        every = " + ".join(f"FILL({name}, 0)" for name in metrics)
        return MathExpression(expression=every, using_metrics=metrics, period=PERIOD, label="throttled")

    def _throttled(self, kind: str, dimensions: dict[str, str]) -> Metric:
        return Metric(
            namespace="AWS/DynamoDB",
            metric_name=f"{kind}ThrottleEvents",
            dimensions_map={"TableName": self._table.table.table_name, **dimensions},
            statistic=Stats.SUM,
            period=PERIOD,
        )

    def consumed(self, kind: str) -> IMetric:
        """Request units of the table: Read or Write."""
        return self._table.table.metric(f"Consumed{kind}CapacityUnits", statistic=Stats.SUM, period=PERIOD)


def _label(name: str, statistic: str) -> str:
    return name if statistic == Stats.SUM else f"{name} {statistic}"

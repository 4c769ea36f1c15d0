"""One page that says how the service is: alarms, then what callers see, then how runs end, then what is behind."""

from aws_cdk import Duration, Stack
from aws_cdk import aws_cloudwatch as cloudwatch
from aws_cdk.aws_cloudwatch import AlarmStatusWidget, GraphWidget, IMetric, Stats
from constructs import Construct

from infra.deployment.alarms import Alarms
from infra.deployment.functions import DEAD_LETTERS, GENERATE, SWEEP
from infra.deployment.measures import COMPLETED, FAILED, REFUSED, UNCONFIRMED, UNREADABLE
from infra.deployment.metrics import Metrics

WIDTH, HALF = 24, 12
P50, P95, P99 = (Stats.percentile(share) for share in (50, 95, 99))


class Dashboard(Construct):
    """The dashboard, named as the stack is."""

    def __init__(self, scope: Construct, name: str, metrics: Metrics, alarms: Alarms) -> None:
        super().__init__(scope, name)
        stack = Stack.of(self)
        cloudwatch.Dashboard(
            self,
            "Dashboard",
            dashboard_name=stack.stack_name,
            default_interval=Duration.hours(3),
            widgets=[
                [AlarmStatusWidget(title="Alarms", alarms=list(alarms.all), width=WIDTH)],
                [
                    _graph("Calls", [metrics.api("Count"), metrics.api("4xx"), metrics.api("5xx")]),
                    _graph("Milliseconds a call", [metrics.api("Latency", share) for share in (P50, P95, P99)]),
                ],
                [
                    _graph("Runs that ended", [metrics.counted(one) for one in (COMPLETED, FAILED)]),
                    _graph("Of those that failed", [metrics.counted(one) for one in (REFUSED, UNCONFIRMED)]),
                ],
                [
                    _graph(
                        "Runs waiting, and seconds the oldest has waited",
                        [metrics.queue("ApproximateNumberOfMessagesVisible")],
                        [metrics.queue("ApproximateAgeOfOldestMessage")],
                    ),
                    _graph(
                        "Answers at once, and milliseconds each takes",
                        [metrics.function(GENERATE, "ConcurrentExecutions", Stats.MAXIMUM)],
                        [metrics.function(GENERATE, "Duration", share) for share in (P50, P95)],
                    ),
                ],
                [
                    _graph(
                        "Errors behind the scenes",
                        [
                            *(metrics.function(function, "Errors") for function in (GENERATE, SWEEP)),
                            metrics.function(DEAD_LETTERS, "Invocations"),
                            metrics.counted(UNREADABLE),
                        ],
                    ),
                    _graph(
                        "Request units of the table",
                        [metrics.consumed("Read"), metrics.consumed("Write")],
                        [metrics.throttles()],
                    ),
                ],
            ],
        )
        self.url = (
            f"https://{stack.region}.console.aws.amazon.com/cloudwatch/home?region={stack.region}"
            f"#dashboards/dashboard/{stack.stack_name}"
        )


def _graph(title: str, left: list[IMetric], right: list[IMetric] | None = None) -> GraphWidget:
    return GraphWidget(title=title, left=left, right=right or [], width=HALF)

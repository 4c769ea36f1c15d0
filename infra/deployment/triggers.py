"""What calls the functions besides HTTP: the queue of runs, its dead letters, and the clock."""

from aws_cdk import Duration
from aws_cdk.aws_events import Rule, Schedule
from aws_cdk.aws_events_targets import LambdaFunction as LambdaTarget
from aws_cdk.aws_lambda import EventSourceMapping
from aws_cdk.aws_sqs import IQueue
from constructs import Construct

from infra.deployment.functions import DEAD_LETTERS, GENERATE, MINUTE, SWEEP
from infra.deployment.lambdas import LambdaFunction, Lambdas
from infra.deployment.queues import Queues

_MINUTE = Duration.seconds(int(MINUTE.total_seconds()))
_LEAST_CONCURRENCY = 2
"""Of an event source, by Lambda's rules."""


class Triggers(Construct):
    """`generate_concurrency` bounds how many answers are generated at once, and so the calls to Gemini."""

    def __init__(
        self, scope: Construct, name: str, lambdas: Lambdas, queues: Queues, generate_concurrency: int
    ) -> None:
        super().__init__(scope, name)
        self._source("Runs", lambdas[GENERATE], queues.runs, generate_concurrency)
        self._source("DeadLetters", lambdas[DEAD_LETTERS], queues.dead_letters, _LEAST_CONCURRENCY)
        sweep = lambdas[SWEEP].live
        # A minute later there is another one: nothing is gained by repeating a sweep that failed.
        sweep.configure_async_invoke(retry_attempts=0, max_event_age=_MINUTE)
        target = LambdaTarget(sweep, retry_attempts=0, max_event_age=_MINUTE)
        Rule(self, "EachMinute", description="Sweep once a minute", schedule=Schedule.rate(_MINUTE), targets=[target])

    def _source(self, name: str, function: LambdaFunction, queue: IQueue, concurrency: int) -> None:
        EventSourceMapping(
            self,
            name,
            target=function.live,
            event_source_arn=queue.queue_arn,
            batch_size=1,
            report_batch_item_failures=True,
            max_concurrency=concurrency,
        )

"""The run queue and the queue of its dead letters: encrypted, over TLS only, and forgetful."""

from aws_cdk import Duration, RemovalPolicy
from aws_cdk.aws_sqs import DeadLetterQueue, Queue, QueueEncryption
from constructs import Construct

from infra.deployment.functions import DEAD_LETTERS
from research.words import resources

_TIMES_THE_TIMEOUT = 6


class Queues(Construct):
    """Messages carry ids only, and even those are forgotten before the conversation is."""

    def __init__(self, scope: Construct, name: str) -> None:
        super().__init__(scope, name)
        dead_letters_visibility = int(DEAD_LETTERS.timeout.total_seconds()) * _TIMES_THE_TIMEOUT
        self.dead_letters = self._queue("DeadLetters", dead_letters_visibility, None)
        redrive = DeadLetterQueue(queue=self.dead_letters, max_receive_count=resources.MAX_RECEIVES)
        self.runs = self._queue("Runs", resources.VISIBILITY_SECONDS, redrive)

    def _queue(self, name: str, visibility: int, redrive: DeadLetterQueue | None) -> Queue:
        return Queue(
            self,
            name,
            visibility_timeout=Duration.seconds(visibility),
            retention_period=Duration.seconds(resources.QUEUE_RETENTION_SECONDS),
            dead_letter_queue=redrive,
            encryption=QueueEncryption.SQS_MANAGED,
            enforce_ssl=True,
            removal_policy=RemovalPolicy.DESTROY,
        )

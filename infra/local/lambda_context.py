"""The second argument of a Lambda handler, as far as handlers and Powertools read it."""

import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LambdaContext:
    """One invocation. `deadline` is when it would be ended, on `clock`, which gives seconds that only grow."""

    function_name: str
    aws_request_id: str
    deadline: float
    clock: Callable[[], float] = time.monotonic
    function_version: str = "$LATEST"
    memory_limit_in_mb: int = 512

    @property
    def invoked_function_arn(self) -> str:
        """An ARN of the documented shape, in no real account."""
        return f"arn:aws:lambda:eu-central-1:000000000000:function:{self.function_name}"

    def get_remaining_time_in_millis(self) -> int:
        """Milliseconds until the deadline, never less than 0."""
        return max(0, int((self.deadline - self.clock()) * 1000))

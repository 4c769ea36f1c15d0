"""The service on a day when everything breaks: each call and process can be ended, and what must hold is counted."""

import re
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from itertools import count
from typing import Any

from harness.service import DEFAULT_REPLY, Service, new_id

from infra import retention
from infra.local import loops
from infra.local.aws import LocalAws
from research.adapters.store import items
from research.operations.provider import Reply
from research.rules import transitions
from research.rules.prompt import Prompt
from research.words import records

QUESTION = re.compile(r"Question ([0-9]+):")
LONG_ENOUGH = transitions.OUTCOME_KNOWN + timedelta(seconds=20)
"""After this everything that was under way is over: leases, calls, waits."""

_KINDS = (records.Run, records.Conversation, records.Budget)
_names = count()


class Death(BaseException):
    """The process ends here: nothing that it would have done is done, not even its clean-up."""


class World:
    """A service, the calls its clients have not finished yet, and how often each question was generated."""

    def __init__(self, aws: LocalAws) -> None:
        self.aws = aws
        self.service = Service(aws, f"faults-{next(_names)}")
        self.generated: Counter[int] = Counter()
        self.at_the_model: list[Callable[[Prompt], Reply]] = []
        self.unfinished: list[tuple[str, Any]] = []
        self.replies: set[int] = set()
        self._numbers = count(1)
        self.service.model.script = [self._generate]
        self._hurry()

    def restart(self) -> None:
        """New processes, as after a death: nothing is left of the old ones but what they wrote."""
        self.service.wire()
        self._hurry()

    def _hurry(self) -> None:
        self.service.wiring.store._calls._pause = lambda _seconds: None
        self.service.wiring.evidence._calls._pause = lambda _seconds: None

    def _generate(self, prompt: Prompt) -> Reply:
        """A generation: counted from the moment at which it may cost something."""
        if self.at_the_model:
            return self.at_the_model.pop(0)(prompt)
        return self.answer(prompt)

    def answer(self, prompt: Prompt) -> Reply:
        number = int(QUESTION.findall(prompt.contents)[-1])
        self.generated[number] += 1
        self.replies.add(number)
        return DEFAULT_REPLY

    def spend_in_vain(self, prompt: Prompt) -> None:
        """A generation that nobody will ever hear of."""
        self.generated[int(QUESTION.findall(prompt.contents)[-1])] += 1

    def conversation(self) -> Any:
        return self.service.create().body["conversation"]

    def asking(self, conversation: Any) -> Any:
        return self.service.asking(conversation, question=f"Question {next(self._numbers)}: does it last?")

    def asked(self) -> Any:
        """The run of a question just accepted in a new conversation."""
        return self.service.send("assistant_request", self.asking(self.conversation())).body["run"]

    def cancelling(self, run: Any) -> Any:
        return {**self.service._names(run), "mutation_id": new_id()}

    def call(self, operation: str, body: Any) -> str:
        """One call of a client that repeats it, when it fails, until it succeeds. The code of the first answer."""
        self.unfinished.append((operation, body))
        code = "no answer"
        try:
            answer = self.service.send(operation, body)
            code = answer.code
        finally:
            if code not in ("no answer", "busy", "internal_error"):
                self.unfinished.remove((operation, body))
        return code

    def deliver(self) -> str:
        """Whatever message is visible given to a worker. Its failures are the queue's to repeat."""
        return (
            "delivered" if loops.deliver(self.service.sqs, self.service.queues.url, self.service.consumer) else "none"
        )

    def bury(self) -> None:
        queue = self.service.queues.dead_letters_url
        loops.deliver(self.service.sqs, queue, self.service.dead_letters)

    def sweep(self) -> dict[str, int]:
        return self.service.sweep()

    def recover(self) -> None:
        """The faults are over: clients finish what they began, messages come, time passes, sweeps do the rest."""
        unfinished, self.unfinished = self.unfinished, []
        for operation, body in unfinished:
            self.call(operation, body)
        assert not self.unfinished
        for _ in range(6):
            while self.deliver() == "delivered":
                pass
            self.bury()
            while self.sweep():
                pass
            if not self.due():
                return
            self.service.time.now += LONG_ENOUGH

    def due(self) -> list[Any]:
        """Runs that are not at rest."""
        return [item for item in self.service.items() if "fence" in item and "due_at" in item]

    def faults(self) -> dict[str, list[str]]:
        """What is not as it must be after recovery and, at the end, after the day; each by the promise it breaks."""
        held = self.service.items()
        found = [record for record in map(_record, held) if record]
        runs = [run for run in found if type(run) is records.Run]
        conversations = {head.id: head for head in found if isinstance(head, records.Conversation)}
        answers = {item["sk"]["S"].split("#")[1] for item in held if item["sk"]["S"].endswith("#A")}
        broken: dict[str, list[str]] = {
            "generated twice": [f"question {number}" for number, times in self.generated.items() if times > 1],
            "left open": [run.status for run in runs if transitions.is_open(run) or run.due_at or run.unsettled],
            "answer and status differ": [
                run.status
                for run in runs
                if (run.id in answers) is not (run.status == "completed")
                and not conversations[run.conversation_id].deleted_at
                and self.service.time.now < run.expires_at
            ],
            "revisions": [
                f"{head.revision} after {len(head.messages)} messages"
                for head in conversations.values()
                if head.revision != 1 + len(head.messages) + bool(head.archived_at)
            ],
            "accepted twice": [name for name, n in Counter(run.mutation_id for run in runs).items() if n > 1],
            "budget": _budget([one for one in found if isinstance(one, records.Budget)], runs),
        }
        return {promise: cases for promise, cases in broken.items() if cases}

    def lost(self) -> list[int]:
        """Questions whose valid answer reached a worker and was not kept, though nobody had ended the run."""
        ended = ("cancelled", "expired")
        kept = {item["sk"]["S"].split("#")[1] for item in self.service.items() if item["sk"]["S"].endswith("#A")}
        lost = []
        for item in self.service.items():
            record = _record(item)
            if type(record) is records.Run and record.id not in kept and record.status not in ended:
                ref = records.question(record.conversation_id, record.id)
                question = self.service.store.fetch(ref)[ref]
                number = int(QUESTION.findall(question.text)[0]) if question else 0
                lost += [number] if number in self.replies else []
        return lost

    def outcome(self) -> str:
        """How the runs ended, for the table."""
        ends = [run for run in map(_record, self.service.items()) if type(run) is records.Run]
        return ", ".join(sorted(run.failure_code or run.status for run in ends)) or "-"

    def past_the_day(self) -> int:
        """How much of what was said is found when its 24 hours are over and a sweep has been."""
        self.service.time.pass_(hours=24)
        for _ in range(3):
            while self.sweep():
                pass
            self.service.time.now += LONG_ENOUGH
        table = self.service.environment["TABLE_NAME"]
        found = retention.report(retention.scan(self.service.dynamodb, table), self.service.time.now)
        return found.awaiting_sweep + found.unbounded + found.withdrawn_texts + found.unknown

    def forget(self) -> None:
        """Leave no table behind: moto copies what it holds at every transaction."""
        self.service.dynamodb.delete_table(TableName=self.service.environment["TABLE_NAME"])
        for url in (self.service.queues.url, self.service.queues.dead_letters_url):
            self.service.sqs.delete_queue(QueueUrl=url)


def _budget(days: list[records.Budget], runs: list[records.Run]) -> list[str]:
    used = sum(day.runs for day in days), sum(day.tokens for day in days)
    told = len(runs), sum(run.spent or 0 for run in runs)
    return [] if used == told else [f"{used} used for {told}"]


def _record(item: Any) -> Any:
    ref = items.ref(item)
    return items.record(ref.kind, item) if ref and ref.kind in _KINDS else None

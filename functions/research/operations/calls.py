"""The one way in: a named operation, a token and a JSON value, whatever protocol brought them."""

from collections.abc import Callable
from typing import Any

from research.operations.arguments import parse
from research.operations.callers import Caller, Visit
from research.operations.citations import CitationReader
from research.operations.conversations import Conversations
from research.operations.outcomes import Outcome
from research.operations.ports import Busy, RunQueue, Store
from research.operations.reading import Policy
from research.operations.runs import Runs
from research.rules import access
from research.words import contract
from research.words.catalogue import Operation
from research.words.clock import Clock
from research.words.contract import Arguments
from research.words.problems import Problem


class Calls:
    """Every public operation over one store and queue."""

    def __init__(self, store: Store, queue: RunQueue, policy: Policy, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        conversations = Conversations(store, policy)
        runs = Runs(store, queue, policy)
        self._operations: dict[str, tuple[type[Arguments], Callable[[Visit, Any], Outcome]]] = {
            "conversations_create": (contract.CreateArguments, conversations.create),
            "conversations_get": (contract.GetArguments, conversations.get),
            "assistant_request": (contract.RequestArguments, runs.request),
            "assistant_status": (contract.StatusArguments, runs.status),
            "sentiment_request": (contract.SentimentArguments, runs.request),
            "citations_get": (contract.CitationsArguments, CitationReader(store, policy).get),
        }

    def call(self, operation: Operation, token: str | None, value: object) -> Outcome:
        """What the operation makes of a JSON value.

        Raises Problem; an invalid token is reported before anything else that is wrong with the call.
        """
        model, act = self._operations[operation.name]
        caller = Caller.of(token)
        try:
            arguments = parse(model, value)
        except Problem as invalid:
            raise self.objection(token, invalid) from None
        try:
            return act(Visit(caller, operation, arguments.workspace_id, self._clock()), arguments)
        except Busy:
            raise Problem("busy") from None

    def objection(self, token: str | None, invalid: Problem) -> Problem:
        """What is to be said of a call whose arguments are invalid: that, or that its token is."""
        caller = Caller.of(token)
        try:
            access.authenticate(self._store.fetch(caller.ref())[caller.ref()], self._clock())
        except Problem as unauthenticated:
            return unauthenticated
        except Busy:
            return Problem("busy")
        return invalid

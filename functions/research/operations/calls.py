"""The one way in: a named operation, a token and a JSON value, whatever protocol brought them."""

from collections.abc import Callable
from typing import Any

from research.operations.arguments import parse
from research.operations.callers import Caller, Visit
from research.operations.cancelling import Cancelling
from research.operations.citations import CitationReader
from research.operations.closing import Closing
from research.operations.conversations import Conversations
from research.operations.finding import Finding
from research.operations.importing import Importing
from research.operations.outcomes import Outcome
from research.operations.ports import Busy, EvidenceStore, RunQueue, Store
from research.operations.reading import Policy
from research.operations.runs import Runs
from research.operations.sources import Sources
from research.rules import access
from research.words import contract
from research.words.catalogue import Operation
from research.words.clock import Clock
from research.words.contract import Arguments, Result
from research.words.problems import Problem


class Calls:
    """Every public operation over one table and queue."""

    def __init__(self, store: Store, evidence: EvidenceStore, queue: RunQueue, policy: Policy, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        conversations, runs = Conversations(store, policy), Runs(store, queue, policy)
        finding, closing = Finding(store), Closing(store, policy)
        sources = Sources(evidence, Importing(evidence, clock))
        self._operations: dict[str, Callable[[Visit, Any], Outcome]] = {
            "conversations_create": conversations.create,
            "conversations_get": conversations.get,
            "conversations_list": finding.conversations,
            "conversations_archive": closing.archive,
            "conversations_delete": closing.delete,
            "assistant_request": runs.request,
            "assistant_status": runs.status,
            "assistant_cancel": Cancelling(store, policy).cancel,
            "sentiment_request": runs.request,
            "citations_get": CitationReader(store, policy).get,
            "projects_list": finding.projects,
            "evidence_list": finding.evidence,
            "evidence_get": finding.text,
            "sources_import": sources.import_,
            "sources_withdraw": sources.withdraw,
        }

    def call(self, operation: Operation, token: str | None, value: object, audited: dict[str, str]) -> Outcome:
        """What the operation makes of a JSON value, or of the problem that there is instead of one.

        Raises Problem; an invalid token is reported before anything else that is wrong with the call. `audited` is
        given the ids of who calls, or claims to, and what about.
        """
        caller = Caller.of(token)
        audited["principal_id"] = caller.principal_id
        try:
            arguments = self._arguments(caller, contract.MODELS[operation.name][0], value)
            audited.update(_named(arguments))
            visit = Visit(caller, operation, arguments.workspace_id, self._clock())
            outcome = self._operations[operation.name](visit, arguments)
        except Busy:
            raise Problem("busy") from None
        audited.update(_made(outcome.result))
        return outcome

    def authenticate(self, token: str | None) -> str:
        """The token, if it is valid. Raises `unauthenticated`."""
        caller = Caller.of(token)
        try:
            access.authenticate(self._store.fetch(caller.ref())[caller.ref()], self._clock())
        except Busy:
            raise Problem("busy") from None
        return str(token)

    def _arguments(self, caller: Caller, model: type[Arguments], value: object) -> Arguments:
        """The arguments. Raises `invalid_request`, but `unauthenticated` to whom nothing is to be said about them."""
        try:
            return parse(model, value)
        except Problem:
            access.authenticate(self._store.fetch(caller.ref())[caller.ref()], self._clock())
            raise


def _named(arguments: Arguments) -> dict[str, str]:
    """What a call is about: ids only, which hold nothing that anybody wrote."""
    named = {name: str(content) for name, content in arguments if name.endswith("_id") and content is not None}
    if isinstance(arguments, contract.CreateArguments):
        named["project_id"] = arguments.context.project_id
    if isinstance(arguments, contract.WithdrawArguments):
        named["evidence_ids"] = " ".join(arguments.evidence_ids)
    return named


def _made(result: Result) -> dict[str, str]:
    """The ids that only the result tells: a new conversation's, a new run's."""
    if isinstance(result, contract.ConversationResult):
        return {"conversation_id": result.conversation.id}
    if isinstance(result, contract.RunResult):
        return {"run_id": result.run.id}
    return {}

"""The one way in: a named operation, a token and a JSON value, whatever protocol brought them."""

from collections.abc import Callable
from typing import Any

from research.operations.arguments import parse
from research.operations.callers import Caller, Visit
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
        self._operations: dict[str, tuple[type[Arguments], Callable[[Visit, Any], Outcome]]] = {
            "conversations_create": (contract.CreateArguments, conversations.create),
            "conversations_get": (contract.GetArguments, conversations.get),
            "conversations_list": (contract.ConversationsListArguments, finding.conversations),
            "conversations_archive": (contract.ArchiveArguments, closing.archive),
            "conversations_delete": (contract.DeleteArguments, closing.delete),
            "assistant_request": (contract.RequestArguments, runs.request),
            "assistant_status": (contract.StatusArguments, runs.status),
            "sentiment_request": (contract.SentimentArguments, runs.request),
            "citations_get": (contract.CitationsArguments, CitationReader(store, policy).get),
            "projects_list": (contract.ProjectsListArguments, finding.projects),
            "evidence_list": (contract.EvidenceListArguments, finding.evidence),
            "evidence_get": (contract.EvidenceGetArguments, finding.text),
            "sources_import": (contract.ImportArguments, sources.import_),
            "sources_withdraw": (contract.WithdrawArguments, sources.withdraw),
        }

    def call(self, operation: Operation, token: str | None, value: object, audited: dict[str, str]) -> Outcome:
        """What the operation makes of a JSON value, or of the problem that there is instead of one.

        Raises Problem; an invalid token is reported before anything else that is wrong with the call. `audited` is
        given the ids of who calls, or claims to, and what about.
        """
        model, act = self._operations[operation.name]
        caller = Caller.of(token)
        audited["principal_id"] = caller.principal_id
        try:
            arguments = self._arguments(caller, model, value)
            audited.update(_named(arguments))
            outcome = act(Visit(caller, operation, arguments.workspace_id, self._clock()), arguments)
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

"""What each operation takes and gives, by its name."""

from research.words.contract.arguments import (
    ArchiveArguments,
    Arguments,
    CancelArguments,
    CitationsArguments,
    ConversationsListArguments,
    CreateArguments,
    DeleteArguments,
    EvidenceGetArguments,
    EvidenceListArguments,
    GetArguments,
    ImportArguments,
    ProjectsListArguments,
    RequestArguments,
    SentimentArguments,
    StatusArguments,
    WithdrawArguments,
)
from research.words.contract.lists import (
    ConversationsListResult,
    DeleteResult,
    EvidenceGetResult,
    EvidenceListResult,
    ImportResult,
    ProjectsListResult,
    WithdrawResult,
)
from research.words.contract.results import CitationsResult, ConversationResult, Result, RunResult

MODELS: dict[str, tuple[type[Arguments], type[Result]]] = {
    "conversations_create": (CreateArguments, ConversationResult),
    "conversations_get": (GetArguments, ConversationResult),
    "assistant_request": (RequestArguments, RunResult),
    "assistant_status": (StatusArguments, RunResult),
    "assistant_cancel": (CancelArguments, RunResult),
    "sentiment_request": (SentimentArguments, RunResult),
    "citations_get": (CitationsArguments, CitationsResult),
    "conversations_list": (ConversationsListArguments, ConversationsListResult),
    "conversations_archive": (ArchiveArguments, ConversationResult),
    "conversations_delete": (DeleteArguments, DeleteResult),
    "projects_list": (ProjectsListArguments, ProjectsListResult),
    "evidence_list": (EvidenceListArguments, EvidenceListResult),
    "evidence_get": (EvidenceGetArguments, EvidenceGetResult),
    "sources_import": (ImportArguments, ImportResult),
    "sources_withdraw": (WithdrawArguments, WithdrawResult),
}

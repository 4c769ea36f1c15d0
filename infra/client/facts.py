"""What a client needs to know of a stack."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from research.words.contract import MAX_EVIDENCE, EvidenceRef


class Facts(BaseModel):
    """Where a stack is, who calls, and what there is to ask about: of the line that `research dev --json` prints."""

    model_config = ConfigDict(frozen=True)

    rest_url: str
    token: Annotated[str, Field(pattern=r"^[!-~]+$")]
    workspace_id: str
    project_id: str
    project_revision: int
    corpus_snapshot_id: str
    evidence: tuple[EvidenceRef, ...]

    def context(self) -> dict[str, Any]:
        """What a conversation is pinned to: as many of the first pieces of evidence as one may have."""
        context = self.model_dump(include={"project_id", "project_revision", "corpus_snapshot_id"})
        return {**context, "evidence": [pinned.model_dump() for pinned in self.evidence[:MAX_EVIDENCE]]}

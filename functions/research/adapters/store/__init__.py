"""The table in DynamoDB. functions/README.md lists its keys."""

from research.adapters.store.dynamodb import DynamoStore
from research.adapters.store.evidence import DynamoEvidenceStore

__all__ = ["DynamoEvidenceStore", "DynamoStore"]

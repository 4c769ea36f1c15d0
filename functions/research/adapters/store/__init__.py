"""The table in DynamoDB. functions/README.md lists its keys."""

from research.adapters.store.dynamodb import DynamoStore

__all__ = ["DynamoStore"]

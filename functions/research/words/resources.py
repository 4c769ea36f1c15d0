"""The AWS resources the service needs, as plain data: the deployment and the local stack are made from these alone.

Free of dependencies. functions/README.md says what the keys hold.
"""

PARTITION_KEY = "pk"
SORT_KEY = "sk"
TTL_ATTRIBUTE = "ttl"
"""Epoch seconds, as DynamoDB's TTL wants them. Nothing is ever decided by it: it only cleans up."""

DUE_INDEX = "due"
DUE_SHARD = "due_shard"
DUE_AT = "due_at"
"""The sparse index of due work: shard (string), then epoch milliseconds (number). Only keys are projected."""

DUE_SHARDS = tuple("0123")
"""Due work is spread over this many partitions, so that a busy minute does not throttle the table."""

VISIBILITY_SECONDS = 720
"""Six times the worker's timeout, as AWS asks for: docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html."""

MAX_RECEIVES = 10
"""Deliveries of one message before it is set aside. Refusals are counted on the run, which ends long before."""

QUEUE_RETENTION_SECONDS = 23 * 3600
"""Messages carry ids only, and even those go before the conversation does."""

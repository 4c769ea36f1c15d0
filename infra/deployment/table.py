"""The table: on demand, encrypted, bounded in what it can cost, and gone with the stack."""

from aws_cdk import RemovalPolicy
from aws_cdk.aws_dynamodb import (
    Attribute,
    AttributeType,
    Billing,
    GlobalSecondaryIndexPropsV2,
    PointInTimeRecoverySpecification,
    ProjectionType,
    TableEncryptionV2,
    TableV2,
)
from constructs import Construct

from research.words import resources

READ_UNITS = 4000
WRITE_UNITS = 2000
"""Request units a second at most: a stop for costs, far above what the API's throttle lets through."""


class Table(Construct):
    """One table with its index of due work.

    No point-in-time recovery, stream, replica or insights: each would keep or show content past its 24 hours.
    """

    def __init__(self, scope: Construct, name: str) -> None:
        super().__init__(scope, name)
        self.table = TableV2(
            self,
            "Table",
            partition_key=_key(resources.PARTITION_KEY, AttributeType.STRING),
            sort_key=_key(resources.SORT_KEY, AttributeType.STRING),
            time_to_live_attribute=resources.TTL_ATTRIBUTE,
            billing=Billing.on_demand(max_read_request_units=READ_UNITS, max_write_request_units=WRITE_UNITS),
            encryption=TableEncryptionV2.aws_managed_key(),
            point_in_time_recovery_specification=PointInTimeRecoverySpecification(point_in_time_recovery_enabled=False),
            global_secondary_indexes=[
                GlobalSecondaryIndexPropsV2(
                    index_name=resources.DUE_INDEX,
                    partition_key=_key(resources.DUE_SHARD, AttributeType.STRING),
                    sort_key=_key(resources.DUE_AT, AttributeType.NUMBER),
                    projection_type=ProjectionType.KEYS_ONLY,
                    max_read_request_units=READ_UNITS,
                    max_write_request_units=WRITE_UNITS,
                )
            ],
            removal_policy=RemovalPolicy.DESTROY,
        )
        self.arn = self.table.table_arn
        self.index_arn = f"{self.arn}/index/{resources.DUE_INDEX}"


def _key(name: str, kind: AttributeType) -> Attribute:
    return Attribute(name=name, type=kind)

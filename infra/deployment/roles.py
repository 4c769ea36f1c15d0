"""What each function may do: exactly what functions.py says, on exactly the resources of this stack."""

from dataclasses import dataclass, fields

from aws_cdk import Acknowledgment, Validations
from aws_cdk.aws_iam import IRole, PolicyDocument, PolicyStatement, Role, ServicePrincipal
from aws_cdk.aws_logs import LogGroup
from constructs import Construct

from infra.deployment.functions import Function

_TRACING = ["xray:PutTraceSegments", "xray:PutTelemetryRecords"]
_WRITING_LOGS = ["logs:CreateLogStream", "logs:PutLogEvents"]


@dataclass(frozen=True, slots=True)
class Resources:
    """ARNs by the names of `Permissions`; no secret where none was named."""

    table: str
    index: str
    queue: str
    dead_letters: str
    secret: str | None


def role(scope: Construct, function: Function, log_group: LogGroup, resources: Resources) -> IRole:
    """The function's own role. Its statements are named for what they are on; CDK adds none of its own."""
    statements = [
        _statement("Logs", _WRITING_LOGS, log_group.log_group_arn),
        _statement("Tracing", _TRACING, "*"),
    ]
    for field in fields(function.permissions):
        actions = sorted(getattr(function.permissions, field.name))
        arn = getattr(resources, field.name)
        if actions and arn:
            statements.append(_statement(field.name.title().replace("_", ""), actions, arn))
    made = Role(
        scope,
        "Role",
        assumed_by=ServicePrincipal("lambda.amazonaws.com"),
        description=f"What {function.name} may do",
        inline_policies={"Function": PolicyDocument(statements=statements)},
    )
    reason = "X-Ray has no resources to name: both actions can only be allowed on all."
    Validations.of(made).acknowledge(Acknowledgment(id="AwsSolutions-IAM5[Resource::*]", reason=reason))
    return made.without_policy_updates()


def _statement(sid: str, actions: list[str], arn: str) -> PolicyStatement:
    return PolicyStatement(sid=sid, actions=actions, resources=[arn])

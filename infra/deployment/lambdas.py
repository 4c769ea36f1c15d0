"""The functions: each with a role, a log group and an alias `live` of its own."""

from collections.abc import Mapping

from aws_cdk import Duration, RemovalPolicy
from aws_cdk import aws_lambda as lambda_
from aws_cdk.aws_logs import LogGroup, RetentionDays
from constructs import Construct

from infra.deployment.code import ARCHITECTURE, RUNTIME, FunctionCode
from infra.deployment.functions import FUNCTIONS, Function
from infra.deployment.roles import Resources, role

LOGS_KEPT = RetentionDays.TWO_WEEKS
ALIAS = "live"


class LambdaFunction(Construct):
    """One function as functions.py describes it. `live` is what is called; `function` what is measured."""

    def __init__(
        self,
        scope: Construct,
        name: str,
        made_of: FunctionCode,
        spec: Function,
        resources: Resources,
        variables: Mapping[str, str],
    ) -> None:
        super().__init__(scope, name)
        self.logs = LogGroup(self, "Logs", retention=LOGS_KEPT, removal_policy=RemovalPolicy.DESTROY)
        self.function = lambda_.Function(
            self,
            "Function",
            description=f"Cited Research: {spec.name}",
            runtime=RUNTIME,
            architecture=ARCHITECTURE,
            code=made_of.code,
            layers=[made_of.layers[spec.layer]],
            handler=spec.handler,
            timeout=Duration.seconds(int(spec.timeout.total_seconds())),
            memory_size=spec.memory,
            environment={variable: variables[variable] for variable in spec.environment},
            role=role(self, spec, self.logs, resources),
            log_group=self.logs,
            logging_format=lambda_.LoggingFormat.JSON,
            application_log_level_v2=lambda_.ApplicationLogLevel.INFO,
            system_log_level_v2=lambda_.SystemLogLevel.WARN,
            tracing=lambda_.Tracing.ACTIVE,
        )
        self.live = lambda_.Alias(self, "Live", alias_name=ALIAS, version=self.function.current_version)


class Lambdas(Construct):
    """All functions, by name."""

    def __init__(
        self, scope: Construct, name: str, made_of: FunctionCode, resources: Resources, variables: Mapping[str, str]
    ) -> None:
        super().__init__(scope, name)
        self.by_name = {
            spec.name: LambdaFunction(self, camel_case(spec.name), made_of, spec, resources, variables)
            for spec in FUNCTIONS
        }

    def __getitem__(self, spec: Function) -> LambdaFunction:
        """The function that was made of this description."""
        return self.by_name[spec.name]


def camel_case(name: str) -> str:
    """`conversations_create` as CloudFormation names things: ConversationsCreate."""
    return name.title().replace("_", "")

"""The stack: every part of the service in one AWS account and region, and what others need to know of it."""

from aws_cdk import CfnOutput, Stack
from aws_cdk.aws_secretsmanager import Secret
from constructs import Construct

from infra.deployment.alarms import Alarms
from infra.deployment.api import Api
from infra.deployment.code import FunctionCode
from infra.deployment.context import Context
from infra.deployment.dashboard import Dashboard
from infra.deployment.lambdas import Lambdas
from infra.deployment.metrics import Metrics
from infra.deployment.queues import Queues
from infra.deployment.roles import Resources
from infra.deployment.table import Table
from infra.deployment.triggers import Triggers


class CitedResearch(Stack):
    """One deployment. Nothing in it outlives it."""

    def __init__(self, scope: Construct, context: Context) -> None:
        super().__init__(
            scope,
            context.stack_name,
            description="Cited Research: answers kept only when their citations hold",
            tags={"project": "cited-research", "stage": context.stage},
        )
        table, queues = Table(self, "Store"), Queues(self, "Queues")
        secret_arn = self._secret_arn(context)
        resources = Resources(
            table=table.arn,
            index=table.index_arn,
            queue=queues.runs.queue_arn,
            dead_letters=queues.dead_letters.queue_arn,
            secret=secret_arn and f"{secret_arn}-??????",  # Secrets Manager ends an ARN with six characters of its own
        )
        variables = {
            "TABLE_NAME": table.table.table_name,
            "QUEUE_URL": queues.runs.queue_url,
            "DAILY_RUNS": str(context.daily_runs),
            "DAILY_TOKENS": str(context.daily_tokens),
            "GEMINI_SECRET": context.gemini_secret or "",
            "GEMINI_MODEL": context.gemini_model,
            "ALLOWED_ORIGINS": " ".join(context.allowed_origins),
        }
        lambdas = Lambdas(self, "Functions", FunctionCode(self, "Code"), resources, variables)
        Triggers(self, "Triggers", lambdas, queues, context.generate_concurrency)
        api = Api(self, "Api", lambdas, context.allowed_origins)
        metrics = Metrics(self, "Metrics", api, lambdas, queues, table)
        alarms = Alarms(self, "Alarms", metrics, context.alarm_email)
        dashboard = Dashboard(self, "Dashboard", metrics, alarms)
        outputs = {
            "ApiUrl": api.url,
            "McpUrl": f"{api.url}/mcp",
            "TableName": table.table.table_name,
            "QueueUrl": queues.runs.queue_url,
            "DeadLetterQueueUrl": queues.dead_letters.queue_url,
            "GeminiModel": context.gemini_model,
            "DashboardUrl": dashboard.url,
            "AlarmTopicArn": alarms.topic.topic_arn,
        }
        for name, value in (outputs | ({"GeminiSecretArn": secret_arn} if secret_arn else {})).items():
            CfnOutput(self, name, value=value)

    def _secret_arn(self, context: Context) -> str | None:
        """The ARN of the team's secret without its last six characters, which only Secrets Manager knows."""
        if context.gemini_secret is None:
            return None
        return Secret.from_secret_name_v2(self, "GeminiSecret", context.gemini_secret).secret_arn

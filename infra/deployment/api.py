"""The HTTP API: a route for each operation, the rest to `unrouted`; throttled, and logged without content."""

import json

import jsii
from aws_cdk import Acknowledgment, RemovalPolicy, Stack, Validations
from aws_cdk.aws_apigateway import AccessLogFormat
from aws_cdk.aws_apigatewayv2 import (
    CorsHttpMethod,
    CorsPreflightOptions,
    HttpApi,
    HttpMethod,
    HttpRoute,
    HttpRouteKey,
    HttpStage,
    IAccessLogSettings,
    LogGroupLogDestination,
    ThrottleSettings,
)
from aws_cdk.aws_apigatewayv2_integrations import HttpLambdaIntegration
from aws_cdk.aws_logs import LogGroup
from constructs import Construct

from infra.deployment.functions import DEFAULT_ROUTE, FUNCTIONS
from infra.deployment.lambdas import LOGS_KEPT, Lambdas, camel_case

RATE, BURST = 50, 100
"""Requests a second, over all callers; more are answered 429 by API Gateway."""

ACCESS_LOG = {
    "requestId": "$context.requestId",
    "time": "$context.requestTime",
    "route": "$context.routeKey",
    "status": "$context.status",
    "bytes": "$context.responseLength",
    "ms": "$context.responseLatency",
    "functionStatus": "$context.integrationStatus",
    "functionMs": "$context.integrationLatency",
    "failure": "$context.error.responseType",
}
"""Neither who called nor from where, no address's query and no header."""

_SENT = ["authorization", "content-type", "mcp-protocol-version", "mcp-method", "mcp-name"]
_SHOWN = ["request-id", "idempotent-replay", "retry-after", "www-authenticate"]


@jsii.implements(IAccessLogSettings)
class _AccessLogs:
    """Access logs as JSON lines."""

    def __init__(self, logs: LogGroup) -> None:
        self._destination = LogGroupLogDestination(logs)
        self._format = AccessLogFormat.custom(json.dumps(ACCESS_LOG))

    @property
    def destination(self) -> LogGroupLogDestination:
        return self._destination

    @property
    def format(self) -> AccessLogFormat:
        return self._format


class Api(Construct):
    """Authentication is in the functions, so that a revoked token is refused from the next call on."""

    def __init__(self, scope: Construct, name: str, lambdas: Lambdas, allowed_origins: tuple[str, ...]) -> None:
        super().__init__(scope, name)
        stack = Stack.of(self).stack_name
        cors = _cors(allowed_origins) if allowed_origins else None
        self.api = HttpApi(self, "Http", api_name=stack, create_default_stage=False, cors_preflight=cors)
        logs = LogGroup(
            self,
            "AccessLogs",
            log_group_name=f"/aws/vendedlogs/{stack}",
            retention=LOGS_KEPT,
            removal_policy=RemovalPolicy.DESTROY,
        )
        HttpStage(
            self,
            "Stage",
            http_api=self.api,
            stage_name="$default",
            auto_deploy=True,
            throttle=ThrottleSettings(rate_limit=RATE, burst_limit=BURST),
            access_log_settings=_AccessLogs(logs),
        )
        self.url = self.api.api_endpoint
        for function in FUNCTIONS:
            integration = HttpLambdaIntegration(camel_case(function.name), lambdas[function].live)
            for number, route in enumerate(function.routes):
                self._route(f"{camel_case(function.name)}{number or ''}", route, integration)

    def _route(self, name: str, route: str, integration: HttpLambdaIntegration) -> None:
        made = HttpRoute(self, name, http_api=self.api, route_key=_key(route), integration=integration)
        reason = "The function itself checks the bearer token, so that revoking one works at once."
        if route == DEFAULT_ROUTE:
            reason = "It answers 404 to everybody, and may read nothing."
        Validations.of(made).acknowledge(Acknowledgment(id="AwsSolutions-APIG4", reason=reason))


def _key(route: str) -> HttpRouteKey:
    if route == DEFAULT_ROUTE:
        return HttpRouteKey.DEFAULT
    return HttpRouteKey.with_(route.removeprefix("ANY "), HttpMethod.ANY)


def _cors(origins: tuple[str, ...]) -> CorsPreflightOptions:
    return CorsPreflightOptions(
        allow_origins=list(origins), allow_methods=[CorsHttpMethod.POST], allow_headers=_SENT, expose_headers=_SHOWN
    )

"""The functions, what calls them and what they are told: made from the one table of operations."""

import json
from pathlib import Path
from typing import Any

import pytest

from infra.bundles import LAMBDA
from infra.commands.admin.targets import MODEL_OUTPUT, SECRET_OUTPUT, TABLE_OUTPUT
from infra.deployment.functions import FUNCTIONS
from infra.local.gateway import TIMEOUT_SECONDS
from research.rules.transitions import FUNCTION_TIMEOUT
from research.wiring import Settings
from research.words.catalogue import OPERATIONS
from tests.infra.template import Template

HANDLERS = Path(__file__).parents[2] / "functions" / "handlers"
NAMES = [function.name for function in FUNCTIONS]
NEVER_DEPLOYED = {
    "GEMINI_API_KEY",
    "GEMINI_BASE_URL",
    "BACKOFF_FIRST",
    "BACKOFF_LONGEST",
    "SOSOAPI_PROFILE",
    "SOSOAPI_OUTPUT_SCHEMAS",
}
"""What the code reads for the local stack and for tests; in a deployment the code's own defaults hold."""


def test_every_handler_is_a_function_and_every_function_has_its_handler(plain: Template) -> None:
    files = {path.stem for path in HANDLERS.glob("[!_]*.py")}

    assert set(plain.functions()) == files
    assert set(NAMES) == files


@pytest.mark.parametrize("function", FUNCTIONS, ids=NAMES)
def test_a_function_is_deployed_as_it_is_described(plain: Template, function: Any) -> None:
    made = plain.functions()[function.name]
    layers = {properties["Description"]: name for name, properties in plain.of("Lambda::LayerVersion").items()}

    assert made["Handler"] == f"handlers.{function.name}.handler"
    assert (made["Runtime"], made["Architectures"]) == ("python3.14", ["arm64"])
    assert (made["Timeout"], made["MemorySize"]) == (function.timeout.total_seconds(), function.memory)
    assert made["Layers"] == [{"Ref": layers[f"Libraries of {function.layer}"]}]
    assert plain.variables(function.name).keys() == set(function.environment)
    assert made["TracingConfig"] == {"Mode": "Active"}
    logging = made["LoggingConfig"]
    assert (logging["LogFormat"], logging["ApplicationLogLevel"]) == ("JSON", "INFO")
    assert logging["LogGroup"]["Ref"] in plain.of("Logs::LogGroup")
    assert "FunctionName" not in made


def test_all_functions_are_made_of_one_code_asset_and_three_layers_for_the_same_machine(plain: Template) -> None:
    layers = plain.of("Lambda::LayerVersion").values()

    assert len({json.dumps(made["Code"]) for made in plain.functions().values()}) == 1
    assert len(layers) == len({json.dumps(layer["Content"]) for layer in layers}) == 3
    assert {(*layer["CompatibleArchitectures"], *layer["CompatibleRuntimes"]) for layer in layers} == {
        ("arm64", "python3.14")
    }


def test_layers_are_built_for_the_machine_that_they_are_deployed_to(plain: Template) -> None:
    machines = {(*made["Architectures"], made["Runtime"]) for made in plain.functions().values()}

    assert machines == {("arm64", f"python{LAMBDA.python}")}
    assert LAMBDA.platform.startswith("aarch64-")


def test_no_time_limit_is_beyond_that_of_what_waits_for_it(plain: Template) -> None:
    limits = {name: made["Timeout"] for name, made in plain.functions().items()}

    assert limits["generate"] == FUNCTION_TIMEOUT.total_seconds()
    assert limits["sweep"] <= 60
    assert {limits[function.name] for function in FUNCTIONS if function.routes} == {TIMEOUT_SECONDS}


def test_every_call_goes_to_the_alias_live(plain: Template) -> None:
    aliases = plain.of("Lambda::Alias")
    called = [
        *(properties["IntegrationUri"] for properties in plain.of("ApiGatewayV2::Integration").values()),
        *(target["Arn"] for target in plain.one("Events::Rule")["Targets"]),
        *(properties["FunctionName"] for properties in plain.of("Lambda::Permission").values()),
    ]

    assert [alias["Name"] for alias in aliases.values()] == ["live"] * len(FUNCTIONS)
    assert {uri["Ref"] for uri in called} <= set(aliases)
    for mapping in plain.of("Lambda::EventSourceMapping").values():
        assert json.dumps(mapping["FunctionName"]).endswith('":live"]]}')


def test_the_routes_are_the_operations_and_mcp_and_the_rest_is_unrouted(plain: Template) -> None:
    routes = {route["RouteKey"]: route for route in plain.of("ApiGatewayV2::Route").values()}

    expected = {f"ANY {operation.path}": operation.name for operation in OPERATIONS}
    expected |= {"ANY /mcp": "mcp_endpoint", "ANY /mcp/{proxy+}": "mcp_endpoint", "$default": "unrouted"}
    assert {key: behind(plain, route) for key, route in routes.items()} == expected
    assert {route["AuthorizationType"] for route in routes.values()} == {"NONE"}


def behind(template: Template, route: dict[str, Any]) -> str:
    """The function that a route leads to."""
    integration = template.resources[route["Target"]["Fn::Join"][1][1]["Ref"]]["Properties"]
    assert (integration["IntegrationType"], integration["PayloadFormatVersion"]) == ("AWS_PROXY", "2.0")
    alias = template.resources[integration["IntegrationUri"]["Ref"]]["Properties"]
    made = template.resources[alias["FunctionName"]["Ref"]]["Properties"]
    return str(made["Handler"].split(".")[1])


def test_the_queues_bring_one_message_at_a_time_and_no_more_at_once_than_was_chosen(
    plain: Template, chosen: Template
) -> None:
    for template, at_once in ((plain, {2, 10}), (chosen, {2, 3})):
        mappings = template.of("Lambda::EventSourceMapping").values()
        assert {mapping["ScalingConfig"]["MaximumConcurrency"] for mapping in mappings} == at_once
        for mapping in mappings:
            assert mapping["BatchSize"] == 1
            assert mapping["FunctionResponseTypes"] == ["ReportBatchItemFailures"]


def test_the_sweep_runs_each_minute_and_is_never_repeated(plain: Template) -> None:
    rule = plain.one("Events::Rule")
    (target,) = rule["Targets"]
    later = plain.one("Lambda::EventInvokeConfig")

    assert (rule["ScheduleExpression"], rule["State"]) == ("rate(1 minute)", "ENABLED")
    assert target["RetryPolicy"]["MaximumRetryAttempts"] == later["MaximumRetryAttempts"] == 0


def test_functions_are_told_exactly_what_the_code_reads() -> None:
    told = {name for function in FUNCTIONS for name in function.environment}
    read = Recorded()
    Settings.from_environment(read)

    assert told | NEVER_DEPLOYED == read.names
    assert not told & NEVER_DEPLOYED


def test_no_function_lacks_a_variable_that_it_cannot_start_without() -> None:
    for function in FUNCTIONS:
        if function.name != "unrouted":
            Settings.from_environment(dict.fromkeys(function.environment, "1"))


class Recorded(dict[str, str]):
    """An environment that notes every name it is asked for."""

    def __init__(self) -> None:
        super().__init__(TABLE_NAME="table", QUEUE_URL="queue")
        self.names: set[str] = set()

    def __getitem__(self, name: str) -> str:
        self.names.add(name)
        return super().__getitem__(name)

    def get(self, name: str, default: Any = None) -> Any:
        self.names.add(name)
        return super().get(name, default)


def test_what_was_chosen_reaches_the_functions(chosen: Template) -> None:
    assert chosen.variables("generate") | chosen.variables("mcp_endpoint") == {
        "TABLE_NAME": chosen.document["Outputs"]["TableName"]["Value"],
        "QUEUE_URL": chosen.document["Outputs"]["QueueUrl"]["Value"],
        "GEMINI_SECRET": "team/gemini",
        "GEMINI_MODEL": "gemini-9-pro",
        "DAILY_RUNS": "7",
        "DAILY_TOKENS": "8000",
        "ALLOWED_ORIGINS": "https://app.example.com http://localhost:3000",
    }


def test_without_a_secret_everything_is_deployed_and_says_that_nothing_is_configured(plain: Template) -> None:
    for function in FUNCTIONS:
        assert plain.variables(function.name).get("GEMINI_SECRET", "") == ""
    assert SECRET_OUTPUT not in plain.document["Outputs"]


def test_the_outputs_are_what_people_and_the_admin_commands_look_for(chosen: Template) -> None:
    outputs = {name: output["Value"] for name, output in chosen.document["Outputs"].items()}

    assert outputs.keys() == {
        "ApiUrl",
        "McpUrl",
        "TableName",
        "QueueUrl",
        "DeadLetterQueueUrl",
        "GeminiSecretArn",
        "GeminiModel",
        "DashboardUrl",
        "AlarmTopicArn",
    }
    assert {TABLE_OUTPUT, SECRET_OUTPUT, MODEL_OUTPUT} < outputs.keys()
    assert outputs["GeminiModel"] == "gemini-9-pro"
    assert json.dumps(outputs["McpUrl"]).endswith('"/mcp"]]}')

"""What a person is called for, and that each alarm watches something that really is measured."""

import json
from typing import Any

from tests.infra.template import Template

OF_AWS = {
    "AWS/Lambda": {"Errors", "Invocations"},
    "AWS/SQS": {"ApproximateAgeOfOldestMessage"},
    "AWS/ApiGateway": {"5xx"},
    "AWS/DynamoDB": {"ReadThrottleEvents", "WriteThrottleEvents"},
}
"""Metrics that AWS documents, by namespace."""


def alarms(template: Template) -> dict[str, dict[str, Any]]:
    """Every alarm by its name without the stack's."""
    found = template.of("CloudWatch::Alarm").values()
    return {alarm["AlarmName"].removeprefix("cited-research-dev-"): alarm for alarm in found}


def watched(alarm: dict[str, Any]) -> list[dict[str, Any]]:
    """The metrics of an alarm, whichever of its forms it is written in."""
    if "Metrics" not in alarm:
        return [alarm]
    return [query["MetricStat"]["Metric"] for query in alarm["Metrics"] if "MetricStat" in query]


def test_every_failure_that_needs_somebody_has_its_alarm(plain: Template) -> None:
    assert alarms(plain).keys() == {
        "DeadLetters",
        "QueueAge",
        "Api5xx",
        "GenerateErrors",
        "GeminiRefuses",
        "GenerationUnconfirmed",
        "TableThrottled",
        "SweepErrors",
        "SweepBehind",
        "SweepSilent",
    }


def test_an_alarm_tells_the_topic_and_says_where_it_is_written_what_to_do(plain: Template) -> None:
    (topic,) = plain.of("SNS::Topic")

    for name, alarm in alarms(plain).items():
        assert alarm["AlarmActions"] == [{"Ref": topic}]
        assert alarm["AlarmDescription"].endswith(f"What to do: infra/README.md, Alarms, {name}.")


def test_an_alarm_watches_a_metric_that_there_is(plain: Template) -> None:
    ours = {
        (made["MetricNamespace"], made["MetricName"])
        for properties in plain.of("Logs::MetricFilter").values()
        for made in properties["MetricTransformations"]
    }
    for alarm in alarms(plain).values():
        for metric in watched(alarm):
            namespace, name = metric["Namespace"], metric["MetricName"]
            assert (namespace, name) in ours or name in OF_AWS[namespace]
            assert namespace.startswith("AWS/") is bool(metric.get("Dimensions"))


def test_dead_letters_are_noticed_though_their_consumer_empties_the_queue(plain: Template) -> None:
    (metric,) = watched(alarms(plain)["DeadLetters"])
    (dimension,) = metric["Dimensions"]

    consumer = plain.resources[dimension["Value"]["Ref"]]["Properties"]["Handler"]
    assert (metric["MetricName"], consumer) == ("Invocations", "handlers.dead_letters.handler")


def test_throttles_of_the_table_and_of_its_index_are_noticed_for_reads_and_for_writes(plain: Template) -> None:
    alarm = alarms(plain)["TableThrottled"]

    seen = {
        (metric["MetricName"], *sorted(dimension["Name"] for dimension in metric["Dimensions"]))
        for metric in watched(alarm)
    }
    assert seen == {
        (name, *dimensions)
        for name in ("ReadThrottleEvents", "WriteThrottleEvents")
        for dimensions in (("TableName",), ("GlobalSecondaryIndexName", "TableName"))
    }
    (expression,) = (query["Expression"] for query in alarm["Metrics"] if "Expression" in query)
    assert expression.count("FILL(") == len(seen)


def test_no_data_is_an_alarm_for_the_sweep_alone(plain: Template) -> None:
    missing = {name: alarm["TreatMissingData"] for name, alarm in alarms(plain).items()}

    assert missing.pop("SweepSilent") == "breaching"
    assert set(missing.values()) == {"notBreaching"}


def test_somebody_is_written_to_only_where_an_address_was_given(plain: Template, chosen: Template) -> None:
    subscription = chosen.one("SNS::Subscription")

    assert plain.of("SNS::Subscription") == {}
    assert (subscription["Protocol"], subscription["Endpoint"]) == ("email", "people@example.com")


def test_the_dashboard_begins_with_every_alarm_and_shows_how_runs_end(plain: Template) -> None:
    body = plain.one("CloudWatch::Dashboard")["DashboardBody"]
    text = "".join(part if isinstance(part, str) else "x" for part in body["Fn::Join"][1])
    first, *rest = json.loads(text)["widgets"]

    assert (first["type"], len(first["properties"]["alarms"])) == ("alarm", len(alarms(plain)))
    shown = json.dumps(rest)
    for name in ("RunsCompleted", "RunsFailed", "RunsUnconfirmed", "RunsRefusedByGemini", "5xx", "p95"):
        assert f'"{name}"' in shown

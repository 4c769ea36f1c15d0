"""What API Gateway does by itself: it throttles, logs nothing about anybody, and answers browsers if it was told to."""

import json
import re

from tests.infra.template import Template

PERSONAL = re.compile(r"sourceIp|userAgent|identity|authorizer|path|query|header|body|host|domain", re.IGNORECASE)


def test_the_api_has_one_stage_without_a_name_in_its_addresses_and_is_throttled(plain: Template) -> None:
    stage = plain.one("ApiGatewayV2::Stage")

    assert (stage["StageName"], stage["AutoDeploy"]) == ("$default", True)
    limits = stage["DefaultRouteSettings"]
    assert 0 < limits["ThrottlingRateLimit"] <= limits["ThrottlingBurstLimit"] <= 100
    assert "RouteSettings" not in stage


def test_the_access_log_is_json_that_says_nothing_about_who_called_or_with_what(plain: Template) -> None:
    settings = plain.one("ApiGatewayV2::Stage")["AccessLogSettings"]
    line = json.loads(settings["Format"])

    assert {"requestId", "route", "status", "ms"} <= line.keys()
    assert all(value.startswith("$context.") for value in line.values())
    assert [value for value in line.values() if PERSONAL.search(value)] == []
    assert settings["DestinationArn"]["Fn::GetAtt"][0] in plain.of("Logs::LogGroup")


def test_only_the_pages_that_were_chosen_may_call_from_a_browser(plain: Template, chosen: Template) -> None:
    cors = chosen.one("ApiGatewayV2::Api")["CorsConfiguration"]

    assert "CorsConfiguration" not in plain.one("ApiGatewayV2::Api")
    assert cors["AllowOrigins"] == ["https://app.example.com", "http://localhost:3000"]
    assert cors["AllowMethods"] == ["POST"]
    assert {"authorization", "content-type", "mcp-protocol-version"} <= set(cors["AllowHeaders"])
    assert "AllowCredentials" not in cors

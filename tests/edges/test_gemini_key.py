"""The key to Gemini in Secrets Manager: when it is read, what it may look like, and what a run without it comes to."""

import json
import logging
from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from botocore.config import Config
from harness.service import Service

from infra.local.aws import LocalAws
from infra.local.aws_faults import Call, Fault, LoseRequest, Refuse, always
from research.adapters.gemini import Gemini
from research.adapters.gemini_key import KEPT_SECONDS, SecretKey
from research.operations.provider import NotGenerated
from research.wiring import Settings
from tests.edges.gemini_calls import PROMPT, generated
from tests.edges.hostile_provider import HostileProvider, answer, refusal

NAME = "team/gemini"
NONE = Config(retries={"total_max_attempts": 1})


class Seconds:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def client(aws: LocalAws, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.setenv("MOTO_ALLOW_NONEXISTENT_REGION", "true")  # botocore lists no region of Secrets Manager for moto
    client = boto3.client("secretsmanager", config=NONE)
    client.create_secret(Name=NAME, SecretString="first-key")
    aws.calls.clear()
    yield client
    client.delete_secret(SecretId=NAME, ForceDeleteWithoutRecovery=True)


def reads(aws: LocalAws) -> int:
    return sum(times for (_, action), times in aws.calls.items() if action == "GetSecretValue")


@pytest.mark.parametrize(
    ("secret", "key"),
    [
        (" a-key\n", "a-key"),
        (json.dumps({"api_key": "a-key"}), "a-key"),
        (json.dumps({"GEMINI_API_KEY": " a-key "}), "a-key"),
        (json.dumps({"api_key": None, "GEMINI_API_KEY": "a-key"}), "a-key"),
        ("[" * 100_000, "[" * 100_000),
    ],
)
def test_a_secret_is_the_key_itself_or_an_object_that_names_it(client: Any, secret: str, key: str) -> None:
    client.put_secret_value(SecretId=NAME, SecretString=secret[:65_000])

    assert SecretKey(client, NAME).read() == key[:65_000]


def test_it_is_read_at_the_first_call_and_kept_for_five_minutes(aws: LocalAws, client: Any) -> None:
    seconds = Seconds()
    key = SecretKey(client, NAME, seconds)
    assert reads(aws) == 0

    read = [key.read(), key.read()]
    client.put_secret_value(SecretId=NAME, SecretString="second-key")
    seconds.now = KEPT_SECONDS - 1
    read.append(key.read())
    seconds.now = KEPT_SECONDS
    read.append(key.read())

    assert (read, reads(aws)) == (["first-key"] * 3 + ["second-key"], 2)


def test_a_key_that_gemini_refuses_is_read_anew_for_the_next_run(client: Any) -> None:
    refused = refusal(403, "PERMISSION_DENIED", "The caller does not have permission.")
    with HostileProvider((refused, answer(200, generated()))) as provider:
        gemini = Gemini(SecretKey(client, NAME, Seconds()), "gemini-3.8-flash", provider.base_url)
        with pytest.raises(NotGenerated, check=lambda error: error.code == "not_configured"):
            gemini.generate(PROMPT, 2)
        client.put_secret_value(SecretId=NAME, SecretString="second-key")
        gemini.generate(PROMPT, 2)

        assert [request.headers["x-goog-api-key"] for request in provider.requests] == ["first-key", "second-key"]


@pytest.mark.parametrize(
    "secret",
    [
        " ",
        "put your key here",
        "{}",
        '["a-key"]',
        '{"password": "a-key"}',
        '{"api_key": null}',
        '{"api_key": ["a-key"]}',
    ],
)
def test_a_secret_that_holds_no_key_is_not_configured_and_nothing_is_sent(
    client: Any, caplog: pytest.LogCaptureFixture, secret: str
) -> None:
    client.put_secret_value(SecretId=NAME, SecretString=secret)
    with HostileProvider((answer(200, generated()),)) as provider:
        gemini = Gemini(SecretKey(client, NAME), "gemini-3.8-flash", provider.base_url)
        with pytest.raises(
            NotGenerated, check=lambda error: (error.code, error.retryable) == ("not_configured", False)
        ):
            gemini.generate(PROMPT, 2)

        assert provider.requests == []
    lines = [vars(line) for line in caplog.records if line.name == "cited-research"]
    assert [(line["message"], line["error"]) for line in lines] == [("secret unreadable", "NoKey")]


@pytest.mark.parametrize(
    ("fault", "code", "retryable"),
    [
        (Refuse("ResourceNotFoundException"), "not_configured", False),
        (Refuse("AccessDeniedException"), "not_configured", False),
        (Refuse("InvalidRequestException"), "not_configured", False),
        (Refuse("ThrottlingException"), "provider_unavailable", True),
        (Refuse("InternalServiceError", status=500), "provider_unavailable", True),
        (Refuse("502", status=502), "provider_unavailable", True),
        (LoseRequest(), "provider_unavailable", True),
    ],
)
def test_a_secret_that_cannot_be_read_proves_that_nothing_was_generated(
    aws: LocalAws, client: Any, caplog: pytest.LogCaptureFixture, fault: Fault, code: str, *, retryable: bool
) -> None:
    with aws.faults(always("GetSecretValue", fault)), pytest.raises(NotGenerated) as refused:
        SecretKey(client, NAME).read()

    assert (refused.value.code, refused.value.retryable) == (code, retryable)
    assert [line.message for line in caplog.records if line.name == "cited-research"] == ["secret unreadable"]


def test_the_key_is_in_no_log_and_no_representation(client: Any, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, "cited-research"):
        key = SecretKey(client, NAME)
        key.read()

    assert "first-key" not in repr(key) + caplog.text


def test_a_deployment_that_names_a_secret_is_configured_and_reads_it_for_no_request(
    aws: LocalAws, service: Service
) -> None:
    service.wire(GEMINI_API_KEY="", GEMINI_SECRET=NAME)
    asked: list[Call] = []

    with aws.faults(asked.append):  # type: ignore[arg-type]
        run = service.asked()

    assert (run["status"], [call.action for call in asked if call.action == "GetSecretValue"]) == ("queued", [])


def test_one_that_names_none_is_not(service: Service) -> None:
    service.wire(GEMINI_API_KEY="", GEMINI_SECRET="")

    assert service.asked()["failure_code"] == "not_configured"
    assert not Settings.from_environment({"TABLE_NAME": "t", "QUEUE_URL": "q"}).configured

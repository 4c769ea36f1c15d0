"""What a team may choose, and what it is told when it chose something that cannot be."""

import dataclasses
from pathlib import Path
from typing import Any

import pytest

from infra.deployment.context import Context, InvalidContext
from research.wiring import Settings


def test_nothing_has_to_be_chosen_and_the_defaults_are_those_of_the_code() -> None:
    settings = Settings.from_environment({"TABLE_NAME": "", "QUEUE_URL": ""})

    context = Context.read({})

    assert context == Context()
    assert (context.daily_runs, context.daily_tokens) == (settings.daily_runs, settings.daily_tokens)
    assert context.gemini_model == settings.gemini_model
    assert (context.gemini_secret, context.allowed_origins, context.alarm_email) == (None, (), None)
    assert (context.generate_concurrency, context.stack_name) == (10, "cited-research-dev")


def test_values_are_the_same_as_text_from_the_command_line_and_as_json_from_a_file() -> None:
    text = Context.read({"stage": "prod", "generate_concurrency": "2", "daily_runs": "7", "daily_tokens": " 8 "})

    assert text == Context.read({"stage": "prod", "generate_concurrency": 2, "daily_runs": 7, "daily_tokens": 8})
    assert dataclasses.astuple(text)[0] == "prod"


@pytest.mark.parametrize("origins", ["https://a.example http://b.example:80", "https://a.example,http://b.example:80"])
def test_origins_are_separated_by_commas_or_white_space(origins: str) -> None:
    assert Context.read({"allowed_origins": origins}).allowed_origins == ("https://a.example", "http://b.example:80")


@pytest.mark.parametrize(
    "name", ["stage", "gemini_secret", "gemini_model", "generate_concurrency", "allowed_origins", "alarm_email"]
)
@pytest.mark.parametrize("value", ["", "  ", None])
def test_an_empty_value_is_none(name: str, value: Any) -> None:
    assert Context.read({name: value}) == Context()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("stage", "Prod"),
        ("stage", "-x"),
        ("stage", "a" * 21),
        ("gemini_secret", "arn:aws:secretsmanager:eu-west-1:123456789012:secret:gemini-AbCdEf"),
        ("gemini_secret", "a name"),
        ("gemini_secret", "AIzaSyA-a-key-and-no-name"),
        ("gemini_model", "models/gemini-3.8-flash"),
        ("generate_concurrency", "1"),
        ("generate_concurrency", "1001"),
        ("generate_concurrency", "ten"),
        ("generate_concurrency", "2.5"),
        ("daily_runs", "0"),
        ("daily_runs", "-1"),
        ("daily_tokens", "1e6"),
        ("daily_tokens", True),
        ("allowed_origins", "*"),
        ("allowed_origins", "app.example.com"),
        ("allowed_origins", "https://app.example.com/"),
        ("allowed_origins", "https://App.example.com"),
        ("alarm_email", "nobody"),
        ("alarm_email", "a@b.example, c@d.example"),
    ],
)
def test_what_cannot_be_deployed_is_refused_with_what_to_write_instead(name: str, value: Any) -> None:
    with pytest.raises(InvalidContext, match=rf"^{name} must be ") as refused:
        Context.read({name: value})

    assert str(value) not in str(refused.value).split()


@pytest.mark.parametrize(
    ("name", "meant"),
    [("gemini_secrets", "gemini_secret"), ("daily_run", "daily_runs"), ("allowed_origin", "allowed_origins")],
)
def test_a_misspelt_name_is_told_from_the_one_that_was_meant(name: str, meant: str) -> None:
    with pytest.raises(InvalidContext, match=rf"^There is no context {name}\. Did you mean {meant}\?$"):
        Context.read({name: "x"})


def test_a_name_that_resembles_none_is_answered_with_all_there_are() -> None:
    with pytest.raises(InvalidContext) as refused:
        Context.read({"xyzzy": "x"})

    assert all(field.name in str(refused.value) for field in dataclasses.fields(Context))


@pytest.mark.parametrize(
    "name", ["@aws-cdk/core:x", "aws:cdk:bundling-stacks", "cli-telemetry", "hosted-zone:account=1"]
)
def test_what_cdk_keeps_in_the_context_is_none_of_ours(name: str) -> None:
    assert Context.read({name: True}) == Context()


def test_the_app_says_what_is_wrong_in_one_line_and_writes_no_template(assemblies: Path) -> None:
    said = (assemblies / "refused.txt").read_text()

    assert said.startswith("Context: There is no context gemini_secrets. Did you mean gemini_secret?")
    assert len(said.splitlines()) == 1
    assert list((assemblies / "refused").glob("*.json")) == []

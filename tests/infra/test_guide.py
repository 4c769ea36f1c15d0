"""The operations guide names what there is: every choice, output, alarm, resource and command, and nothing else."""

import dataclasses
import re
from pathlib import Path

from infra.deployment.context import Context
from tests.infra.template import Template
from tests.infra.test_alarms import alarms, watched

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "infra" / "README.md").read_text()


def rows(heading: str) -> list[list[str]]:
    """The cells of each row of the table that begins with this heading, without the heading."""
    lines = GUIDE[GUIDE.index(f"\n| {heading} |") + 1 :].split("\n\n")[0].splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def named(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def test_every_choice_has_its_row_with_its_default() -> None:
    table = rows("context")

    assert [name for row in table for name in named(row[0])] == [field.name for field in dataclasses.fields(Context)]
    defaults = " ".join(row[2] for row in table)
    plain = Context()
    for default in (plain.stage, plain.gemini_model, plain.generate_concurrency, plain.daily_runs, plain.daily_tokens):
        assert str(default) in defaults


def test_every_output_has_its_row(chosen: Template) -> None:
    assert sorted(name for row in rows("output") for name in named(row[0])) == sorted(chosen.document["Outputs"])


def test_every_alarm_says_what_it_means_and_what_to_do(plain: Template) -> None:
    table = {named(row[0])[0]: row[1:] for row in rows("alarm")}

    assert table.keys() == alarms(plain).keys()
    assert all(len(cell) > 20 for row in table.values() for cell in row)


def test_every_type_of_resource_has_a_reason(chosen: Template) -> None:
    listed = set()
    for row in rows("resource"):
        names = named(row[0])
        service = names[0].split("::")[0]
        listed |= {name if "::" in name else f"{service}::{name}" for name in names}

    assert {f"AWS::{name}" for name in listed} == {made["Type"] for made in chosen.resources.values()}


def test_the_figures_of_the_guide_are_those_of_the_stack(plain: Template) -> None:
    metrics = sum(len(watched(alarm)) for alarm in alarms(plain).values())

    assert f"| {metrics} alarm metrics |" in GUIDE
    throttle = plain.one("ApiGatewayV2::Stage")["DefaultRouteSettings"]
    rate, burst = (throttle[f"Throttling{kind}Limit"] for kind in ("Rate", "Burst"))
    assert f"{rate} requests a second, bursts of {burst}" in GUIDE


def test_every_make_target_of_the_guide_is_one() -> None:
    targets = set(re.findall(r"^([a-z-]+(?: [a-z-]+)*):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    known = {name for group in targets for name in group.split()}

    assert set(re.findall(r"`make ([a-z]+)", GUIDE)) <= known
    assert {"synth", "bootstrap", "diff", "deploy", "destroy"} <= known

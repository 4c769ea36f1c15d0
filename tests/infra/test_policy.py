"""Policy checks pass, and did run: what they may not let pass they report."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.infra.template import Template

ROOT = Path(__file__).parents[2]
CFN_LINT = Path(sys.executable).with_name("cfn-lint")


def findings(assembly: Path) -> list[Any]:
    """What the checks found fault with."""
    report = json.loads((assembly / "validation-report.json").read_text())
    return [violation for plugin in report["pluginReports"] for violation in plugin["violations"]]


@pytest.mark.parametrize("variant", ["plain", "chosen"])
def test_the_checks_find_nothing(assemblies: Path, variant: str) -> None:
    assert findings(assemblies / variant) == []


def test_the_checks_find_a_queue_that_is_neither_encrypted_for_the_wire_nor_has_dead_letters(assemblies: Path) -> None:
    found = findings(assemblies / "canary")

    assert {violation["ruleName"] for violation in found} == {"AwsSolutions-SQS3", "AwsSolutions-SQS4"}
    assert "Canary" in json.dumps(found)


def test_the_linter_finds_fault_with_a_property_that_there_is_not_and_with_nothing_of_ours(
    chosen: Template, tmp_path: Path
) -> None:
    wrong = tmp_path / "wrong.template.json"
    wrong.write_text(json.dumps({"Resources": {"Queue": {"Type": "AWS::SQS::Queue", "Properties": {"Wrong": 1}}}}))
    command = [CFN_LINT, "--config-file", ROOT / ".cfnlintrc", "--format", "json", "--"]

    run = subprocess.run([*command, chosen.path, wrong], cwd=ROOT, capture_output=True, text=True, check=False)

    assert run.stderr == ""
    found = [(finding["Filename"], finding["Rule"]["Id"]) for finding in json.loads(run.stdout)]
    assert found == [(str(wrong), "E3002")]


def test_the_template_is_far_from_the_limits_of_cloudformation(chosen: Template) -> None:
    assert len(chosen.resources) < 400
    assert chosen.path.stat().st_size < 500_000

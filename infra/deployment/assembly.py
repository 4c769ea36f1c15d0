"""The CDK app: one stack, and the policy checks that no template passes without."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from aws_cdk import App, Validations
from cdk_nag import AwsSolutionsChecks

from infra.deployment.context import Context
from infra.deployment.stack import CitedResearch

_SETTINGS = Path(__file__).parents[2] / "cdk.json"


def app(given: Mapping[str, Any], outdir: str | None = None) -> App:
    """The app on the context of cdk.json, that of `cdk` over it, and `given` over both. Raises InvalidContext.

    Its `synth` writes to `outdir` or to where `cdk` wants it, and raises if a check finds fault.
    """
    settings = json.loads(_SETTINGS.read_text())
    made = App(context=settings["context"], post_cli_context=given, outdir=outdir, analytics_reporting=False)
    Validations.of(made).add_plugins(AwsSolutionsChecks(made))
    CitedResearch(made, Context.read(made.node.get_all_context()))
    return made

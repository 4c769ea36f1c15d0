"""What the functions are made of: one asset of our own code, and a layer of libraries per set. No Docker."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsii
from aws_cdk import AssetHashType, BundlingOptions, DockerImage, ILocalBundling
from aws_cdk.aws_lambda import Architecture, AssetCode, Code, LayerVersion, Runtime
from constructs import Construct

from infra.bundles import LAMBDA, build_code, build_layer, code_hash, layer_hash
from infra.deployment.functions import FUNCTIONS

ARCHITECTURE = Architecture.ARM_64
RUNTIME = Runtime.PYTHON_3_14

_ANY_DIRECTORY = str(Path(__file__).parent)
"""CDK wants an asset to come from a directory; ours is written by its bundling, and told apart by its own hash."""


@jsii.implements(ILocalBundling)
class _Built:
    """Bundling that is done here and now."""

    def __init__(self, build: Callable[[Path], None]) -> None:
        self._build = build

    def try_bundle(self, output_dir: str, *_: Any, **__: Any) -> bool:
        """Always done: False would send CDK to Docker, and what fails is raised."""
        self._build(Path(output_dir))
        return True


class FunctionCode(Construct):
    """The code asset, and the layers by the name of their set."""

    def __init__(self, scope: Construct, name: str) -> None:
        super().__init__(scope, name)
        self.code = _asset("our own code", build_code, code_hash())
        self.layers = {layer: self._layer(layer) for layer in sorted({function.layer for function in FUNCTIONS})}

    def _layer(self, layer: str) -> LayerVersion:
        def build(out: Path) -> None:
            build_layer(layer, LAMBDA, out)

        return LayerVersion(
            self,
            layer.capitalize(),
            code=_asset(f"libraries of {layer}", build, layer_hash(layer, LAMBDA)),
            compatible_architectures=[ARCHITECTURE],
            compatible_runtimes=[RUNTIME],
            description=f"Libraries of {layer}",
        )


def _asset(name: str, build: Callable[[Path], None], digest: str) -> AssetCode:
    return Code.from_asset(
        _ANY_DIRECTORY,
        display_name=name,
        asset_hash_type=AssetHashType.CUSTOM,
        asset_hash=digest,
        bundling=BundlingOptions(image=DockerImage.from_registry("none"), local=_Built(build)),
    )

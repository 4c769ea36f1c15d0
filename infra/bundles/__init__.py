"""What is deployed: our own code as one small bundle, and the libraries as a layer for each set. No Docker.

A bundle's hash is known without building it, so that one which is already there is built, and deployed, no second time.
"""

from infra.bundles.code import build_code, code_hash
from infra.bundles.layers import build_layer, layer_hash
from infra.bundles.sizes import Size, size
from infra.bundles.targets import LAMBDA, Target, host

__all__ = ["LAMBDA", "Size", "Target", "build_code", "build_layer", "code_hash", "host", "layer_hash", "size"]

"""The deployment: what is made in an AWS account, one construct per concern."""

import os
import sys
from pathlib import Path

os.environ.setdefault("JSII_NODE", str(Path(sys.executable).with_name("node")))
"""CDK is written for Node: the one of this environment, whatever else is on PATH."""

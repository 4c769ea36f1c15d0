"""What `cdk` runs, and `make synth` by itself: `python -m infra.app [-c name=value]…` writes templates and assets."""

import argparse
import os
import sys

from infra.deployment.assembly import app
from infra.deployment.context import InvalidContext

OUT = "cdk.out"


def main() -> None:
    """Synthesise to where `cdk` wants it, or else to cdk.out. Says what is wrong with the context and exits with 2."""
    parser = argparse.ArgumentParser(prog="python -m infra.app", description=__doc__)
    parser.add_argument("-c", dest="context", metavar="name=value", action="append", default=[])
    pairs = [pair.partition("=") for pair in parser.parse_args().context]
    try:
        app({name: value for name, _, value in pairs}, os.environ.get("CDK_OUTDIR", OUT)).synth()
    except InvalidContext as error:
        sys.exit(f"Context: {error} infra/README.md says what there is.")


if __name__ == "__main__":
    main()

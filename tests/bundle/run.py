"""`make bundles`: how large each bundle is, and every sample event as it is answered from its bundle alone."""

import sys
from contextlib import ExitStack

from harness.local import local_aws
from harness.service import Service
from rich.console import Console
from rich.table import Table

from infra.bundles import LAMBDA, Size, size
from infra.bundles.trimming import SERVICES
from tests.bundle import built
from tests.bundle.trying import statuses, trial
from tests.edges.sample_events import STORY


def main(console: Console) -> int:
    """Print both tables. The exit code: 1 if an event is not answered as it should be."""
    sizes = Table("bundle", "unpacked, kB", "zipped, kB", title="For Lambda: Python 3.14, arm64")
    for name, found in bundle_sizes().items():
        sizes.add_row(name, f"{found.unzipped // 1000:,}", f"{found.zipped // 1000:,}")
    console.print(sizes)
    found = _tried()
    events = Table("handler", "event", "status", title="From the bundles alone, on this machine")
    for name, status in found.items():
        handler, _, variant = name.partition(".")
        told = "done" if status is None else str(status)
        events.add_row(handler, variant or "-", told if status == STORY[name] else f"{told}, not {STORY[name]}")
    console.print(events)
    return 0 if found == STORY else 1


def bundle_sizes() -> dict[str, Size]:
    """Bytes of the code and of each layer as they are deployed."""
    return {"code": size(built.code(LAMBDA))} | {f"layer {name}": size(built.for_lambda(name)) for name in SERVICES}


def _tried() -> dict[str, object]:
    with local_aws() as aws, ExitStack() as stack:
        return statuses(trial(Service(aws, "bundles"), stack))


if __name__ == "__main__":
    sys.exit(main(Console()))

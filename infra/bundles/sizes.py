"""How large a bundle is, as it is stored and as it is unpacked."""

import io
import zipfile
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Size:
    """Bytes."""

    unzipped: int
    zipped: int


def size(bundle: Path) -> Size:
    """The size of everything in a directory."""
    files = sorted(path for path in bundle.rglob("*") if path.is_file())
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in files:
            archive.writestr(
                zipfile.ZipInfo(file.relative_to(bundle).as_posix()), file.read_bytes(), zipfile.ZIP_DEFLATED
            )
    return Size(sum(file.stat().st_size for file in files), packed.tell())

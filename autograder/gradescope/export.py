"""Packs an assignment and the parts of the project that grade it into a zip for Gradescope."""

import zipfile
from collections.abc import Iterator
from pathlib import Path

from autograder.gradescope.bundle import Bundle
from autograder.project import PACKAGES, ROOT
from autograder.refusal import Refusal
from autograder.whole_file import replacing

FILES = ("pyproject.toml", "constraints.txt", "README.md", "LICENSE", "tools/setup.py", "tools/chromium.py")
TEMPLATES = ROOT / "autograder" / "variants" / "templates"  # they have solutions
NOT_NEEDED = {".ipynb", ".pyc", ".pyo"}
SCRIPTS = ("setup.sh", "run_autograder")
_LONG_AGO = (1980, 1, 1, 0, 0, 0)  # so that the same content is the same file
_EXECUTABLE, _PLAIN = 0o100755 << 16, 0o100644 << 16


def write(path: Path, bundle: Bundle) -> None:
    """Write the zip; raises Refusal if the project's own folder is missing."""
    missing = [name for name in FILES if not (ROOT / name).exists()]
    if missing:
        raise Refusal(
            f"There is no {missing[0]} in {ROOT}: the zip takes the project along, so run the command from a "
            "copy of the project that was installed by `make lab` or `pip install -e .`."
        )
    with replacing(path) as part, zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in SCRIPTS:
            _add(archive, name, Path(__file__).with_name(name).read_bytes(), _EXECUTABLE)
        _add(archive, "assignment.json", bundle.dumps().encode(), _PLAIN)
        for name in [*FILES, *_sources()]:
            _add(archive, f"project/{name}", (ROOT / name).read_bytes(), _PLAIN)


def _sources() -> Iterator[str]:
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*")):
            hidden = any(part.startswith((".", "__pycache__")) for part in path.relative_to(ROOT).parts)
            hidden = hidden or path.parent == TEMPLATES
            if path.is_file() and path.suffix not in NOT_NEEDED and not hidden:
                yield path.relative_to(ROOT).as_posix()


def _add(archive: zipfile.ZipFile, name: str, content: bytes, mode: int) -> None:
    entry = zipfile.ZipInfo(name, _LONG_AGO)
    entry.external_attr = mode
    entry.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(entry, content)

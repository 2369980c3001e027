"""Prints what CHANGELOG.md says about a release: `python3 tools/release_notes.py v0.1.0`; its workflow asks.

The tag is `v` and the version in pyproject.toml. Another tag is refused, and a version without a section.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def notes(tag: str) -> str:
    """Return the changelog's section for a tag; raises ValueError if there is none or for another tag."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    if tag != f"v{version}":
        raise ValueError(f"the tag is {tag}, but pyproject.toml has the version {version}")
    heading = rf"^## \[{re.escape(version)}\] - \d{{4}}-\d\d-\d\d\n"
    section = re.search(
        rf"{heading}(.*?)(?=^## |\Z)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.M | re.S
    )
    if not section or not section[1].strip():
        raise ValueError(f"CHANGELOG.md says nothing under a heading such as ## [{version}] - 2027-01-31")
    return section[1].strip()


if __name__ == "__main__":
    try:
        print(notes(sys.argv[1]))
    except ValueError as error:
        sys.exit(f"No release: {error}.")

"""Writes changed notebooks as they stand in the repository: one newline at the end, untouched if the same."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import nbformat
from nbformat import NotebookNode


def rewrite(path: Path, change: Callable[[NotebookNode], NotebookNode]) -> bool:
    """Write what `change` makes of a notebook, and return whether that differs from what was there."""
    before = path.read_text(encoding="utf-8")
    after = nbformat.writes(change(nbformat.reads(before, as_version=4))).rstrip("\n") + "\n"
    if after != before:
        path.write_text(after, encoding="utf-8")
    return after != before

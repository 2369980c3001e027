"""Writes the second way of each solution into second_ways.json of the exercises; part of `make exercises`.

In a solution it is a comment that begins with "A second way". `check` shows it once the work is right.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import nbformat

ROOT = Path(__file__).resolve().parent.parent
WRITTEN = ROOT / "autograder" / "exercises" / "second_ways.json"
COMMENT = re.compile(r"^ *# (A second way.*(?:\n *# .*)*)", re.MULTILINE)


def second_ways(solutions: Path) -> dict[str, str]:
    """Return the text of each exercise whose solution has one, by id."""
    found = {}
    for path in sorted(solutions.glob("*/*.ipynb")):
        for cell in nbformat.read(path, as_version=4).cells:
            comment = COMMENT.search(cell.source)
            if comment and cell.metadata.get("nbgrader", {}).get("solution"):
                found[cell.metadata.nbgrader.grade_id] = re.sub(r"\n *# ", " ", comment[1])
    return found


def as_text(found: dict[str, str]) -> str:
    """Return them as a JSON object."""
    return json.dumps(found, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    WRITTEN.write_text(as_text(second_ways(ROOT / "solutions")), encoding="utf-8")

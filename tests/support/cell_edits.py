"""Cells of the corpus that are written as edits of a right cell.

An edit is a list of hunks, with a blank line between two hunks. Each line of a hunk is a comment: `# - LINE`
removes a line of the right cell, `# + LINE` adds one, and `#   LINE` stays and only tells the place.
"""

from __future__ import annotations

import re

HUNK_LINE = re.compile(r"# (?P<mark>[-+ ]) (?P<line>.*\S)")


def apply_edit(edit: str, base: str) -> str:
    """Return the base with the hunks applied in order, and with the comments of the edit at its top.

    Raises ValueError for an edit without hunks, for a line that is in no hunk, and for a hunk whose removed
    and unchanged lines do not stand together at exactly one place.
    """
    comments, below = _split_comments(edit)
    _, lines = _split_comments(base)
    hunks = _hunks(below)
    if not hunks:
        raise ValueError("the edit has no line `# - LINE` or `# + LINE`")
    for hunk in hunks:
        old = [line for mark, line in hunk if mark != "+"]
        new = [line for mark, line in hunk if mark != "-"]
        places = [i for i in range(len(lines)) if lines[i : i + len(old)] == old]
        if len(places) != 1:
            first = "# {} {}".format(*hunk[0])
            raise ValueError(f"the hunk that begins with {first!r} fits {len(places)} places and not one")
        lines[places[0] : places[0] + len(old)] = new
    return "\n".join([*comments, *lines]) + "\n"


def _split_comments(cell: str) -> tuple[list[str], list[str]]:
    """Return the comment lines at the top of a cell, which explain it, and the lines below them."""
    lines = cell.splitlines()
    count = 0
    while count < len(lines) and lines[count].startswith("#") and not HUNK_LINE.fullmatch(lines[count]):
        count += 1
    return lines[:count], lines[count:]


def _hunks(lines: list[str]) -> list[list[tuple[str, str]]]:
    """Return each hunk as its marks and lines; raises ValueError for a line that is in no hunk."""
    hunks: list[list[tuple[str, str]]] = [[]]
    for line in lines:
        if not line:
            hunks.append([])
        elif found := HUNK_LINE.fullmatch(line):
            hunks[-1].append((found["mark"], found["line"]))
        else:
            raise ValueError(f"{line!r} is not `# - LINE`, `# + LINE` or `#   LINE`")
    return [hunk for hunk in hunks if hunk]

"""Finds the notebook in a student's folder, be it under the name that was released or under another.

What counts is, in this order: of the notebooks whose cells prove that they are the assignment's, the one with
the released name, else the newest; the one with the released name; the only one that there is.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from dataclasses import replace
from pathlib import Path

from autograder.grading.assignment import Assignment
from autograder.grading.signatures import proves
from autograder.grading.submission import BYTES_AT_MOST, HandedIn, hand_in
from vjpcheck import escaping

OTHERS_AT_MOST = 8  # notebooks of other names that are looked into: the newest


def find_notebook(folder: Path, top: Path, assignment: Assignment, released: Collection[str]) -> HandedIn:
    """Return what a folder somewhere below `top` has as an assignment's notebook; follow no link.

    `released` are the names of all the notebooks of the assignment. A remark says what there was to choose.
    """
    own = folder / f"{assignment.notebook}.ipynb"
    given = hand_in(own, top)
    others = _others(folder, {f"{name}.ipynb" for name in released})
    if not others:
        return given
    read = dict(_read(others[:OTHERS_AT_MOST], top))
    proven = [path for path, found in read.items() if proves(found.content, assignment)]
    if proves(given.content, assignment):
        told = f"{own.name} was graded, not {_listed(proven)}, which contains the assignment too."
        return replace(given, remark=told) if proven else given
    if proven:
        also = f" The newest counts; {_listed(proven[1:])} was not graded." if proven[1:] else ""
        told = f"{_listed(proven[:1])} was graded as {own.name}, because it has the same cells.{also}"
        return replace(read[proven[0]], remark=told)
    if os.path.lexists(own):
        return given
    if len(others) == len(released) == 1:
        told = f"{_listed(others)}, the only notebook in the folder, was graded as {own.name}."
        return replace(read[others[0]], remark=told)
    told = f"There is no notebook {own.name}, only {_listed(sorted(others))}: was it renamed?"
    return HandedIn(reason=told)


def _others(folder: Path, released: Collection[str]) -> list[Path]:
    """Return the notebooks of other names, the newest first."""
    try:
        with os.scandir(folder) as entries:
            found = [
                (-entry.stat(follow_symlinks=False).st_mtime_ns, entry.name)
                for entry in entries
                if entry.name.endswith(".ipynb") and entry.name[0] != "." and entry.name not in released
            ]
    except OSError:  # there is no such folder, say: that of the released name has its reason
        return []
    return [folder / name for _, name in sorted(found)]


def _read(paths: list[Path], top: Path) -> Iterator[tuple[Path, HandedIn]]:
    """Yield what the files hold, until that is as much as one may."""
    left = BYTES_AT_MOST
    for path in paths:
        if left > 0:
            found = hand_in(path, top)
            left -= len(found.content)
            yield path, found


def _listed(paths: list[Path]) -> str:
    return ", ".join([escaping.name(path.name) for path in paths[:3]] + ["…"][: len(paths) > 3])

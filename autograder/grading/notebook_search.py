"""Finds the notebook in a student's folder, under the released name or under another one.

Notebooks whose cells prove that they are the assignment's come first: the one with the released name, else
the newest. Next comes a notebook with the released name, last the only notebook of the folder.
"""

import os
from collections.abc import Collection, Iterator
from dataclasses import replace
from pathlib import Path

from autograder.grading.assignment import Assignment
from autograder.grading.signatures import proves
from autograder.grading.submission import BYTES_AT_MOST, Submission, read_submission
from vjpcheck import escaping

OTHERS_AT_MOST = 8  # notebooks of other names that are read: the newest


def find_notebook(folder: Path, top: Path, assignment: Assignment, released: Collection[str]) -> Submission:
    """Return the notebook of an assignment in a folder somewhere below `top`; follow no link.

    `released` are the names of all the notebooks of the assignment. If there are others, a remark names them.
    """
    expected = folder / f"{assignment.notebook}.ipynb"
    submission = read_submission(expected, top)
    others = _others(folder, {f"{name}.ipynb" for name in released})
    if not others:
        return submission
    read = dict(_read(others[:OTHERS_AT_MOST], top))
    proven = [path for path, candidate in read.items() if proves(candidate.content, assignment)]
    if proves(submission.content, assignment):
        remark = f"{expected.name} was graded, not {_listed(proven)}, which contains the assignment too."
        return replace(submission, remark=remark) if proven else submission
    if proven:
        also = f" The newest counts; {_listed(proven[1:])} was not graded." if proven[1:] else ""
        remark = f"{_listed(proven[:1])} was graded as {expected.name}, because it has the same cells.{also}"
        return replace(read[proven[0]], remark=remark)
    if os.path.lexists(expected):
        return submission
    if len(others) == len(released) == 1:
        remark = f"{_listed(others)}, the only notebook in the folder, was graded as {expected.name}."
        return replace(read[others[0]], remark=remark)
    remark = f"There is no notebook {expected.name}, only {_listed(sorted(others))}: was it renamed?"
    return Submission(reason=remark)


def _others(folder: Path, released: Collection[str]) -> list[Path]:
    """Return the notebooks of other names, the newest first."""
    try:
        with os.scandir(folder) as entries:
            entries_by_age = [
                (-entry.stat(follow_symlinks=False).st_mtime_ns, entry.name)
                for entry in entries
                if entry.name.endswith(".ipynb") and entry.name[0] != "." and entry.name not in released
            ]
    except OSError:  # a missing folder, for instance: reading the released name gives the reason
        return []
    return [folder / name for _, name in sorted(entries_by_age)]


def _read(paths: list[Path], top: Path) -> Iterator[tuple[Path, Submission]]:
    """Yield the files with their contents, until these are as large as one notebook may be."""
    room = BYTES_AT_MOST
    for path in paths:
        if room > 0:
            submission = read_submission(path, top)
            room -= len(submission.content)
            yield path, submission


def _listed(paths: list[Path]) -> str:
    return ", ".join([escaping.name(path.name) for path in paths[:3]] + ["…"][: len(paths) > 3])

"""Finds groups of hand-ins that are more alike than their tasks explain, also alike to the solutions.

copydetect makes fingerprints of the code by winnowing (Schleimer, Wilkerson and Aiken, 2003, SIGMOD), without
names, texts and comments; their order does not count. The class itself shows how alike independent work on a
task is: a Function that everybody writes alike says nothing about two students, and five long ones do.
"""

import io
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from itertools import chain

import numpy as np
from scipy.sparse.csgraph import connected_components

from autograder.grading.assignment import Assignment, WrongAssignment, load
from autograder.grading.course import Course
from autograder.grading.gradebook import NotRegistered
from autograder.grading.recognise import recognise, too_long
from autograder.grading.submission import CannotRead, cells_of

SOLUTIONS = "solutions/"
MARK = "### BEGIN SOLUTION"
CHARACTERS, WINDOW = 16, 4  # of a fingerprint; of code in which one is kept at least
ALIKE = 0.8  # at least, on average over the tasks; such hand-ins count once where others show what is usual
# In a small class, so many others are assumed: of them 1 in 20 are wholly alike in a task, 1 in 4 by half.
OTHERS, USUAL = 10, 0.05
BY_CHANCE = 0.1  # so many pairs of a class may be listed though they are independent

Parts = Mapping[str, str]  # code by task
Progress = Callable[[Sequence[str]], Iterable[str]]  # yields the names, and may show how far it is


@dataclass(frozen=True)
class Alike:
    """Hand-ins that are alike, and in which tasks.

    `shares` are the least and the largest share of code that two of them have in common.
    """

    members: tuple[str, ...]
    shares: tuple[float, float]
    tasks: tuple[str, ...]

    @property
    def words(self) -> str:
        """Return the shares and the tasks in words."""
        low, high = (f"{share:.0%}".replace("%", " %") for share in self.shares)
        return f"{low if low == high else f'{low} to {high}'} of the code is alike: {', '.join(self.tasks)}"


def find(course: Course, assignment: str, progress: Progress = iter) -> tuple[list[Alike], list[str]]:
    """Return the groups of an assignment, and who has handed in the marks of solutions.

    Raises WrongAssignment if there is no such assignment, or no folder of hand-ins.
    """
    places, _ = course.submissions(assignment, None)
    folder = course.folder("source", ".", assignment)
    paths = sorted(folder.glob("*.ipynb"))
    if not paths:
        raise WrongAssignment(f"There is no assignment {assignment}: no notebook in {folder}.")
    try:
        with course.book(assignment) as book:
            notebooks = {
                path.stem: load(path, assignment, book.released.get(path.stem, {})) for path in paths
            }
    except NotRegistered:
        raise WrongAssignment(
            f"The gradebook has no assignment {assignment}: collect or grade it first."
        ) from None
    hand_ins, marked = {SOLUTIONS: _solutions(notebooks)}, []
    for student, place in places.items():
        parts = dict[str, str]()
        for name, notebook in notebooks.items():
            with suppress(CannotRead):
                submission = course.read_submission(place, None, notebooks, name)
                matches = recognise(notebook, cells_of(submission.content))
                parts |= matches.solutions
                parts[f"added cells of {name}"] = "\n".join(chain(*matches.added.values()))
        hand_ins[student] = {task: source for task, source in parts.items() if not too_long(source)}
        if any(MARK in source for source in parts.values()):
            marked.append(student)
    released = {id_: cell.source for one in notebooks.values() for id_, cell in one.released.items()}
    return groups(hand_ins, released, progress), marked


def _solutions(notebooks: Mapping[str, Assignment]) -> dict[str, str]:
    cells = [cell for notebook in notebooks.values() for cell in notebook.cells]
    marked = [(cell["metadata"].get("nbgrader", {}), cell["source"]) for cell in cells]
    return {mark["grade_id"]: source for mark, source in marked if mark.get("solution")}


def groups(hand_ins: Mapping[str, Parts], released: Parts, progress: Progress = iter) -> list[Alike]:
    """Return the groups of hand-ins that are more alike than chance explains, the largest first.

    Code that was `released`, by task, is not compared.
    """
    names, tasks = [*hand_ins], sorted({task for parts in hand_ins.values() for task in parts})
    kinds = [(as_written, task) for as_written in (True, False) for task in tasks]
    stubs = [_fingerprints(released.get(task, ""), as_written) for as_written, task in kinds]
    prints = [
        [
            _fingerprints(hand_ins[name].get(task, ""), as_written) - stub
            for (as_written, task), stub in zip(kinds, stubs, strict=True)
        ]
        for name in progress(names)
    ]
    tables = np.stack([_shares(column) for column in zip(*prints, strict=True)])
    written, filtered = tables.reshape(2, len(tasks), *tables.shape[1:])
    linked = _linked(written) | _linked(filtered)
    _, labels = connected_components(linked, directed=False)
    together = [np.flatnonzero(labels == label) for label in np.flatnonzero(np.bincount(labels) > 1)]
    found = [_alike(group, names, tasks, filtered, linked) for group in together]
    return sorted(found, key=lambda group: -len(group.members))


def _mean(shares: np.ndarray) -> np.ndarray:
    mean: np.ndarray = np.nan_to_num(shares).sum(0) / np.maximum((~np.isnan(shares)).sum(0), 1)
    return mean


def _linked(shares: np.ndarray) -> np.ndarray:
    """Return which two hand-ins are more alike than chance explains.

    The others show how probable it is that two are as alike in a task: it is the share of them that are as
    alike to one of the two. Tasks count as independent of each other.
    """
    mean, evidence = _mean(shares), np.zeros(shares.shape[1:])
    different = _different(mean)
    for table in shares:
        usual = np.sort(np.nan_to_num(table[:, different], nan=-1.0))
        counts = [len(row) - np.searchsorted(row, own - 1e-6) for row, own in zip(usual, table, strict=True)]
        above = np.maximum(np.array(counts) - 1, 0)  # one of the two is among those that are different
        above = np.maximum(above, above.T)
        evidence -= np.nan_to_num(np.log10((above + OTHERS * USUAL**table) / (len(different) + OTHERS)))
    pairs = len(mean) * (len(mean) - 1) / 2
    linked: np.ndarray = (evidence > np.log10(max(pairs, 1) / BY_CHANCE)) & (mean >= ALIKE)
    return linked


@cache
def _fingerprints(source: str, as_written: bool) -> frozenset[int]:
    """Return the fingerprints of code as it is written, or without names, texts, comments and spaces."""
    from copydetect import CodeFingerprint  # not at the top: it imports matplotlib

    code = io.StringIO(source)
    made = CodeFingerprint("", CHARACTERS, WINDOW, filter=not as_written, language="python", fp=code)
    return frozenset(made.hashes)


def _shares(prints: Sequence[Collection[int]]) -> np.ndarray:
    """Return which share of the shorter work two hand-ins have in common; nan where one has none."""
    common = [one for one, count in Counter(chain(*prints)).items() if count > 1]
    places = {one: place for place, one in enumerate(common)}
    has, sizes = np.zeros((len(prints), len(places)), np.float32), np.array([*map(len, prints)])
    for row, own in zip(has, prints, strict=True):
        row[[places[one] for one in own if one in places]] = 1
    with np.errstate(invalid="ignore"):
        table: np.ndarray = has @ has.T / np.minimum.outer(sizes, sizes)
    return table


def _different(mean: np.ndarray) -> list[int]:
    """Return hand-ins of which no two are alike."""
    kept: list[int] = []
    for place in range(len(mean)):
        if not (mean[place, kept] >= ALIKE).any():
            kept.append(place)
    return kept


def _alike(
    group: np.ndarray,
    names: Sequence[str],
    tasks: Sequence[str],
    shares: np.ndarray,
    linked: np.ndarray,
) -> Alike:
    inside, mean = np.ix_(group, group), _mean(shares)
    within = linked[inside] & ~np.eye(len(group), dtype=bool)
    values = mean[inside][within]
    alike = [
        task for task, table in zip(tasks, shares, strict=True) if (table[inside][within] >= ALIKE).any()
    ]
    members = tuple(names[place] for place in group)
    return Alike(members, (float(values.min()), float(values.max())), tuple(alike))

"""Writes the pages of a class in several processes; unchanged pages are not written again."""

import json
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from enum import StrEnum
from multiprocessing import get_context
from pathlib import Path

from autograder.feedback.marks import Marks
from autograder.feedback.page import key_of, page
from autograder.grading.exchange import carry
from autograder.whole_file import replacing

_HEAD = 500  # characters at the beginning of a page that contain its key
_AT_ONCE = 8  # pages that a process gets at once


class State(StrEnum):
    """The state of a page after a run."""

    WRITTEN = "written"
    KEPT = "kept"
    FAILED = "failed"


@dataclass(frozen=True)
class Task:
    """A page to write: its student, its source and target, and the marks."""

    student: str
    autograded: Path
    target: Path
    marks: Marks


def write_all(tasks: Iterable[Task], jobs: int) -> Iterator[tuple[Task, State, str]]:
    """Write the pages; yield the state of each, and the reason of a failure in a sentence."""
    tasks = list(tasks)
    if len(tasks) <= _AT_ONCE or jobs == 1:
        yield from ((task, *write(task)) for task in tasks)
        return
    # a forked process has all modules imported; a new one would need seconds for that
    context = get_context("fork" if sys.platform == "linux" else "spawn")
    with ProcessPoolExecutor(jobs, mp_context=context) as pool:
        for task, outcome in zip(tasks, pool.map(write, tasks, chunksize=_AT_ONCE), strict=True):
            yield (task, *outcome)


def write(task: Task) -> tuple[State, str]:
    """Write one page, whole or not at all, and what nbgrader's exchange needs beside it."""
    try:
        content = task.autograded.read_bytes()
        key = key_of(content, task.marks)
        state = State.KEPT if key in _head(task.target) else State.WRITTEN
        if state is State.WRITTEN:
            text = page(json.loads(content), task.marks, task.autograded.stem, key)
            task.target.parent.mkdir(parents=True, exist_ok=True)
            with replacing(task.target) as part:
                part.write_text(text, encoding="utf-8")
        carry(task.autograded.parent, task.target.parent)
    except OSError as error:
        return State.FAILED, f"{error.filename}: {error.strerror}."
    except (ValueError, KeyError, TypeError, AttributeError):
        problem = f"{task.autograded} is not a notebook from autograded/: grade this student again."
        return State.FAILED, problem
    return state, ""


def _head(path: Path) -> str:
    try:
        with path.open(encoding="utf-8") as file:
            return file.read(_HEAD)
    except (OSError, UnicodeDecodeError):
        return ""

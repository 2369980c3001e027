"""What the verdicts of the tasks have in common: a finding, and what is wrong with an array."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from autograder.errors import StudentError, tell
from autograder.mistakes import MISTAKES
from autograder.numbers import close, furthest, ratio
from autograder.result import Finding

CONSTANTS = "next_functions has (None, 0) where an operand is a constant."


def wrong(message: str, mistake: str | None = None, argument: str | None = None, hint: str = "") -> Finding:
    """Return a finding, with the hint of its mistake unless there is a better one; the check comes later."""
    return Finding("", message, mistake, argument, hint or (MISTAKES[mistake].hint if mistake else ""))


def raised(error: StudentError, given: str = "", hint: str = "") -> Finding:
    """Return the finding for an exception of the student's code; `given` says for what."""
    return wrong(f"For {given}, {tell(error)}" if given else tell(error), hint=hint)


def walk_raised(error: StudentError, where: str, hints: Mapping[str, str]) -> Finding:
    """Return the finding for an exception of a walk over a graph; `hints` has one for a type of it."""
    told = "it takes far too long" if error["type"] == "TookTooLong" else tell(error).rstrip(".")
    return wrong(
        f"{where} {told}.", hint=CONSTANTS if "NoneType" in error["message"] else hints.get(error["type"], "")
    )


def gradient_finding(subject: str, found: np.ndarray | None, truth: np.ndarray, argument: str) -> Finding:
    """Return the finding for an array that is not the true one: its sign, its factor, or an entry of it.

    `subject` begins the sentence: `The gradient for weight`. None stands for a gradient that never arrived.
    """
    if found is None or (not found.any() and truth.any()):
        none = "is missing" if found is None else "is zero everywhere"
        return wrong(f"{subject} {none}.", "missing-gradient", argument)
    if found.shape != truth.shape:
        return wrong(f"{subject} has shape {found.shape}, and it should be {truth.shape}.", None, argument)
    if close(found, -truth):
        return wrong(f"{subject} has the opposite sign.", "wrong-sign", argument)
    times = ratio(found, truth)
    if times is not None:
        return wrong(f"{subject} is {times:.4g} times the true one.", "wrong-factor", argument)
    return wrong(f"{subject} differs from the true one: {difference(found, truth)}", None, argument)


def difference(found: np.ndarray, truth: np.ndarray) -> str:
    """Return the entry that is furthest off, in words; the shapes are equal."""
    entry = furthest(found, truth)
    where = f"entry {list(entry)}" if entry else "it"
    digits = 6 if f"{found[entry]:.6g}" != f"{truth[entry]:.6g}" else 15
    return f"{where} is {found[entry]:.{digits}g} and should be {truth[entry]:.{digits}g}."

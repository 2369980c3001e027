"""What comes out of a check: findings, outcomes, one result; plain data throughout."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

BACKWARD_RUNS = "backward runs"  # among what an outcome needs
NOT_WRITTEN = "not written yet."
UNTOUCHED = re.compile("not written yet|^Not a number yet|has no answer yet")


class CannotRun(Exception):  # noqa: N818 - said to a student, who made no error of ours
    """The work could not be tried at all; the message is one sentence for the student."""


@dataclass(frozen=True, eq=False)
class Jacobians:
    """What backward gives for one input, and what it should give: rows are outputs, columns inputs.

    `output_shape` and `input_shape` are the shapes whose entries, in order, are the rows and the columns.
    """

    observed: np.ndarray
    true: np.ndarray
    output_shape: tuple[int, ...]
    input_shape: tuple[int, ...]

    def differing(self) -> np.ndarray:
        """Return where the two differ by more than rounding; NaN always does."""
        equal: np.ndarray = np.isclose(self.observed, self.true, rtol=1e-7, atol=1e-9)
        return ~equal

    def entry(self, row: int, column: int) -> tuple[list[int], list[int]]:
        """Return the indices, in the output and in the input, that a row and a column stand for."""
        pairs = ((row, self.output_shape), (column, self.input_shape))
        output, given = ([int(i) for i in np.unravel_index(flat, shape)] for flat, shape in pairs)
        return output, given


class Shapes(NamedTuple):
    """The shape of a gradient, and that of the input that it is for."""

    gradient: tuple[int, ...]
    input: tuple[int, ...]


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong: which mistake (an id of the table, or None), and one hint.

    `input` names the argument that it is about, `seen` is the call that showed it, with its numbers. A wrong
    gradient brings the Jacobians to be drawn, one of another shape than its input's brings the two shapes.
    """

    check: str
    message: str
    mistake: str | None = None
    input: str | None = None
    hint: str = ""
    seen: str = field(default="", compare=False)
    jacobians: Jacobians | None = field(default=None, compare=False, repr=False)
    shapes: Shapes | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Outcome:
    """How one check went; `reached` is False where an earlier failure left nothing to check.

    `needed` then names what has to be right before: other checks, or that backward runs.
    """

    check: str
    findings: tuple[Finding, ...] = ()
    reached: bool = True
    needed: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Return whether the check ran and found nothing."""
        return self.reached and not self.findings


@dataclass(frozen=True)
class Result:
    """The verdict on one piece of work; `refusal` says why there is none.

    Where there are no points to be had, only what passes counts. `truth` says in a sentence what it was
    compared with, where that is no exercise's. `second_way` is another solution than the usual one, in words.
    """

    exercise: str
    points: Mapping[str, float]
    outcomes: tuple[Outcome, ...]
    seconds: float
    printed: str = field(default="", compare=False)
    refusal: str = ""
    truth: str = ""
    second_way: str = field(default="", compare=False)

    @property
    def passed(self) -> bool:
        """Return whether every check ran and found nothing."""
        return not self.refusal and {o.check for o in self.outcomes if o.passed} == set(self.points)

    @property
    def score(self) -> float:
        """Return the points of the checks that passed."""
        return float(sum(self.points[o.check] for o in self.outcomes if o.passed))

    @property
    def max_score(self) -> float:
        """Return the points of all checks."""
        return float(sum(self.points.values()))

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Return all findings; the first is the cause."""
        return tuple(finding for outcome in self.outcomes for finding in outcome.findings)

    @property
    def not_started(self) -> bool:
        """Return whether the work is still the stub that was handed out."""
        told = [finding.message for finding in self.findings]
        return bool(told) and self.score == 0 and all(UNTOUCHED.search(message) for message in told)

    @property
    def for_a_person(self) -> bool:
        """Return whether a person should decide: the gradient was left to native autograd."""
        return any(finding.mistake == "autograd-in-backward" for finding in self.findings)

    def to_json(self) -> dict[str, Any]:
        """Return the result as the object that `autograder check --json` prints."""
        keys = ("mistake", "check", "input", "message", "hint")
        return {
            "exercise": self.exercise,
            "passed": self.passed,
            "score": self.score,
            "max_score": self.max_score,
            "findings": [{key: getattr(finding, key) for key in keys} for finding in self.findings],
            "seconds": round(self.seconds, 4),
        }

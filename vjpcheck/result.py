"""Defines the result of a check as plain data: findings, outcomes, one result."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from vjpcheck.numbers import apart

BACKWARD_RUNS = "backward runs"  # in `Outcome.needed`
NOT_STARTED = "not started: "  # the beginning of the message about a stub
UNTOUCHED = re.compile(f"^{NOT_STARTED}|^Not a number yet|has no answer yet")


class CannotRun(Exception):  # noqa: N818 - said to a student, who made no error of ours
    """The work cannot be run at all; the message is one sentence for the student."""


@dataclass(frozen=True, eq=False)
class Jacobians:
    """The Jacobian of backward for one input, and the true one; rows are outputs, columns are inputs.

    The rows are the entries, in order, of an array of shape `output_shape`; the columns are those of
    `input_shape`.
    """

    observed: np.ndarray
    true: np.ndarray
    output_shape: tuple[int, ...]
    input_shape: tuple[int, ...]

    def differing(self) -> np.ndarray:
        """Return where the two differ by more than rounding; NaN always counts as different."""
        return apart(self.observed, self.true)

    def entry(self, row: int, column: int) -> tuple[list[int], list[int]]:
        """Return the indices in the output and in the input of a row and a column."""
        pairs = ((row, self.output_shape), (column, self.input_shape))
        output, source = ([int(i) for i in np.unravel_index(flat, shape)] for flat, shape in pairs)
        return output, source


class Shapes(NamedTuple):
    """The shape of a gradient and the shape of its input."""

    gradient: tuple[int, ...]
    input: tuple[int, ...]


class Numbers(NamedTuple):
    """One backward pass with a wrong gradient: the arguments by name, the cotangents, both gradients."""

    arguments: Mapping[str, Any]
    cotangents: tuple[np.ndarray | None, ...]
    observed: np.ndarray
    true: np.ndarray


@dataclass(frozen=True)
class Finding:
    """One wrong thing: the mistake (an id of the table, or None), a message and a hint.

    `input` names the argument concerned. `seen` is the call that showed the mistake, with its numbers. A
    finding for a wrong gradient has the Jacobians to draw and the numbers of one pass, a finding for a wrong
    shape has the two shapes. A `warning` is no error: the derivatives are right.
    """

    check: str
    message: str
    mistake: str | None = None
    input: str | None = None
    hint: str = ""
    seen: str = field(default="", compare=False)
    jacobians: Jacobians | None = field(default=None, compare=False, repr=False)
    shapes: Shapes | None = field(default=None, compare=False, repr=False)
    numbers: Numbers | None = field(default=None, compare=False, repr=False)
    warning: bool = False


@dataclass(frozen=True)
class Outcome:
    """The outcome of one check; `reached` is False if an earlier failure made the check impossible.

    `needed` then names the conditions that must hold first: other checks, or that backward runs.
    `unavailable` is a sentence that says that this release of PyTorch does not allow the check.
    """

    check: str
    findings: tuple[Finding, ...] = ()
    reached: bool = True
    needed: tuple[str, ...] = ()
    unavailable: str = ""

    @property
    def passed(self) -> bool:
        """Return whether the check ran and found no error."""
        return self.reached and all(finding.warning for finding in self.findings)


@dataclass(frozen=True)
class Result:
    """The verdict on one piece of work; `refusal` says why there is none.

    If there are no points, only the passed checks matter. `truth` says in a sentence what the work was
    compared with, if it has no specification. `second_way` describes another solution in words. `never_ran`
    has sentences about the lines of the work that no trial reached; they take no points. `caution` says
    what a person will have to look at before the points count.
    """

    name: str
    points: Mapping[str, float]
    outcomes: tuple[Outcome, ...]
    seconds: float
    printed: str = field(default="", compare=False)
    refusal: str = ""
    truth: str = ""
    second_way: str = field(default="", compare=False)
    never_ran: tuple[str, ...] = ()
    caution: str = field(default="", compare=False)

    @property
    def remarks(self) -> tuple[str, ...]:
        """Return the sentences that take no points."""
        return (*self.never_ran, *filter(None, [self.caution]))

    @property
    def passed(self) -> bool:
        """Return whether every check ran and found no error."""
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
        messages = [finding.message for finding in self.findings]
        return bool(messages) and self.score == 0 and all(UNTOUCHED.search(message) for message in messages)

    @property
    def for_a_person(self) -> bool:
        """Return whether a person should decide: native autograd was used, or a check was impossible."""
        unavailable = any(outcome.unavailable for outcome in self.outcomes)
        return unavailable or any(f.mistake == "autograd-in-backward" for f in self.findings)

    def to_json(self) -> dict[str, Any]:
        """Return the result as plain data."""
        keys = ("mistake", "check", "input", "message", "hint", "warning")
        return {
            "name": self.name,
            "passed": self.passed,
            "score": self.score,
            "max_score": self.max_score,
            "findings": [{key: getattr(finding, key) for key in keys} for finding in self.findings],
            "never_ran": [*self.never_ran],
            "seconds": round(self.seconds, 4),
        }

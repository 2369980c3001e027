"""Grades what one student after the other has handed in, in one sandbox and with the same numbers."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from functools import cached_property

from autograder.grading.ahead import Script
from autograder.grading.assignment import Assignment
from autograder.grading.grade import grade_one
from autograder.grading.graded import Graded
from autograder.grading.rehearsal import rehearse
from autograder.grading.sandbox import Sandbox
from autograder.grading.submitted import HandedIn


def new_seed() -> int:
    """Return a seed that no submission can know."""
    return secrets.randbits(63)


class Grader:
    """Grades the notebooks of an assignment, for one run over a class.

    All submissions are tried with the numbers of one seed, so that what they will be asked is known ahead.
    Nothing leads from one submission to another but feedback, which comes after the run; where the isolation
    is weak, something might, and each submission has a seed of its own.
    """

    def __init__(self, assignments: Mapping[str, Assignment], sandbox: Sandbox, seed: int) -> None:
        self._assignments = assignments
        self._sandbox = sandbox
        self._seed = seed

    def grade(self, handed_in: Mapping[str, HandedIn]) -> dict[str, Graded]:
        """Return the grade of each of a student's notebooks, by name; raises SandboxFailed."""
        return {name: self._grade(name, given) for name, given in handed_in.items()}

    def _grade(self, name: str, given: HandedIn) -> Graded:
        assignment = self._assignments[name]
        if self._sandbox.level.weak:
            return grade_one(assignment, given, self._sandbox, new_seed())
        return grade_one(assignment, given, self._sandbox, self._seed, self._scripts[name])

    @cached_property
    def _scripts(self) -> dict[str, dict[str, Script]]:
        return {
            name: rehearse(assignment, self._sandbox, self._seed)
            for name, assignment in self._assignments.items()
        }

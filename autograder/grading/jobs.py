"""What a worker is given and what it gives back: plain data that travels between processes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from autograder.grading.assignment import Assignment
from autograder.grading.graded import Graded
from autograder.grading.submission import HandedIn


@dataclass(frozen=True)
class Job:
    """One student's notebooks by name; `own` is the assignment, where it was made for this student."""

    student: str
    handed_in: Mapping[str, HandedIn]
    own: Mapping[str, Assignment] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """Return how many bytes were handed in."""
        return sum(len(given.content) for given in self.handed_in.values())


@dataclass(frozen=True)
class Outcome:
    """What became of a job: a grade for each notebook, or the fault of ours that prevented one.

    Our faults are that no sandbox can be started and that the grades cannot be written. Whatever else goes
    wrong on behalf of a submission is its grade.
    """

    student: str
    graded: Mapping[str, Graded] = field(default_factory=dict)
    fault: str = ""


@dataclass(frozen=True)
class Ready:
    """The worker has imported all that it needs, and its sandbox answers."""


@dataclass(frozen=True)
class Ending:
    """The worker ends: the reason, or '' where it has only grown."""

    reason: str = ""

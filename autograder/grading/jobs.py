"""The messages between a worker and its pool: plain data that travels between processes."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from autograder.grading.assignment import Assignment
from autograder.grading.notebook_grade import NotebookGrade
from autograder.grading.submission import Submission


@dataclass(frozen=True)
class Job:
    """One student's notebooks by name; `own` is the assignment if it was made for this student."""

    student: str
    submissions: Mapping[str, Submission]
    own: Mapping[str, Assignment] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """Return how many bytes were handed in."""
        return sum(len(submission.content) for submission in self.submissions.values())


@dataclass(frozen=True)
class Outcome:
    """The outcome of a job: a grade for each notebook, or the autograder's fault that prevented one.

    A fault means that no sandbox could be started or that the grades could not be written. Any other failure
    becomes the submission's grade.
    """

    student: str
    graded: Mapping[str, NotebookGrade] = field(default_factory=dict)
    fault: str = ""


@dataclass(frozen=True)
class Ready:
    """The worker has imported all that it needs, and its sandbox answers."""


@dataclass(frozen=True)
class Ending:
    """The worker ends, with the reason, or '' if it only uses too much memory."""

    reason: str = ""

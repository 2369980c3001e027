"""Grades the exercises of the course, and names the mistakes in them.

Read in this order: `exercise` (the data of an exercise), `exercises/` (all exercises, one file per lesson),
`tasks/` (exercises that are not Functions, each with a probe and a verdict), `engine/` (Functions of the
course's engine), `check`, `worker` (a file instead of a notebook), `cli`. The package vjpcheck judges a
Function. For a class: `grading/` (every submission, isolated), `report/` (its results), `gradescope/`.
"""

import os
import warnings

try:
    from autograder.check import VALIDATING, check, grade
    from autograder.torch_release import untried
except ModuleNotFoundError as missing:
    if missing.name is None or missing.name.split(".")[0] in ("autograder", "course", "vjpcheck"):
        raise
    raise ModuleNotFoundError(
        f"The autograder needs {missing.name}, which is not installed: run "
        'pip install "write-your-own-backward[course]", or [grading] for a class.',
        name=missing.name,
    ) from None

__all__ = ["check", "grade"]

# in a graded cell, nbgrader takes a warning for an error
if (_sentence := untried()) and VALIDATING[0] not in os.environ:
    warnings.warn(_sentence, stacklevel=2)

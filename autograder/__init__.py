"""Checks a backward and names the mistake in it.

Read in this order: `exercise` (the data of an exercise), `exercises/` (all exercises, one file per lesson),
`function/` (a probe that runs the student's code, a verdict that never runs it, explanations),
`tasks/` (exercises that are not Functions, each with a probe and a verdict),
`result` (the outcome of a check), `submission` and `worker` (a file instead of a notebook), `cli`,
`diagnose/` (a Function that belongs to no exercise).
For a class: `grading/` (every submission, isolated), `report/` (results of the class), `gradescope/`.
"""

import os
import warnings

from autograder.check import VALIDATING, check, grade
from autograder.diagnose import diagnose
from autograder.torch_release import untried

__all__ = ["check", "diagnose", "grade"]

# in a graded cell, nbgrader takes a warning for an error
if (_sentence := untried()) and VALIDATING[0] not in os.environ:
    warnings.warn(_sentence, stacklevel=2)

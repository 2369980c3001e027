"""Checks a backward and names the mistake in it.

Read in this order: `exercise` (the data of an exercise), `exercises/` (all exercises, one file per lesson),
`function/` (a probe that runs the student's code, a verdict that never runs it, explanations),
`tasks/` (exercises that are not Functions, each with a probe and a verdict),
`result` (the outcome of a check), `submission` and `worker` (a file instead of a notebook), `cli`,
`diagnose/` (a Function that belongs to no exercise).
For a class: `grading/` (every submission, isolated), `report/` (results of the class), `gradescope/`.
"""

from autograder.check import check, grade
from autograder.diagnose import diagnose

__all__ = ["check", "diagnose", "grade"]

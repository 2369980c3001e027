"""Says whether a backward is right, and if not, which mistake it is.

Read in this order: `exercise` (what is asked), `exercises/` (all of it, one file a lesson),
`function/` (a probe beside the student's code, a verdict that never runs it, an explanation),
`tasks/` (exercises that are not Functions, a probe and a verdict each),
`result` (what comes out), `submission` and `worker` (a file instead of a notebook), `cli`,
`diagnose/` (a Function that no exercise asks for).
For a class: `grading/` (every submission, isolated), `report/` (what it says about the class), `gradescope/`.
"""

from autograder.check import check, grade
from autograder.diagnose import diagnose

__all__ = ["check", "diagnose", "grade"]

"""Says whether a backward is right, and if not, which mistake it is.

Read in this order: `exercise` (what is asked), `exercises/` (all of it, one file a lesson),
`function/` (a probe beside the student's code, a verdict that never runs it, an explanation),
`engine_function/` (the same probe for Functions of the course's engine, without torch),
`sweep/`, `graph_walk/`, `unbroadcast/`, `adjoints/` and `tasks/` (for exercises that are not Functions),
`result` (what comes out), `submission` and `worker` (a file instead of a notebook), `cli`.
For a class: `grading/` (everybody's work, shut in), `report/` (what it says about the class), `gradescope/`.
"""

from autograder.feedback import check, grade

__all__ = ["check", "grade"]

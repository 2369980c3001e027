"""Grades a class: each submission runs in a sandbox and is judged outside of it.

Read in this order: `assignment` (what the instructor wrote), `submission` and `rebuild` (the notebook that
is run in place of the submitted one), `static_scan` (code that a person should look at), `sandbox/` (where
it runs), `grade` (one submission), `graded` and `autograded` (what comes out), `course`, `registration` and
`gradebook` (nbgrader's folders and database), `workers` and `run` (a whole class), `cluster` (on many
machines), `cli` (the command), `nbgrader_plugins` (the same grading for nbgrader's own commands).
"""

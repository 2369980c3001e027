"""Grades a class: what students hand in is run in a sandbox and judged outside of it.

Read in this order: `assignment` (what the instructor wrote), `submitted` and `rebuild` (the notebook that is
run in place of the submitted one), `levels`, `sandbox`, `walls`, `warm` and `confine` (where it is run),
`session`, `allowance` and `ahead` (the conversation with it), `grade` (one submission), `graded` (what comes
out), `notebook` and `gradebook` (where that is put down), `rehearsal` and `grader` (one after the other),
`pool` and `run` (a whole class), `cluster` (on many machines), `doors` (the same for nbgrader's own
commands).
"""

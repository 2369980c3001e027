"""Grades a class: each submission runs in a sandbox and is judged outside of it.

Read in this order: `assignment` (what the instructor wrote), `names` (who handed in), `renamed`,
`submission`, `signatures`, `recognise` and `rebuild` (the notebook that is run in place of the submitted
one), `review/` (what of its code no exercise needs), `sandbox/` (where it runs), `notebook_run` (which cells
run, for which task), `grade` (one submission) in `memory` (bounded), `graded`, `bounded` and `autograded`
(what comes out), `given_up` (what comes out where nothing could be judged), `course`, `registration` and
`gradebook` (nbgrader's folders and database), `submitted` (what others ask of it), `jobs`, `worker`,
`workers` and `run` (a whole class), `cluster` (on many machines), `cli` (the command), `archives` (what is
read of a zip), `nbgrader_plugins`, `collect` and `logs` (for nbgrader's own commands: the same grading,
collecting, and what they say).
"""

"""Grades a class: each submission runs in a sandbox and is judged outside of it.

Read in this order: `assignment` (the instructor's notebook), `names` (student ids), `notebook_search`,
`submission`, `signatures`, `recognise` and `rebuild` (the notebook that is run in place of the submitted
one), `sandbox/` (runs the code, under the guards of the package beside this one), `notebook_run` (which cells
run, for which task), `grade` (one submission) in `memory` (bounded), `notebook_grade`, `output_limits` and
`output_notebook` (the result), `zero_grade` (the result where nothing could be judged), `course`, `exchange`,
`registration` and `gradebook` (nbgrader's folders, exchange and database), `submission_query` and
`gradebook_queries` (how others read it), `late_penalty` and `assignment_change`, `jobs`, `worker`, `workers`
and `run` (a whole class), `cluster` (many machines), `cli` (the command), `archives` (reads zip files),
`refused` (what was handed in that is no notebook), `nbgrader_plugins`, `collect` and `logs` (nbgrader's own
commands: grading, collecting and logging).
"""

"""Writes feedback: one page per notebook, which needs no network and has no remark for the instructor.

Read in this order: `marks` and `read` (the points and comments, from the gradebook), `page` (the page),
`exporter` (for nbgrader's own commands and the formgrader), `write` (many pages in several processes), `cli`
(the command).
"""

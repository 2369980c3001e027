"""A learning platform's files, in and out: roster, submissions, grades, feedback.

`download` (the files of a download), `canvas` and `moodle` (what their names and tables mean), `table`,
`roster` (who is meant), `collect` (from a download into submitted/), `collected` (what was taken from where),
`post` (grades and feedback for the platform), and on top `cli`.
"""

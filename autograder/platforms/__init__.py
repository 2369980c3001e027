"""A learning platform's files, in and out: roster, submissions, grades, feedback.

`download` (the files of a download), `canvas` and `moodle` (their file names and tables), `people`, `table`,
`roster` (students by platform number), `collect` (copies a download to submitted/), `origins` (the source of
each copied file), `post` (grades and feedback for the platform), and on top `cli`.
"""

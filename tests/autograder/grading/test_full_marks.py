"""Honest work has full marks and nobody is asked, whatever stands beside it and whatever its name."""

import json

import nbformat
import pytest
from made_course import ASSIGNMENT, run

from .honest import CASES
from .honest_styles import STYLES

WORK = CASES | STYLES


@pytest.mark.long
def test_full_marks_and_nobody_is_asked(new_course):
    for name, work in WORK.items():
        notebook = new_course.notebook(new_course.right())
        nbformat.write(notebook, new_course.folder(name) / work(notebook))
    said = run(new_course.path, "autograder", "grade", ASSIGNMENT, "--json", "--jobs", "2").stdout
    rows = {row["student"]: row for row in map(json.loads, said.splitlines())}
    assert rows.keys() == WORK.keys()
    assert {n: row for n, row in rows.items() if row["score"] != 20 or row["needs_person"]} == {}

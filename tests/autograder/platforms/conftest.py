"""A course for each test, from one that the module makes once."""

import shutil
from copy import copy

import pytest


@pytest.fixture
def course(made, tmp_path):
    """A copy of the module's course."""
    shutil.copytree(made.folder, tmp_path / "course")
    course = copy(made)
    course.folder = tmp_path / "course"
    return course

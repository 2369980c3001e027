"""Where nbgrader's configuration says that a course keeps its things."""

from __future__ import annotations

from pathlib import Path

from nbgrader.apps import NbGrader
from nbgrader.coursedir import CourseDirectory


def course_settings() -> CourseDirectory:
    """Return the folders, course id and gradebook address that nbgrader uses in the current folder.

    Raises ValueError if there is no nbgrader_config.py here.
    """
    if not Path("nbgrader_config.py").exists():
        raise ValueError("There is no nbgrader_config.py here; run this in the folder of the course.")
    app = NbGrader()
    app.load_config_file()
    return CourseDirectory(config=app.config)

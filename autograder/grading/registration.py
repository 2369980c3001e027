"""Registers an assignment in the gradebook, as `nbgrader generate_assignment` would, without releasing it."""

import logging
from tempfile import TemporaryDirectory
from typing import Any

from nbgrader.converters import GenerateAssignment, NbGraderException
from nbgrader.coursedir import CourseDirectory

from autograder.grading.assignment import WrongAssignment


def register(app: Any, assignment: str) -> None:
    """Write the assignment's notebooks, cells and points from its sources into the gradebook.

    `app` is nbgrader's app with the course's configuration. Nothing is released. Raises WrongAssignment with
    nbgrader's reason if nbgrader refuses.
    """
    log = logging.Logger("registration", logging.ERROR)
    refusals = _Refusals()
    log.addHandler(refusals)
    with TemporaryDirectory() as nowhere:
        directory = CourseDirectory(parent=app, assignment_id=assignment, release_directory=nowhere)
        try:
            GenerateAssignment(coursedir=directory, parent=app, log=log).start()
        except NbGraderException as error:
            raise WrongAssignment(
                f"{assignment} cannot be registered in the gradebook. {refusals.reason or error} (If grades "
                f"were given before its cells changed, `nbgrader db assignment remove {assignment} --force` "
                "forgets them.)"
            ) from None


class _Refusals(logging.Handler):
    """Keeps the first reason that nbgrader logs: the last line of a traceback."""

    reason = ""

    def emit(self, record: logging.LogRecord) -> None:
        message = record.getMessage().strip()
        if not self.reason and message.startswith("Traceback"):
            self.reason = message.splitlines()[-1].partition(": ")[2]

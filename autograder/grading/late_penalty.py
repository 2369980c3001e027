"""Assigns late penalties by nbgrader's documented plugin; each run computes them anew."""

import math
import traceback
from datetime import datetime
from pathlib import Path
from typing import Any

from nbgrader.preprocessors import AssignLatePenalties
from traitlets import TraitError

from autograder.grading.assignment import WrongAssignment
from autograder.grading.gradebook import Book


class PluginFailed(Exception):  # noqa: N818 - the instructor's plugin, in a sentence
    """The course's plugin raised an error or returned no number; the message says where and what to do."""


class LatePenalties:
    """The plugin of `c.AssignLatePenalties.plugin_class`, which may be in a module of the course folder.

    Raises WrongAssignment if the class cannot be imported or is no plugin.
    """

    def __init__(self, app: Any) -> None:
        try:
            assign = AssignLatePenalties(parent=app)
            assign.init_plugin()
        except Exception as error:  # whatever the module raises that is imported here
            what = str(
                error.error_info if isinstance(error, TraitError) and hasattr(error, "error_info") else error
            )
            named = app.config.AssignLatePenalties.get("plugin_class", "")
            raise WrongAssignment(
                f"The plugin for late penalties {named} cannot be used: {type(error).__name__}: "
                f"{what.splitlines()[0] if what else ''} (c.AssignLatePenalties.plugin_class in "
                "nbgrader_config.py names it as MODULE.CLASS, such as late.MyLate for MyLate in late.py.)"
            ) from None
        self._plugin = assign.plugin_inst

    def penalty(self, student: str, score: float, seconds: float) -> float | None:
        """Return the points to take off a late notebook, at most `score`; None if the plugin returns None.

        The bounds are those of nbgrader's AssignLatePenalties. Raises PluginFailed.
        """
        try:
            returned = self._plugin.late_submission_penalty(student, score, seconds)
            penalty = None if returned is None else float(returned)
        except Exception as error:
            where = traceback.extract_tb(error.__traceback__)[-1]
            raise PluginFailed(
                f"The late penalty is missing, because {type(self._plugin).__name__} raised "
                f"{type(error).__name__}: {error} ({Path(where.filename).name}, line {where.lineno}). "
                "Correct the plugin and run this again."
            ) from None
        if penalty is None:
            return None
        if math.isnan(penalty):
            name = type(self._plugin).__name__
            raise PluginFailed(
                f"The late penalty is missing: {name} returned nan. Correct it and run this again."
            )
        return min(max(penalty, 0.0), score)

    def assign(self, book: Book, student: str, timestamp: datetime | None) -> None:
        """Write the time of a submission, if that is known, and its penalty.

        If the submission is no longer late, its penalty is removed. Raises PluginFailed and sqlalchemy's
        errors; then nothing is written.
        """
        with book.session() as db:
            submission = book.submission(db, student)
            if timestamp is not None:
                submission.timestamp = timestamp
            seconds = float(submission.total_seconds_late)
            for notebook in submission.notebooks:
                score = float(notebook.score)
                notebook.late_submission_penalty = (
                    self.penalty(student, score, seconds) if seconds > 0 else None
                )
            db.commit()

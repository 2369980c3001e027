"""The probe of an exercise: it runs beside the student's code and knows no truth."""

from __future__ import annotations

from importlib import import_module
from typing import Any, cast, get_args

from autograder.exercise import Library, Subject
from autograder.function.probe import FunctionProbe
from autograder.usual_settings import usual_settings


def probe_of(subject: Subject, work: Any) -> Any:
    """Return what answers about a piece of work with plain arrays and facts, made with the usual settings.

    Raises `autograder.result.CannotRun` if the work is not of the kind that the exercise asks for.
    """
    with usual_settings():
        if subject.kind in get_args(Library):
            library = cast(Library, subject.kind)
            return FunctionProbe(work, subject.object_name, subject.modifies, library)
        return import_module(f"autograder.tasks.{subject.kind}.probe").Probe(work, subject.object_name)

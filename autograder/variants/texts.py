"""The texts and the solution of a member: its family's template, filled in."""

import re
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from autograder.exercise import Exercise, FunctionExercise
from autograder.variants import formulas
from autograder.variants.small_case import latex, number, small_case

TEMPLATES = Path(__file__).parent / "templates"
_SECTION = re.compile(r"^=== (\w+)\n", re.MULTILINE)


def texts(exercise: Exercise) -> Mapping[str, str]:
    """Return the sections of a member's template, by name: `why`, `case`, `solution`, `hints` and others.

    Raises jinja2's errors for a template that asks for what there is not.
    """
    words = import_module(f"autograder.variants.words.lesson_{exercise.lesson:02}")
    filling = {
        **exercise.chosen,  # which the words may replace
        "name": exercise.object_name,
        "tex": formulas.latex,
        "code": formulas.code,
        "factor": formulas.factor,
        "at": formulas.at,
        "latex": latex,
        "num": number,
        **(
            {"names": exercise.parameters, "small": small_case(exercise)}
            if isinstance(exercise, FunctionExercise)
            else {}
        ),
        **getattr(words, exercise.family)(exercise.chosen),
    }
    filled = _environment().get_template(f"{exercise.family}.md").render(filling)
    _, *parts = _SECTION.split(filled)
    return {name: text.strip("\n") for name, text in zip(parts[::2], parts[1::2], strict=True)}


@cache
def _environment() -> Environment:
    """Return an environment whose marks are those of neither LaTeX, Markdown nor Python."""
    return Environment(
        loader=FileSystemLoader(TEMPLATES),
        undefined=StrictUndefined,
        variable_start_string="<<",
        variable_end_string=">>",
        block_start_string="<%",
        block_end_string="%>",
        comment_start_string="<#",
        comment_end_string="#>",
        autoescape=False,
    )

"""Says of a wrong forward that it is the one of another variant of the exercise."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.arguments import Arguments
from autograder.exercise import FunctionExercise
from autograder.function import requests
from autograder.function.case import Case
from autograder.function.inputs import samples
from autograder.function.truth import NativeTruth
from autograder.mistakes import named
from autograder.numbers import close
from autograder.result import OTHER_VARIANT, Finding

if TYPE_CHECKING:
    from autograder.function.answers import Forward


def finding(case: Case, check: str) -> Finding | None:
    """Return what names the variant that forward computes, or None where there is no such one.

    The Function is asked once more, with the arguments of the other variants: in their order and shapes.
    """
    exercise = case.exercise
    if exercise.siblings is None:
        return None
    groups = defaultdict(list)
    for sibling in exercise.siblings(exercise.id):
        if isinstance(sibling, FunctionExercise) and exercise.unlike(sibling):
            groups[_layout(sibling)].append(sibling)
    tried = {layout: _arguments(group[0]) for layout, group in groups.items()}
    answers = iter(case.ask([requests.forward(given) for each in tried.values() for given in each]))
    for layout, group in groups.items():
        given = [(arguments, next(answers)) for arguments in tried[layout]]
        found = next((sibling for sibling in group if all(_computes(sibling, *one) for one in given)), None)
        if found is not None:
            message = f"{OTHER_VARIANT}: {found.summary}. Your notebook asks for this: {exercise.summary}."
            return named("forward-value", check, None, message)
    return None


def _layout(sibling: FunctionExercise) -> tuple[Any, ...]:
    shapes = tuple(np.shape(a) if isinstance(a, np.ndarray) else () for a in sibling.small)
    return sibling.parameters, shapes


def _arguments(sibling: FunctionExercise) -> Sequence[Arguments]:
    return samples(sibling, np.random.default_rng(0))


def _computes(sibling: FunctionExercise, arguments: Arguments, answer: Forward) -> bool:
    if "error" in answer:
        return False
    try:
        truths = NativeTruth(sibling.library, sibling.forward, arguments).outputs
    except (RuntimeError, IndexError):  # a variant for arguments of other shapes
        return False
    found = answer["outputs"][: len(truths)]
    pairs = zip(found, truths, strict=False)
    return len(found) == len(truths) and all(close(found, truth, sibling.tolerance) for found, truth in pairs)

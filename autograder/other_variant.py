"""Names the variant of an exercise that a wrong forward computes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.exercise import Exercise, FunctionExercise
from vjpcheck.arguments import Arguments
from vjpcheck.ask import requests
from vjpcheck.ask.protocol import ProbeClient
from vjpcheck.mistakes import named as with_hint
from vjpcheck.numbers import close
from vjpcheck.result import Finding, Outcome, Result
from vjpcheck.samples import drawn
from vjpcheck.truth.native import NativeTruth

if TYPE_CHECKING:
    from vjpcheck.ask.answers import Forward

# these begin a message
OTHER_VARIANT = "This computes what another variant of the exercise asks for"
FOR_OTHER = "This is handed in for another variant of the exercise"


def is_of_other_variant(result: Result) -> bool:
    """Return whether the work is what another variant of the exercise asks for."""
    return any(finding.message.startswith((OTHER_VARIANT, FOR_OTHER)) for finding in result.findings)


def handed_in_for_other(exercise: Exercise, evidence: str) -> str:
    """Return the message for work that is not tried as that of the exercise, as the evidence shows."""
    asked = f"{exercise.object_name} {exercise.signature}: {exercise.summary}"
    return f"{FOR_OTHER}: {evidence}. Your own notebook asks for {asked}."


def named(exercise: FunctionExercise, probe: ProbeClient, outcomes: Iterable[Outcome]) -> Iterator[Outcome]:
    """Yield the outcomes; a wrong forward of another variant has that one finding.

    The Function is asked once more, with the arguments of the other variants: in their order and shapes.
    """
    for outcome in outcomes:
        other = _finding(exercise, probe) if outcome.check == "forward" and outcome.findings else None
        yield outcome if other is None else replace(outcome, findings=(other,))


def _finding(exercise: FunctionExercise, probe: ProbeClient) -> Finding | None:
    if exercise.siblings is None:
        return None
    groups = defaultdict(list)
    for sibling in exercise.siblings(exercise.id):
        if isinstance(sibling, FunctionExercise) and exercise.unlike(sibling):
            groups[_layout(sibling)].append(sibling)
    tried = {layout: _arguments(group[0]) for layout, group in groups.items()}
    answers = iter(probe.ask([requests.forward(arguments) for each in tried.values() for arguments in each]))
    for layout, group in groups.items():
        pairs = [(arguments, next(answers)) for arguments in tried[layout]]
        other = next((sibling for sibling in group if all(_computes(sibling, *one) for one in pairs)), None)
        if other is not None:
            message = f"{OTHER_VARIANT}: {other.summary}. Your notebook asks for this: {exercise.summary}."
            return with_hint("forward-value", "forward", None, message)
    return None


def _layout(sibling: FunctionExercise) -> tuple[Any, ...]:
    shapes = tuple(np.shape(a) if isinstance(a, np.ndarray) else () for a in sibling.small)
    return sibling.parameters, shapes


def _arguments(sibling: FunctionExercise) -> Sequence[Arguments]:
    return drawn(sibling, np.random.default_rng(0)).samples[:-1]


def _computes(sibling: FunctionExercise, arguments: Arguments, answer: Forward) -> bool:
    if "error" in answer:
        return False
    try:
        truths = NativeTruth(sibling.library, sibling.forward, arguments).outputs
    except (RuntimeError, IndexError):  # a variant for arguments of other shapes
        return False
    outputs = answer["outputs"][: len(truths)]
    pairs = zip(outputs, truths, strict=False)
    return len(outputs) == len(truths) and all(close(one, truth, sibling.tolerance) for one, truth in pairs)

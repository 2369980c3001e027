"""The edges of a tape, from a step to its operands and from a node to the steps that use it."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from course.engine.tape import Step


class Use(NamedTuple):
    """An edge to a node: the step that uses it, its local derivative, and its contribution."""

    user: str
    local: float
    contribution: float


def edges_of(step: Step) -> list[tuple[str, float]]:
    """Return the operands of a step, each with the local derivative of its edge."""
    return [*zip(step.operands, step.partials, strict=True)]


def uses_of(name: str, steps: Sequence[Step], truths: Mapping[str, float]) -> list[Use]:
    """Return the edges by which a node is used; `truths` are the adjoints."""
    return [
        Use(step.name, local, local * truths[step.name])
        for step in steps
        for operand, local in edges_of(step)
        if operand == name
    ]

"""Wrong forward sweeps: the tangents that they give for a tape, the names of inputs and their seeds."""

import math
from collections.abc import Callable, Sequence
from functools import partial

from autograder.tasks.tape_edges import edges_of
from autograder.tasks.wrong_walks import (
    ADD,
    BY_PLACE,
    FIRST_PARTIAL,
    ONCE_A_STEP,
    PRODUCT,
    STARTS,
    Numbers,
    Tape,
    Walk,
)
from course.engine.tape import Step

OVERWRITES = "overwrites-instead-of-accumulates"
REPLACED = "Each contribution to a step replaces the one before it; they must be added."
AVERAGED = "The contributions to a step are averaged; they must be added."
DEALT = "The seeds are given to the inputs in the order of the tape, not in that of `inputs`."
NO_CHAIN = "The local derivatives are added up without the tangents of the operands."
PASSED_ON = "The tangents of the operands are added up without the local derivatives of the edges."
PRODUCT_OF_SUMS = "The tangents are added up before they are multiplied by the sum of the local derivatives."
IN_ORDER = "The first seed is that of inputs[0]. How can you find the seed of a leaf by its name?"


def _forward(
    tape: Tape, inputs: Sequence[str], seeds: Sequence[float], step_of: Callable[[Step, Numbers], float]
) -> Numbers:
    seed_of, tangents = dict(zip(inputs, seeds, strict=True)), Numbers()
    for step in tape:
        tangents[step.name] = step_of(step, tangents) if step.operands else seed_of.get(step.name, 0.0)
    return tangents


def _chain(step: Step, tangents: Numbers) -> float:
    return sum(tangents[o] * p for o, p in edges_of(step))


def _operands(step: Step, tangents: Numbers) -> float:
    return sum(tangents[operand] for operand in step.operands)


def _each_operand_once(step: Step, tangents: Numbers, first: bool) -> float:
    edges = edges_of(step)
    return sum(tangents[o] * p for o, p in dict(edges[::-1] if first else edges).items())


def _first_partial(step: Step, tangents: Numbers) -> float:
    return sum(tangents[operand] * step.partials[step.operands.index(operand)] for operand in step.operands)


def _dealt_in_tape_order(tape: Tape, inputs: Sequence[str], seeds: Sequence[float]) -> Numbers:
    return _forward(tape, [step.name for step in tape if step.name in inputs], seeds, _chain)


def _of_ones(tape: Tape, inputs: Sequence[str], seeds: Sequence[float]) -> Numbers:
    return _forward(tape, inputs, [1.0] * len(seeds), _chain)


def _of_all_leaves(tape: Tape, inputs: Sequence[str], seeds: Sequence[float]) -> Numbers:
    leaves = [step.name for step in tape if not step.operands]
    return _forward(tape, leaves, [dict(zip(inputs, seeds, strict=True)).get(x, 1.0) for x in leaves], _chain)


def _of_length_one(tape: Tape, inputs: Sequence[str], seeds: Sequence[float]) -> Numbers:
    length = math.hypot(*seeds)
    return _forward(tape, inputs, [seed / length for seed in seeds] if length else seeds, _chain)


# wrong ways to compute the tangent of a step from those of its operands
STEPS: list[tuple[str, str, str, Callable[[Step, Numbers], float]]] = [
    (OVERWRITES, REPLACED, ADD, lambda step, tangents: tangents[step.operands[0]] * step.partials[0]),
    (OVERWRITES, REPLACED, ADD, lambda step, tangents: tangents[step.operands[-1]] * step.partials[-1]),
    *((OVERWRITES, ONCE_A_STEP, ADD, partial(_each_operand_once, first=first)) for first in (False, True)),
    ("wrong-operand", FIRST_PARTIAL, BY_PLACE, _first_partial),
    ("mean-instead-of-sum", AVERAGED, ADD, lambda step, t: _chain(step, t) / len(step.operands)),
    ("cotangent-summed", PRODUCT_OF_SUMS, PRODUCT, lambda step, t: _operands(step, t) * sum(step.partials)),
    ("missing-tangent", NO_CHAIN, PRODUCT, lambda step, _: sum(step.partials)),
    ("missing-factor", PASSED_ON, PRODUCT, _operands),
]
FORWARD: list[Walk] = [
    *(Walk(mistake, text, hint, partial(_forward, step_of=step)) for mistake, text, hint, step in STEPS),
    Walk("wrong-order", DEALT, IN_ORDER, _dealt_in_tape_order),
    Walk("missing-tangent", "The inputs start with 1, whatever the seed is.", STARTS, _of_ones),
    Walk("gradient-nonlinear", "The seeds are divided by their norm.", STARTS, _of_length_one),
    Walk(None, "Leaves that are no inputs start with 1; their tangent is 0.", STARTS, _of_all_leaves),
]

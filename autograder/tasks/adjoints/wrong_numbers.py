"""Wrong adjoints of one node, each with the mistake that gives it."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

import numpy as np

from autograder.tasks.tape_edges import Use, edges_of, uses_of
from course.engine.tape import Step
from vjpcheck.naming.other_derivatives import FORMULAS

# the derivatives of sin, −sin, ln and exp, at a number that is not 0
DERIVATIVES: Sequence[Callable[[float], float]] = (
    math.cos,
    lambda x: -math.cos(x),
    lambda x: 1 / x,
    math.exp,
)
OWN_EDGE = "To which node does the local derivative of {} with respect to {} belong?"
LEAVES = "Follow each path from the output: at which node does it end?"
TIMES = "The adjoint of the node above is complete. How often does each edge send it on?"
SEED = "What is the derivative of the output with respect to itself?"


# Work by hand is rounded: the exercise asks for four significant digits.
RELATIVE, ABSOLUTE = 5e-4, 5e-5


def equal(value: float | None, truth: float) -> bool:
    """Return whether a number by hand is another one; None is no number."""
    return value is not None and math.isclose(value, truth, rel_tol=RELATIVE, abs_tol=ABSOLUTE)


@dataclass(frozen=True)
class Attempt:
    """A student's adjoints, the right ones, and the values of the forward pass, by node; and the tape."""

    answers: Mapping[str, float | None]
    truths: Mapping[str, float]
    values: Mapping[str, float]
    steps: Sequence[Step]

    def uses(self, name: str) -> list[Use]:
        """Return the edges by which a node is used."""
        return uses_of(name, self.steps, self.truths)

    def step(self, name: str) -> Step:
        """Return the step that computes a node."""
        return next(step for step in self.steps if step.name == name)


class Cause(NamedTuple):
    """The cause of a wrong number: a mistake and a message; '' stands for the hint of the mistake."""

    mistake: str
    message: str
    hint: str = ""


def find_cause(name: str, attempt: Attempt) -> Cause | None:
    """Return the cause of a node's wrong number; if several mistakes give it, the more specific one."""
    # of the further candidates, which are more, one may agree by chance
    candidates = chain(_candidates(name, attempt), _further_candidates(name, attempt))
    value = attempt.answers[name]
    return next((one for number, one in candidates if equal(value, number)), None)


def _candidates(name: str, attempt: Attempt) -> Iterator[tuple[float, Cause]]:
    answers, truths, values = attempt.answers, attempt.truths, attempt.values
    truth, uses = truths[name], attempt.uses(name)
    yield values[name], Cause("value-for-derivative", f"that is the value of {name}, not its adjoint")
    for other in truths:
        further = [one for one in truths if one not in (name, other)]
        if not all(equal(answers.get(one), truths[one]) for one in further):
            continue  # if others are wrong too, two numbers may be exchanged by chance
        if not equal(truths[other], truth) and equal(answers.get(other), truth):
            yield truths[other], Cause("gradients-swapped", f"{name} and {other} are exchanged", LEAVES)
    for operand, local in (edge for step in attempt.steps if step.name == name for edge in edges_of(step)):
        message = (
            f"that is its contribution to {operand}: {name} is not multiplied by its own local derivative"
        )
        yield truth * local, Cause("extra-factor", message, OWN_EDGE.format(name, operand))
    if len(uses) > 1:
        message = f"the contributions of {len(uses)} edges are averaged; they must be added"
        yield truth / len(uses), Cause("mean-instead-of-sum", message)
    for user, local, part in uses:
        rest, adjoint, edge = truth - part, truths[user], f"by the edge to {user} the adjoint is"
        if len(uses) > 1:
            message = f"the contribution by the edge to {user} has the wrong sign"
            yield rest - part, Cause("wrong-sign-of-a-term", message)
            message = f"the contribution by the edge to {user} is the local derivative alone"
            yield rest + local, Cause("missing-grad-output", message)
        message = f"{edge} multiplied by the value of {user}, not by the derivative"
        yield rest + adjoint * values[user], Cause("value-for-derivative", message)
        message = f"{edge} passed on without the local derivative"
        yield rest + adjoint, Cause("cotangent-passed-on", message)
        for operand, derivative in edges_of(attempt.step(user)):
            if operand != name:
                message = (
                    f"{edge} multiplied by the derivative of {user} with respect to {operand}, not to {name}"
                )
                yield rest + adjoint * derivative, Cause("gradient-of-another-input", message)
    times = _one_factor(attempt)
    if times is not None and not uses and not equal(truth * times, values[name]):
        message = f"all adjoints are {times:.4g} times the true ones, as the output starts with {times:.4g}"
        yield truth * times, Cause("wrong-factor", message, SEED)


def _further_candidates(name: str, attempt: Attempt) -> Iterator[tuple[float, Cause]]:
    truths, values, uses = attempt.truths, attempt.values, attempt.uses(name)
    for times in (2, 3, 1 / 2, 1 / 3) if uses else ():
        yield truths[name] * times, Cause("wrong-factor", f"it is {times:.3g} times the true one", TIMES)
    for user, _, part in uses:
        rest, edge = truths[name] - part, f"by the edge to {user} the"
        if len(uses) > 1:
            message = f"the contribution by the edge to {user} is counted twice"
            yield rest + 2 * part, Cause("wrong-factor-of-a-term", message)
        for other, elsewhere in _derivatives_elsewhere(user, attempt).items():
            message = f"{edge} derivative is taken at the value of {other}, not of {name}"
            yield rest + truths[user] * elsewhere, Cause("wrong-operand", message)
        for of, derivative in _of_other_functions(user, attempt).items():
            message = f"{edge} derivative is that of {of}"
            yield rest + truths[user] * derivative, Cause("derivative-of-another-function", message)
        for other in values:
            message = f"{edge} adjoint is multiplied by the value of {other}, not by the derivative"
            yield rest + truths[user] * values[other], Cause("wrong-operand", message)


def _of_other_functions(user: str, attempt: Attempt) -> dict[str, float]:
    """Return other derivatives at the operand of a step with one operand, and at its value."""
    step = attempt.step(user)
    if len(step.operands) != 1:
        return {}
    with np.errstate(all="ignore"):
        numbers = {
            f"{formula.of}, {formula.written.format(at)}": float(
                formula.values(np.asarray(attempt.values[at]))
            )
            for at in (*step.operands, user)
            for formula in FORMULAS
        }
    return {of: number for of, number in numbers.items() if number not in (0.0, 1.0)}


def _derivatives_elsewhere(user: str, attempt: Attempt) -> dict[str, float]:
    """Return the local derivative of a step with one operand at the values of the other nodes."""
    step, values = attempt.step(user), attempt.values
    if len(step.operands) != 1 or values[step.operands[0]] == 0:
        return {}
    at, local = values[step.operands[0]], step.partials[0]
    derivative = next((d for d in DERIVATIVES if math.isclose(d(at), local)), None)
    others = {other: number for other, number in values.items() if number not in (at, 0.0)}
    return {} if derivative is None else {other: derivative(number) for other, number in others.items()}


def _one_factor(attempt: Attempt) -> float | None:
    """Return the common factor of all adjoints; None if there is none."""
    answers, truths = attempt.answers, attempt.truths
    output = [*truths][-1]
    times = (answers.get(output) or 0.0) / truths[output]
    return times if all(equal(answers.get(name), truth * times) for name, truth in truths.items()) else None

"""Wrong adjoints of one node, each with the mistake that gives it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from autograder.tasks.tape_edges import edges_of, uses_of
from course.engine.tape import Step

OWN_EDGE = "To which node does the local derivative of {} with respect to {} belong?"
LEAVES = "Follow each path from the output: at which node does it end?"
SEED = "What is the derivative of the output with respect to itself?"


class Known(NamedTuple):
    """What a wrong number is, and of which mistake it comes; '' stands for the hint of the mistake."""

    mistake: str
    message: str
    hint: str = ""


def known(
    name: str,
    given: Mapping[str, float | None],
    truths: Mapping[str, float],
    values: Mapping[str, float],
    steps: Sequence[Step],
    equal: Callable[[float, float], bool],
) -> Known | None:
    """Return what the number of a node is, if it is one wrong number and no other.

    `given` are the student's adjoints, `truths` the right ones, `values` what forward computed; `equal` says
    when a number that was rounded by hand is another.
    """
    value = given[name]
    if value is None:
        return None
    # the second ones have more numbers, of which one may be another by chance
    for candidates in (
        _candidates(name, given, truths, values, steps, equal),
        _further_candidates(name, truths, values, steps),
    ):
        found = [one for number, one in candidates if equal(value, number)]
        if found:
            return found[0] if len({one.mistake for one in found}) == 1 else None
    return None


def _candidates(
    name: str,
    given: Mapping[str, float | None],
    truths: Mapping[str, float],
    values: Mapping[str, float],
    steps: Sequence[Step],
    equal: Callable[[float, float], bool],
) -> Iterator[tuple[float, Known]]:
    truth, uses = truths[name], uses_of(name, steps, truths)
    yield values[name], Known("value-for-derivative", f"that is the value of {name}, not its adjoint")
    for other in truths:
        mine = given.get(other)
        further = [one for one in truths if one not in (name, other)]
        if not all((found := given.get(one)) is not None and equal(found, truths[one]) for one in further):
            continue  # two numbers may be exchanged by chance where more are wrong
        if not equal(truths[other], truth) and mine is not None and equal(mine, truth):
            yield truths[other], Known("gradients-swapped", f"{name} and {other} are exchanged", LEAVES)
    for operand, local in (edge for step in steps if step.name == name for edge in edges_of(step)):
        message = (
            f"that is its contribution to {operand}: {name} is not multiplied by its own local derivative"
        )
        yield truth * local, Known("extra-factor", message, OWN_EDGE.format(name, operand))
    if len(uses) > 1:
        message = f"the contributions of {len(uses)} edges are averaged; they must be added"
        yield truth / len(uses), Known("mean-instead-of-sum", message)
    for user, local, part in uses:
        rest, adjoint = truth - part, truths[user]
        if len(uses) > 1:
            message = f"the contribution by the edge to {user} has the wrong sign"
            yield rest - part, Known("wrong-sign-of-a-term", message)
            message = f"the contribution by the edge to {user} is the local derivative alone"
            yield rest + local, Known("missing-grad-output", message)
        message = (
            f"by the edge to {user} the adjoint is multiplied by the value of {user}, not by the derivative"
        )
        yield rest + adjoint * values[user], Known("value-for-derivative", message)
        message = f"by the edge to {user} the adjoint is passed on without the local derivative"
        yield rest + adjoint, Known("cotangent-passed-on", message)
        for operand, derivative in (edge for step in steps if step.name == user for edge in edges_of(step)):
            if operand != name:
                message = (
                    f"by the edge to {user} the adjoint is multiplied by the derivative of {user} "
                    f"with respect to {operand}, not to {name}"
                )
                yield rest + adjoint * derivative, Known("gradient-of-another-input", message)
    times = _one_factor(given, truths, equal)
    if times is not None and not uses and not equal(truth * times, values[name]):
        message = f"all adjoints are {times:.4g} times the true ones, as the output starts with {times:.4g}"
        yield truth * times, Known("wrong-factor", message, SEED)


def _further_candidates(
    name: str, truths: Mapping[str, float], values: Mapping[str, float], steps: Sequence[Step]
) -> Iterator[tuple[float, Known]]:
    uses = uses_of(name, steps, truths)
    for user, _, part in uses:
        rest = truths[name] - part
        if len(uses) > 1:
            message = f"the contribution by the edge to {user} is counted twice"
            yield rest + 2 * part, Known("wrong-factor-of-a-term", message)
        for other in values:
            message = (
                f"by the edge to {user} the adjoint is multiplied by the value of {other}, "
                "not by the derivative"
            )
            yield rest + truths[user] * values[other], Known("wrong-operand", message)


def _one_factor(
    given: Mapping[str, float | None], truths: Mapping[str, float], equal: Callable[[float, float], bool]
) -> float | None:
    """Return the factor that all adjoints have in common; None if there is none."""
    output = [*truths][-1]
    times = (given.get(output) or 0.0) / truths[output]
    pairs = [(given.get(name), truth * times) for name, truth in truths.items()]
    return times if all(one is not None and equal(one, other) for one, other in pairs) else None

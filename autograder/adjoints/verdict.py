"""Judges a dict of adjoints against the engine, node by node."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from autograder.adjoints.exercise import AdjointsExercise
from autograder.adjoints.probe import AdjointsProbe
from autograder.mistakes import named
from autograder.result import Finding, Outcome
from course.engine import grad
from course.engine.tape import Step, tape

# Work by hand is rounded: four significant digits are asked for.
RELATIVE, ABSOLUTE = 5e-4, 5e-5


def judge(exercise: AdjointsExercise, probe: AdjointsProbe) -> Iterator[Outcome]:
    """Yield an outcome for the leaves and one for the inner nodes."""
    nodes = exercise.nodes()
    output = list(nodes.values())[-1]
    steps = tape(output, nodes)
    adjoints = zip(nodes, grad(output, [*nodes.values()]), strict=True)
    truths = {name: 0.0 if value is None else float(value.item()) for name, value in adjoints}
    given = probe.adjoints()
    leaves = [step.name for step in steps if not step.operands]
    # from the output on, as the adjoints are found: the first wrong one is the cause of others
    parts = {"leaves": leaves, "inner nodes": [name for name in reversed([*nodes]) if name not in leaves]}
    unknown = [name for name in given if name not in nodes]
    for check in exercise.points:
        findings = [*_blanks(check, parts[check], given)]
        for name in parts[check]:
            value = given.get(name)
            if value is not None and not _equal(value, truths[name]):
                findings.append(_explain(check, name, value, given, truths, steps))
        if unknown and findings:
            listing = ", ".join(nodes)
            findings.insert(0, Finding(check, f"There is no node {unknown[0]!r}; the nodes are {listing}."))
        yield Outcome(check, tuple(findings))


def _blanks(check: str, names: list[str], given: Mapping[str, float | None]) -> Iterator[Finding]:
    """Yield one finding for all nodes left out, and one for all that hold no number."""
    left_out = [name for name in names if name not in given]
    if left_out:
        yield Finding(check, f"Missing from the dict: {', '.join(left_out)}.", None, left_out[0])
    empty = [name for name in names if name in given and given[name] is None]
    if empty:
        yield Finding(check, f"Not a number yet: {', '.join(empty)}.", None, empty[0])


def _equal(value: float, truth: float) -> bool:
    return math.isclose(value, truth, rel_tol=RELATIVE, abs_tol=ABSOLUTE)


def _explain(
    check: str,
    name: str,
    value: float,
    given: Mapping[str, float | None],
    truths: Mapping[str, float],
    steps: list[Step],
) -> Finding:
    uses = [
        (step.name, partial, partial * truths[step.name])
        for step in steps
        for operand, partial in zip(step.operands, step.partials, strict=True)
        if operand == name
    ]
    said = f"The adjoint of {name} is given as {value:.6g}"
    wrong = [user for user, _, _ in uses if not _equal(given.get(user) or 0.0, truths[user])]
    if wrong and _equal(value, sum(partial * (given.get(user) or 0.0) for user, partial, _ in uses)):
        listing = " and ".join(dict.fromkeys(wrong))
        return Finding(
            check, f"{said}: it follows from what is given for {listing}, which is not right.", None, name
        )
    if len(uses) > 1 and any(_equal(value, product) for _, _, product in uses):
        message = (
            f"{said}: that is one of the {len(uses)} paths from {name} to the output, and not all of them."
        )
        return named("overwrites-instead-of-accumulates", check, name, message)
    if _equal(value, -truths[name]):
        hint = f"Which local derivative on the way from {name} to the output is negative?"
        return Finding(check, f"{said}: the sign is the wrong way round.", "wrong-sign", name, hint)
    if any(_equal(value, partial) for _, partial, _ in uses) or _equal(value, sum(p for _, p, _ in uses)):
        message = f"{said}: that is a local derivative, not yet multiplied by the adjoint of the node above."
        hint = "Each local derivative on an edge is multiplied by the adjoint at the edge's far end."
        return Finding(check, message, "missing-grad-output", name, hint)
    if _equal(value, 0.0):
        return named("missing-gradient", check, name, f"{said}, but the output does depend on {name}.")
    above = " and ".join(dict.fromkeys(result for result, _, _ in uses))
    hint = f"{name} is used by {above}: what does each of them contribute?" if above else "It is the seed."
    return Finding(check, f"{said}, which is not right.", None, name, hint)

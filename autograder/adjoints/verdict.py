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
        findings = [finding for name in parts[check] for finding in _node(check, name, given, truths, steps)]
        if unknown and findings:
            listing = ", ".join(nodes)
            findings.insert(0, Finding(check, f"There is no node {unknown[0]!r}; the nodes are {listing}."))
        yield Outcome(check, tuple(findings))


def _node(
    check: str, name: str, given: Mapping[str, float | None], truths: Mapping[str, float], steps: list[Step]
) -> Iterator[Finding]:
    if name not in given:
        yield Finding(check, f"The adjoint of {name} is missing.", None, name)
    elif (value := given[name]) is None:
        yield Finding(check, f"The adjoint of {name} is not filled in yet: it must be a number.", None, name)
    elif not _equal(value, truths[name]):
        yield _explain(check, name, value, given, truths, steps)


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
        return named("wrong-sign", check, name, f"{said}: the sign is the wrong way round.")
    if any(_equal(value, partial) for _, partial, _ in uses) or _equal(value, sum(p for _, p, _ in uses)):
        message = f"{said}: that is a local derivative, not yet multiplied by the adjoint of the node above."
        return named("missing-grad-output", check, name, message)
    if _equal(value, 0.0):
        return named("missing-gradient", check, name, f"{said}, but the output does depend on {name}.")
    above = " and ".join(dict.fromkeys(result for result, _, _ in uses))
    hint = f"{name} is used by {above}: what does each of them contribute?" if above else "It is the seed."
    return Finding(check, f"{said}, which is not right.", None, name, hint)

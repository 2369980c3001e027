"""Judges a dict of adjoints against the engine, node by node."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from autograder.protocol import ProbeClient
from autograder.result import Finding
from autograder.tasks.adjoints.probe import adjoints
from autograder.tasks.findings import wrong
from course.engine import Tensor, grad
from course.engine.tape import Step, tape

# Work by hand is rounded: four significant digits are asked for.
RELATIVE, ABSOLUTE = 5e-4, 5e-5
NEARLY = 1e-2  # what has been rounded too far

Nodes = Callable[[], Mapping[str, Tensor]]


def _leaves(probe: ProbeClient, _: np.random.Generator, nodes: Nodes) -> Iterator[Finding]:
    yield from _findings(probe, nodes(), of_leaves=True)


def _inner_nodes(probe: ProbeClient, _: np.random.Generator, nodes: Nodes) -> Iterator[Finding]:
    yield from _findings(probe, nodes(), of_leaves=False)


def _findings(probe: ProbeClient, graph: Mapping[str, Tensor], of_leaves: bool) -> Iterator[Finding]:
    output = [*graph.values()][-1]
    steps = tape(output, graph)
    adjoint = zip(graph, grad(output, [*graph.values()]), strict=True)
    truths = {name: 0.0 if value is None else float(value.item()) for name, value in adjoint}
    leaves = [step.name for step in steps if not step.operands]
    # from the output on, as the adjoints are found: the first wrong one is the cause of others
    names = leaves if of_leaves else [name for name in reversed([*graph]) if name not in leaves]
    in_degrees = _in_degrees(steps, graph)
    given = probe.ask_one(adjoints())
    findings = [*_blanks(names, given)]
    for name in names:
        value = given.get(name)
        if value is None or _equal(value, truths[name]):
            continue
        if not math.isclose(value, truths[name], rel_tol=NEARLY) and _equal(value, in_degrees[name]):
            told = f"The adjoint of {name} is given as {value:.6g}: that is right for an angle in degrees."
            findings.append(wrong(told, None, name, "Derivatives of sine and cosine hold in radians."))
        else:
            findings.append(_explain(name, value, given, truths, steps))
    unknown = [name for name in given if name not in graph]
    if unknown and findings:
        yield wrong(f"There is no node {unknown[0]!r}; the nodes are {', '.join(graph)}.")
    yield from findings


def _blanks(names: Sequence[str], given: Mapping[str, float | None]) -> Iterator[Finding]:
    """Yield one finding for all nodes left out, and one for all that hold no number."""
    left_out = [name for name in names if name not in given]
    if left_out:
        yield wrong(f"Missing from the dict: {', '.join(left_out)}.", None, left_out[0])
    empty = [name for name in names if name in given and given[name] is None]
    if empty:
        yield wrong(f"Not a number yet: {', '.join(empty)}.", None, empty[0])


def _equal(value: float, truth: float) -> bool:
    return math.isclose(value, truth, rel_tol=RELATIVE, abs_tol=ABSOLUTE)


def _in_degrees(steps: Sequence[Step], graph: Mapping[str, Tensor]) -> dict[str, float]:
    """Return the adjoints as they come out where sine and cosine take their argument for degrees."""
    instead: list[tuple[float, float]] = []
    for step in steps:
        if len(step.operands) == 1:
            angle = float(graph[step.operands[0]].item())
            if math.isclose(step.partials[0], math.cos(angle)):
                degrees = math.radians(angle)
                instead += [(f(angle), f(degrees)) for f in (math.sin, math.cos)]
    found = dict.fromkeys(graph, 0.0)
    found[steps[-1].name] = 1.0
    for step in reversed(steps):
        for operand, partial in zip(step.operands, step.partials, strict=True):
            taken = next((new for old, new in instead if math.isclose(partial, old)), partial)
            found[operand] += taken * found[step.name]
    return found


def _explain(
    name: str,
    value: float,
    given: Mapping[str, float | None],
    truths: Mapping[str, float],
    steps: Sequence[Step],
) -> Finding:
    uses = [
        (step.name, partial, partial * truths[step.name])
        for step in steps
        for operand, partial in zip(step.operands, step.partials, strict=True)
        if operand == name
    ]
    said = f"The adjoint of {name} is given as {value:.6g}"
    if math.isclose(value, truths[name], rel_tol=NEARLY):
        hint = "Keep all digits on the way, and round the last number only."
        return wrong(f"{said}: nearly right. Four digits are asked for; give more digits.", None, name, hint)
    above_wrong = [user for user, _, _ in uses if not _equal(given.get(user) or 0.0, truths[user])]
    if above_wrong and _equal(value, sum(partial * (given.get(user) or 0.0) for user, partial, _ in uses)):
        listing = " and ".join(dict.fromkeys(above_wrong))
        return wrong(f"{said}: it follows from what is given for {listing}, which is not right.", None, name)
    if len(uses) > 1 and any(_equal(value, product) for _, _, product in uses):
        message = (
            f"{said}: that is one of the {len(uses)} paths from {name} to the output, and not all of them."
        )
        return wrong(message, "overwrites-instead-of-accumulates", name)
    if _equal(value, -truths[name]):
        hint = f"Which local derivative on the way from {name} to the output is negative?"
        return wrong(f"{said}: the sign is the wrong way round.", "wrong-sign", name, hint)
    if any(_equal(value, partial) for _, partial, _ in uses) or _equal(value, sum(p for _, p, _ in uses)):
        message = f"{said}: that is a local derivative, not yet multiplied by the adjoint of the node above."
        hint = "Each local derivative on an edge is multiplied by the adjoint at the edge's far end."
        return wrong(message, "missing-grad-output", name, hint)
    if _equal(value, 0.0):
        return wrong(f"{said}, but the output does depend on {name}.", "missing-gradient", name)
    above = " and ".join(dict.fromkeys(result for result, _, _ in uses))
    hint = (
        f"{name} is used by {above}: what does each of them contribute?"
        if above
        else "It is the output: how does it change with itself?"
    )
    return wrong(f"{said}, which is not right.", None, name, hint)


CHECKS = {"leaves": _leaves, "inner nodes": _inner_nodes}

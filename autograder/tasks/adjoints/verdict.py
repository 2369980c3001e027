"""Compares a dict of adjoints with the engine's, node by node."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

import numpy as np

from autograder.tasks.adjoints.probe import Probe
from autograder.tasks.adjoints.wrong_numbers import Attempt, equal, find_cause
from autograder.tasks.findings import wrong
from autograder.tasks.wrong_reverse_sweeps import REVERSE
from autograder.tasks.wrong_walks import Walk, swept
from course.engine import Tensor, grad
from course.engine.tape import Step, tape
from vjpcheck.ask.protocol import ProbeClient
from vjpcheck.result import Finding

NEARLY = 1e-2  # for numbers with too few digits

TIMES_ADJOINT = "Multiply the local derivative of each edge by the adjoint of the node that uses the value."

Nodes = Callable[[], Mapping[str, Tensor]]


def _findings(probe: ProbeClient, _: np.random.Generator, nodes: Nodes, of_leaves: bool) -> Iterator[Finding]:
    graph = nodes()
    output = [*graph.values()][-1]
    steps = tape(output, graph)
    adjoint = zip(graph, grad(output, [*graph.values()]), strict=True)
    truths = {name: 0.0 if value is None else float(value.item()) for name, value in adjoint}
    leaves = [step.name for step in steps if not step.operands]
    # from the output on, in the order of the computation: the first wrong one causes others
    names = leaves if of_leaves else [name for name in reversed([*graph]) if name not in leaves]
    in_degrees = _in_degrees(steps, graph)
    values = {name: float(tensor.item()) for name, tensor in graph.items()}
    answers = probe.call(Probe.adjoints)
    attempt = Attempt(answers, truths, values, steps)
    walks = [*REVERSE, *_exchanged(steps)]
    fitting = [walk for walk in walks if _same(answers, walk.numbers(steps, 1.0), truths)]
    walk = fitting[0] if len({walk.mistake or walk.message for walk in fitting}) == 1 else None
    findings = [*_blanks(names, answers)]
    for name in names:
        value = answers.get(name)
        if value is None or equal(value, truths[name]):
            continue
        if not math.isclose(value, truths[name], rel_tol=NEARLY) and equal(value, in_degrees[name]):
            message = (
                f"The adjoint of {name} is given as {value:.6g}: it would be right for an angle in degrees."
            )
            hint = "The derivatives of sine and cosine need angles in radians."
            findings.append(wrong(message, "wrong-operand", name, hint))
        else:
            findings.append(_explain(name, value, attempt, walk))
    unknown = [name for name in answers if name not in graph]
    if unknown and findings:
        yield wrong(f"The graph has no node {unknown[0]!r}; its nodes are {', '.join(graph)}.")
    yield from findings


def _blanks(names: Sequence[str], answers: Mapping[str, float | None]) -> Iterator[Finding]:
    """Yield one finding for all missing nodes, and one for all entries without a number."""
    missing = [name for name in names if name not in answers]
    if missing:
        yield wrong(f"Missing from the dict: {', '.join(missing)}.", None, missing[0])
    empty = [name for name in names if name in answers and answers[name] is None]
    if empty:
        yield wrong(f"Not a number yet: {', '.join(empty)}.", None, empty[0])


def _in_degrees(steps: Sequence[Step], graph: Mapping[str, Tensor]) -> dict[str, float]:
    """Return the adjoints that result if sine and cosine take their argument in degrees."""
    instead: list[tuple[float, float]] = []
    for step in steps:
        if len(step.operands) == 1:
            angle = float(graph[step.operands[0]].item())
            if math.isclose(step.partials[0], math.cos(angle)):
                degrees = math.radians(angle)
                instead += [(f(angle), f(degrees)) for f in (math.sin, math.cos)]

    def edge(adjoint: float, local: float) -> float:
        return adjoint * next((new for old, new in instead if math.isclose(local, old)), local)

    return swept(reversed(steps), {**dict.fromkeys(graph, 0.0), steps[-1].name: 1.0}, edge)


def _exchanged(steps: Sequence[Step]) -> Iterator[Walk]:
    """Yield the walks in which two operands of one step have each other's local derivatives."""
    for step in steps:
        if len(step.operands) > 1:
            turned = step._replace(partials=step.partials[::-1])
            start = {**dict.fromkeys((one.name for one in steps), 0.0), steps[-1].name: 1.0}
            adjoints = swept([turned if one is step else one for one in reversed(steps)], start)
            message = f"In {step.name} each operand gets the local derivative of the other one."
            hint = f"Derive {step.name} with respect to one operand: does this operand itself remain?"
            yield Walk("gradient-of-another-input", message, hint, lambda *_, adjoints=adjoints: adjoints)


def _same(
    answers: Mapping[str, float | None], numbers: Mapping[str, float], truths: Mapping[str, float]
) -> bool:
    """Return whether the answers are the numbers of a wrong walk, and these differ from the right ones."""
    pairs = [(answers.get(name), number) for name, number in numbers.items()]
    differs = any(not equal(number, truths[name]) for name, number in numbers.items())
    return differs and all(equal(one, number) for one, number in pairs)


def _explain(name: str, value: float, attempt: Attempt, walk: Walk | None) -> Finding:
    answers, truths, uses = attempt.answers, attempt.truths, attempt.uses(name)
    start = f"The adjoint of {name} is given as {value:.6g}"
    if math.isclose(value, truths[name], rel_tol=NEARLY):
        hint = "Keep all digits until the end; round only the final number."
        return wrong(f"{start}: almost right. Give at least four digits.", "not-precise", name, hint)
    above_wrong = [user for user, _, _ in uses if not equal(answers.get(user) or 0.0, truths[user])]
    if above_wrong and equal(value, sum(partial * (answers.get(user) or 0.0) for user, partial, _ in uses)):
        listing = " and ".join(dict.fromkeys(above_wrong))
        return wrong(f"{start}: it follows from your value for {listing}, which is wrong.", None, name)
    if len(uses) > 1 and any(equal(value, product) for _, _, product in uses):
        message = f"{start}: that is the contribution of only one of the {len(uses)} edges that leave {name}."
        return wrong(message, "missing-term", name)
    if equal(value, -truths[name]):
        hint = f"Which local derivative on the path from {name} to the output is negative?"
        return wrong(f"{start}: the sign is wrong.", "wrong-sign", name, hint)
    if walk is not None:
        return wrong(f"{start}. {walk.message}", walk.mistake, name, walk.hint)
    number = find_cause(name, attempt)
    one_sign = number is not None and number.mistake == "wrong-sign-of-a-term"
    locals_alone = [*(partial for _, partial, _ in uses), sum(partial for _, partial, _ in uses)]
    without = [sum(p for _, _, p in uses) - product + partial for _, partial, product in uses]
    if len(uses) > 1 and not one_sign and any(equal(value, one) for one in without):
        message = f"{start}: one term is a local derivative that is not multiplied by an adjoint."
        return wrong(message, "term-without-cotangent", name, TIMES_ADJOINT)
    if not one_sign and any(equal(value, one) for one in locals_alone):
        message = (
            f"{start}: that is a local derivative; it must be multiplied by the adjoint of the next node."
        )
        return wrong(message, "missing-grad-output", name, TIMES_ADJOINT)
    if equal(value, 0.0):
        return wrong(f"{start}, but the output depends on {name}.", "missing-gradient", name)
    if number is not None:
        return wrong(f"{start}: {number.message}.", number.mistake, name, number.hint)
    users = [*dict.fromkeys(user for user, _, _ in uses)]
    if not users:
        hint = "This node is the output. What is the derivative of a value with respect to itself?"
    elif len(uses) == 1:
        hint = f"Only {users[0]} uses {name}: multiply its adjoint by the local derivative of that edge."
    else:
        verb = "use" if len(users) > 1 else "uses"
        hint = f"{' and '.join(users)} {verb} {name}, by {len(uses)} edges: what does each edge contribute?"
    return wrong(f"{start}, which is wrong.", None, name, hint)


CHECKS = {
    "leaves": partial(_findings, of_leaves=True),
    "inner nodes": partial(_findings, of_leaves=False),
}

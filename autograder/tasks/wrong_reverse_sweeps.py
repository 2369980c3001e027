"""Wrong reverse sweeps: the adjoints of a tape and a seed if contributions are lost or are not products."""

import math
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from itertools import takewhile
from typing import Literal, get_args

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
    swept,
)
from course.engine.tape import Step

PATHS_AT_MOST = 10_000  # steps of a walk along all paths of a tape; some tapes have 2⁵⁰ of them
Visit = Literal["first in, first out", "last in, first out", "last in, marked when taken", "layer by layer"]

ASSIGNED = "Each contribution replaces the one before it; they must be added."
EARLY = "A node sends its adjoint on before all nodes that use it have contributed."
SENT_AGAIN = "A node sends its whole adjoint on again each time that a contribution arrives."
SEED = "The output starts with 1, whatever the seed is."
LOCAL = "The local derivatives are added up without the adjoint of the node that uses the value."
FROM_SEED = "Each edge is multiplied by the seed, not by the adjoint of the node that uses the value."
SEED_AGAIN = "Each edge is multiplied by the seed once more."
PASSED_ON = "Each adjoint is passed on without the local derivative of the edge."
SKIPPED = "Steps with an adjoint below 0 send nothing on."
SUBTRACTED = "The contributions are subtracted; they must be added."
SUMMED = "The local derivative is added to the adjoint; it must be multiplied by it."
AVERAGED = "The contributions are averaged; they must be added."
PRODUCT_OF_SUMS = "The adjoints are added up before they are multiplied by the sum of the local derivatives."
FORWARD_ORDER = "The steps are visited in the order of the tape, so a node sends its adjoint on too early."
STOPS = "The sweep stops at the first leaf that it meets; steps may stand before a leaf on the tape."
ENDS = "Every node that no step uses starts with the seed; only the last node of the tape is the output."
ALL_STEPS = "Does a leaf end the tape, or only its own path?"
COMPLETE = "When is the adjoint of a node complete? Count the edges that lead to it from the output's side."
LAST_FIRST = "From which end of the tape do you start?"
ONLY_ZERO = "Which adjoints contribute nothing? Does a negative one belong to them?"
ONE_OUTPUT = "What is the derivative of the output with respect to a node that it does not depend on?"


def _orders(tape: Tape) -> Iterator[Tape]:
    """Yield the tape from its end, and two more orders in which each step comes after those that use it."""
    yield tape[::-1]
    steps = {step.name: step for step in tape}
    for turned in (1, -1):
        finished: dict[str, Step] = {}
        stack = [(tape[-1], False)]
        while stack:
            step, complete = stack.pop()
            if complete:
                finished.setdefault(step.name, step)
            elif step.name not in finished:
                stack.append((step, True))
                stack += [(steps[operand], False) for operand in step.operands[::turned]]
        yield [*finished.values()][::-1]


def _started(tape: Tape, seed: float) -> Numbers:
    return {**dict.fromkeys((step.name for step in tape), 0.0), tape[-1].name: seed}


def _assigned(tape: Tape, seed: float, order: int, first: bool) -> Numbers:
    adjoints, filled = _started(tape, seed), set[str]()
    for step in [*_orders(tape)][order]:
        for operand, local in edges_of(step):
            if not (first and operand in filled):
                adjoints[operand] = adjoints[step.name] * local
                filled.add(operand)
    return adjoints


def _once_a_step(tape: Tape, seed: float, first: bool) -> Numbers:
    adjoints = _started(tape, seed)
    for step in reversed(tape):
        edges = edges_of(step)
        for operand, local in dict(edges[::-1] if first else edges).items():
            adjoints[operand] += adjoints[step.name] * local
    return adjoints


def _early(tape: Tape, seed: float, visit: Visit, turned: int, freeze_leaves: bool) -> Numbers:
    """Visit each node once, in the order of its first edge from the output; later contributions are lost.

    With `freeze_leaves` a leaf, too, keeps its value at its visit. A layer has the nodes at the same distance
    from the output, and begins with the node that was made last.
    """
    steps, adjoints, sent = {step.name: step for step in tape}, _started(tape, seed), dict[str, float]()
    waiting, visited = [tape[-1].name], {tape[-1].name}
    ages = {step.name: number for number, step in enumerate(tape)}
    distance = {tape[-1].name: 0}
    while waiting:
        if visit == "layer by layer":
            waiting.sort(key=lambda name: (distance[name], -ages[name]))
        name = waiting.pop(-1 if visit.startswith("last in") else 0)
        if name in sent:
            continue
        sent[name] = adjoints[name]
        step, fresh = steps[name], list[str]()
        for operand, local in edges_of(step)[::turned]:
            adjoints[operand] += sent[name] * local
            if operand not in visited or visit == "last in, marked when taken":
                visited.add(operand)
                fresh.append(operand)
                distance.setdefault(operand, distance[name] + 1)
        waiting += fresh
    if freeze_leaves:
        adjoints.update({name: value for name, value in sent.items() if not steps[name].operands})
    return adjoints


def _recursive(tape: Tape, seed: float, turned: int) -> Numbers:
    """Visit an operand right after its first contribution, and never again."""
    steps, adjoints = {step.name: step for step in tape}, _started(tape, seed)
    visited = {tape[-1].name}
    stack = [(tape[-1].name, iter(edges_of(tape[-1])[::turned]))]
    while stack:
        name, edges = stack[-1]
        edge = next(edges, None)
        if edge is None:
            stack.pop()
            continue
        operand, local = edge
        adjoints[operand] += adjoints[name] * local
        if operand not in visited:
            visited.add(operand)
            stack.append((operand, iter(edges_of(steps[operand])[::turned])))
    return adjoints


def _sent_again(tape: Tape, seed: float, turned: int) -> Numbers:
    """Send the whole adjoint of a node on at each contribution; return nan for a tape with many paths."""
    steps, adjoints = {step.name: step for step in tape}, _started(tape, seed)
    stack = [iter(edges_of(tape[-1])[::turned])]
    senders = [tape[-1].name]
    for _ in range(PATHS_AT_MOST):
        edge = next(stack[-1], None)
        if edge is not None:
            operand, local = edge
            adjoints[operand] += adjoints[senders[-1]] * local
            stack.append(iter(edges_of(steps[operand])[::turned]))
            senders.append(operand)
        elif len(stack) == 1:
            return adjoints
        else:
            stack.pop(), senders.pop()
    return dict.fromkeys(adjoints, math.nan)


def _seed_of_one(tape: Tape, seed: float, seeded: Callable[[Tape, Step], bool]) -> Numbers:
    """Start with 1, and multiply some of the adjoints by the seed afterwards."""
    adjoints = swept(tape[::-1], _started(tape, 1.0))
    return {step.name: adjoints[step.name] * (seed if seeded(tape, step) else 1.0) for step in tape}


SEEDED: list[Callable[[Tape, Step], bool]] = [
    lambda tape, step: False,
    lambda tape, step: step is tape[-1],
    lambda tape, step: not step.operands,
    lambda tape, step: step is not tape[-1],
    lambda tape, step: step is tape[-1] or not step.operands,
]


def _with_edges(tape: Tape, seed: float, edge: Callable[[float, float], float]) -> Numbers:
    return swept(tape[::-1], _started(tape, seed), edge)


def _from_the_seed(tape: Tape, seed: float) -> Numbers:
    adjoints = _started(tape, seed)
    for step in reversed(tape):
        for operand, local in edges_of(step) if adjoints[step.name] else ():
            adjoints[operand] += seed * local
    return adjoints


def _first_partial(tape: Tape, seed: float) -> Numbers:
    adjoints = _started(tape, seed)
    for step in reversed(tape):
        for operand in step.operands:
            adjoints[operand] += adjoints[step.name] * step.partials[step.operands.index(operand)]
    return adjoints


def _until_a_leaf(tape: Tape, seed: float) -> Numbers:
    return swept(takewhile(lambda step: step.operands, reversed(tape)), _started(tape, seed))


def _averaged(tape: Tape, seed: float) -> Numbers:
    adjoints = _started(tape, seed)
    uses = Counter(operand for step in tape for operand in step.operands)
    for step in reversed(tape):
        adjoints[step.name] /= max(uses[step.name] + (step is tape[-1]), 1)
        for operand, local in edges_of(step):
            adjoints[operand] += adjoints[step.name] * local
    return adjoints


def _product_of_sums(tape: Tape, seed: float) -> Numbers:
    adjoints, locals_of, reached = _started(tape, seed), Counter[str](), set[str]()
    for step in reversed(tape):
        adjoints[step.name] *= locals_of[step.name] if step.name in reached else 1.0
        for operand, local in edges_of(step):
            adjoints[operand] += adjoints[step.name]
            locals_of[operand] += local  # type: ignore[assignment]
            reached.add(operand)
    return adjoints


def _seed_at_each_edge(tape: Tape, seed: float) -> Numbers:
    return swept(tape[::-1], _started(tape, seed), lambda adjoint, local: adjoint * local * seed)


def _from_all_ends(tape: Tape, seed: float) -> Numbers:
    operands = {operand for step in tape for operand in step.operands}
    return swept(tape[::-1], {step.name: 0.0 if step.name in operands else seed for step in tape})


_EARLY: list[Callable[[Tape, float], Numbers]] = [
    *(
        partial(_early, visit=visit, turned=turned, freeze_leaves=freeze)
        for visit in get_args(Visit)
        for turned in (1, -1)
        for freeze in (False, True)
    ),
    *(partial(_recursive, turned=turned) for turned in (1, -1)),
]

# wrong contributions of an edge, from the adjoint of its user and the local derivative
EDGES: list[tuple[str | None, str, str, Callable[[float, float], float]]] = [
    ("missing-grad-output", LOCAL, PRODUCT, lambda adjoint, local: local),
    ("cotangent-passed-on", PASSED_ON, PRODUCT, lambda adjoint, local: adjoint),
    ("wrong-sign", SUBTRACTED, ADD, lambda adjoint, local: -adjoint * local),
    ("mask-on-gradient", SKIPPED, ONLY_ZERO, lambda adjoint, local: max(adjoint, 0.0) * local),
    (None, SUMMED, PRODUCT, lambda adjoint, local: adjoint + local),
]
REVERSE: list[Walk] = [
    *(
        Walk("overwrites-instead-of-accumulates", ASSIGNED, ADD, partial(_assigned, order=order, first=first))
        for first in (False, True)
        for order in range(3)
    ),
    *(
        Walk("overwrites-instead-of-accumulates", ONCE_A_STEP, ADD, partial(_once_a_step, first=first))
        for first in (False, True)
    ),
    *(Walk("wrong-order", EARLY, COMPLETE, numbers) for numbers in _EARLY),
    *(Walk("wrong-order", SENT_AGAIN, COMPLETE, partial(_sent_again, turned=turned)) for turned in (1, -1)),
    *(Walk("missing-grad-output", SEED, STARTS, partial(_seed_of_one, seeded=seeded)) for seeded in SEEDED),
    Walk("missing-factor", FROM_SEED, PRODUCT, _from_the_seed),
    Walk("extra-factor", SEED_AGAIN, STARTS, _seed_at_each_edge),
    *(Walk(mistake, text, hint, partial(_with_edges, edge=edge)) for mistake, text, hint, edge in EDGES),
    Walk("mean-instead-of-sum", AVERAGED, ADD, _averaged),
    Walk("cotangent-summed", PRODUCT_OF_SUMS, PRODUCT, _product_of_sums),
    Walk("wrong-order", FORWARD_ORDER, LAST_FIRST, lambda tape, seed: swept(tape, _started(tape, seed))),
    Walk("missing-term", STOPS, ALL_STEPS, _until_a_leaf),
    Walk("wrong-operand", FIRST_PARTIAL, BY_PLACE, _first_partial),
    Walk(None, ENDS, ONE_OUTPUT, _from_all_ends),
]

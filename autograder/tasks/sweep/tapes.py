"""Tapes for trials of a sweep, with random local derivatives, and their true tangents and adjoints."""

from collections.abc import Mapping, Sequence

import numpy as np

from autograder.tasks.inputs import numbers
from autograder.tasks.tape_edges import edges_of
from course.engine.tape import Step
from vjpcheck.domain import Real

Tape = list[Step]

ANY = Real(-2.0, 2.0)  # a local derivative
PLANTED = Real(-2.0, 2.0, also=(1.0, 1.0, 0.0))


def _tape(generator: np.random.Generator, operands: Mapping[str, tuple[str, ...]], kind: Real = ANY) -> Tape:
    drawn = iter(numbers(generator, sum(map(len, operands.values())), kind))
    return [Step(name, used, tuple(next(drawn) for _ in used)) for name, used in operands.items()]


def of_the_text(_: np.random.Generator) -> Tape:
    """Return the tape of the exercise's own small case."""
    return [
        Step("a", (), ()),
        Step("b", (), ()),
        Step("c", ("a", "b"), (2.0, 3.0)),
        Step("d", ("c", "a"), (1.0, 4.0)),
    ]


def straight(generator: np.random.Generator) -> Tape:
    """Return a tree: each node is used once."""
    return _tape(generator, {"a": (), "b": (), "c": ("a", "b"), "d": ("c",), "out": ("d",)})


def unsorted(generator: np.random.Generator) -> Tape:
    """Return a tree whose names do not show its order, with a leaf after a step."""
    return _tape(generator, {"p": (), "k": ("p",), "z": (), "m": ("k", "z"), "b": ("m",)})


def alone(_: np.random.Generator) -> Tape:
    """Return a tape of one step, a leaf that is also the output."""
    return [Step("a", (), ())]


def three_operands(generator: np.random.Generator) -> Tape:
    """Return a tape with steps of three operands, one of them twice in a step."""
    operands = {"x": (), "g": ("x",), "b": (), "n": ("g", "b", "x"), "e": ("n", "b", "n")}
    return _tape(generator, operands)


def diamond(generator: np.random.Generator) -> Tape:
    """Return a tape with one node on two paths, two leaves, and an uneven depth."""
    operands = {"a": (), "b": (), "c": ("a", "b"), "d": ("c",), "e": ("d", "b"), "out": ("c", "e")}
    return _tape(generator, operands)


def square(generator: np.random.Generator) -> Tape:
    """Return a tape whose step uses one operand twice, as x*x does."""
    return _tape(generator, {"a": (), "b": ("a", "a"), "out": ("b", "a")})


def tangle(generator: np.random.Generator) -> Tape:
    """Return a tape of many paths of different lengths, its operands in any order.

    Each step uses the one before it, so that every node has a path to the output. If the operands always had
    the same order, a visit in the wrong order might meet each node complete by luck.
    """
    operands: dict[str, tuple[str, ...]] = {"x0": (), "x1": ()}
    for number in range(2, 12):
        earlier = generator.choice(number - 1, size=min(2, number - 1), replace=False)
        names = [f"x{number - 1}", *(f"x{place}" for place in earlier)]
        operands[f"x{number}"] = tuple(str(name) for name in generator.permutation(names))
    return _tape(generator, operands)


def dead_ends(generator: np.random.Generator) -> Tape:
    """Return a tape with two leaves and two steps on which the output does not depend.

    One of the leaves is not used at all.
    """
    operands = {"a": (), "b": (), "idle": (), "c": ("a",), "unused": ("c", "b"), "deeper": ("unused",)}
    return _tape(generator, {**operands, "out": ("c", "a")})


def with_other_partials(tape: Tape, generator: np.random.Generator) -> Tape:
    """Return the same graph at another point, where some local derivatives are 1 and some are 0."""
    return _tape(generator, {step.name: step.operands for step in tape}, PLANTED)


def ladder(depth: int) -> Tape:
    """Return `depth` doublings: 2**depth paths over 2*depth edges, the adjoints all 1."""
    steps = [Step("w0", (), ())]
    steps += [Step(f"w{k}", (f"w{k - 1}", f"w{k - 1}"), (0.5, 0.5)) for k in range(1, depth + 1)]
    return steps


def comb(leaves: int) -> Tape:
    """Return a sum of many leaves, one after the other: each but the first is used in a step of its own."""
    steps = [Step("x0", (), ())]
    for k in range(1, leaves):
        total = "x0" if k == 1 else f"s{k - 1}"
        steps += [Step(f"x{k}", (), ()), Step(f"s{k}", (total, f"x{k}"), (0.5, 2.0))]
    return steps


def edges(tape: Tape) -> int:
    """Return the number of edges, which is the number of products that a sweep needs."""
    return sum(len(step.operands) for step in tape)


def local_matrix(tape: Tape) -> np.ndarray:
    """Return the matrix L of local derivatives: L[i, j] sums those of step i with respect to node j."""
    index = {step.name: i for i, step in enumerate(tape)}
    matrix = np.zeros((len(tape), len(tape)))
    for step in tape:
        for operand, partial in edges_of(step):
            matrix[index[step.name], index[operand]] += partial
    return matrix


def true_tangents(tape: Tape, inputs: Sequence[str], seed: Sequence[float]) -> dict[str, float]:
    """Return all tangents: the solution t of (I - L) t = s (Griewank & Walther, 2008, chapter 2)."""
    start = np.array([dict(zip(inputs, seed, strict=True)).get(step.name, 0.0) for step in tape])
    return _solve(tape, np.eye(len(tape)) - local_matrix(tape), start)


def true_adjoints(tape: Tape, seed: float) -> dict[str, float]:
    """Return all adjoints: the solution a of (I - L)^T a = s, with the seed at the last node."""
    start = np.zeros(len(tape))
    start[-1] = seed
    return _solve(tape, (np.eye(len(tape)) - local_matrix(tape)).T, start)


def _solve(tape: Tape, matrix: np.ndarray, start: np.ndarray) -> dict[str, float]:
    return dict(zip((step.name for step in tape), np.linalg.solve(matrix, start).tolist(), strict=True))

"""Scalar workloads: the same lines of code run on the engine, on micrograd and on torch."""

from __future__ import annotations

import json
import math
import random
import subprocess
import sys
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import torch
from micrograd.engine import Value

from benchmarks.report import ENGINE, Report, at_least
from benchmarks.timing import Work, medians
from course.engine import Tensor, relu

RAISED = "micrograd, recursion limit raised"


class Library(NamedTuple):
    """What a scalar workload needs of a library; all else is operators."""

    leaf: Callable[[float], Any]
    constant: Callable[[float], Any]
    relu: Callable[[Any], Any]


def torch_leaf(value: float) -> Any:
    """Return a leaf in double precision, as the others have."""
    return torch.tensor(value, dtype=torch.float64, requires_grad=True)


OURS = Library(lambda value: Tensor(value, requires_grad=True), Tensor, relu)
MICROGRAD = Library(Value, Value, Value.relu)
TORCH = Library(torch_leaf, torch.tensor, torch.relu)


def chain(library: Library, operations: int) -> None:
    """Alternate products and sums with constants on one leaf, then backward."""
    y = library.leaf(1.0)
    for _ in range(operations // 2):
        y = y * 0.999 + 0.001
    y.backward()


def choices(operations: int) -> list[tuple[int, int, bool]]:
    """Choose for every two operations two of the last fifty results, to be multiplied or to be added."""
    generator = random.Random(0)
    return [
        (-1 - generator.randrange(50), -1 - generator.randrange(50), generator.random() < 0.5)
        for _ in range(operations // 2)
    ]


def random_graph(library: Library, chosen: list[tuple[int, int, bool]]) -> None:
    """Combine results as chosen, beginning with a hundred leaves, then backward.

    The constants keep all values between 0 and 1, so that nobody's arithmetic meets infinities.
    """
    results = [library.leaf(0.5 + i / 200) for i in range(100)]
    for i, j, product in chosen:
        a, b = results[i], results[j]
        results.append(a * b + 0.25 if product else (a + b) * 0.5)
    results[-1].backward()


def network(library: Library, sizes: Sequence[int]) -> list[Any]:
    """Return layers of neurons, each its weights and its bias."""
    generator = random.Random(0)
    return [
        [
            ([library.leaf(generator.uniform(-1, 1)) for _ in range(inputs)], library.leaf(0.0))
            for _ in range(outputs)
        ]
        for inputs, outputs in pairwise(sizes)
    ]


def score(library: Library, layers: list[Any], point: Sequence[Any]) -> Any:
    """Run the network on one point, with relu after all layers but the last."""
    for layer in layers:
        sums = [sum((w * v for w, v in zip(weights, point, strict=True)), bias) for weights, bias in layer]
        point = sums if layer is layers[-1] else [library.relu(s) for s in sums]
    return point[0]


def moons(points: int) -> list[tuple[tuple[float, float], int]]:
    """Return two interleaving half circles, labelled 1 and −1."""
    angles = [math.pi * i / (points // 2 - 1) for i in range(points // 2)]
    upper = [((math.cos(a), math.sin(a)), 1) for a in angles]
    return upper + [((1 - math.cos(a), 0.5 - math.sin(a)), -1) for a in angles]


def demo_step(library: Library) -> None:
    """Take one step of micrograd's demo: hinge loss of a 2–16–16–1 network over 100 points, weight decay."""
    layers = network(library, (2, 16, 16, 1))
    losses = [
        library.relu(1 + -label * score(library, layers, [library.constant(x) for x in point]))
        for point, label in moons(100)
    ]
    parameters = [p for layer in layers for weights, bias in layer for p in (*weights, bias)]
    decay = sum(p * p for p in parameters) * 1e-4
    total = sum(losses) * (1.0 / len(losses)) + decay
    total.backward()


def chains() -> dict[str, float | str]:
    """Return the seconds of the long chain, of the engine and of torch."""
    torch.set_num_threads(1)
    works = {ENGINE: lambda: chain(OURS, 100_000), "torch": lambda: chain(TORCH, 100_000)}
    return medians(works, 5)


def unfrozen() -> dict[str, float | str]:
    """Return the same, measured in a process of its own, in which nothing was frozen out of the collector."""
    code = "import json; from benchmarks.scalars import chains; print(json.dumps(chains()))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    found: dict[str, float | str] = json.loads(done.stdout)
    return found


def deep(work: Work) -> Work:
    """Let a work recurse as deep as it likes."""

    def run() -> None:
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(10_000_000)
        try:
            work()
        finally:
            sys.setrecursionlimit(limit)

    return run


def rows(report: Report) -> None:
    """Measure the scalar rows of the table."""
    report.heading("scalar chain of 100,000 operations, build and backward")
    works = {
        ENGINE: lambda: chain(OURS, 100_000),
        "micrograd": lambda: chain(MICROGRAD, 100_000),
        RAISED: deep(lambda: chain(MICROGRAD, 100_000)),
        "torch": lambda: chain(TORCH, 100_000),
    }
    targets = {(RAISED, ENGINE): at_least(3.5), ("torch", ENGINE): at_least(3.5)}
    report.times(medians(works, 5), ENGINE, targets)

    report.heading("the same as in a reader's process, where the collector passes over what was imported")
    report.times(unfrozen(), ENGINE, {("torch", ENGINE): at_least(3.5)})

    report.heading("random scalar graph, 100,000 operations")
    chosen = choices(100_000)
    works = {
        ENGINE: lambda: random_graph(OURS, chosen),
        "micrograd": lambda: random_graph(MICROGRAD, chosen),
        RAISED: deep(lambda: random_graph(MICROGRAD, chosen)),
        "torch": lambda: random_graph(TORCH, chosen),
    }
    report.times(medians(works, 3), ENGINE, {(RAISED, ENGINE): at_least(2.5)})

    report.heading("scalar chain of 1,000 operations")
    works = {
        ENGINE: lambda: chain(OURS, 1_000),
        "micrograd": lambda: chain(MICROGRAD, 1_000),
        RAISED: deep(lambda: chain(MICROGRAD, 1_000)),
        "torch": lambda: chain(TORCH, 1_000),
    }
    report.times(medians(works, 9, batch=5), ENGINE, {(RAISED, ENGINE): at_least(0.9)})

    for collector, bound in ((False, 1.0), (True, 4.0)):
        report.heading(f"micrograd's MLP demo, one step, collector {'on' if collector else 'off'}")
        works = {ENGINE: lambda: demo_step(OURS), "micrograd": lambda: demo_step(MICROGRAD)}
        found = medians(works, 5, collector)
        report.times(found, ENGINE, {("micrograd", ENGINE): at_least(bound)})

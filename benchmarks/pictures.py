"""Pictures: from a graph to SVG, against torchviz and micrograd's draw_dot; recording; the size of a page."""

from __future__ import annotations

import random
import resource
import shutil
import signal
import statistics
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from typing import Any

import graphviz
import numpy as np
from micrograd.engine import Value

from benchmarks.report import Report, at_least, at_most
from benchmarks.scalars import MICROGRAD, OURS, TORCH, Library
from benchmarks.timing import PATIENCE, medians
from course.engine import Tensor
from course.graph import draw, play, record
from course.graph.draw import svg

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # torchviz looks for versions with distutils
    import torchviz

GRAPH, WHOLE = "course.graph", "course.graph, every node"
TORCHVIZ, MICRODOT = "torchviz + dot", "micrograd's draw_dot + dot"
DEEP = 10_000_000


Drawn = tuple[Any, list[Any]]  # an output, and its leaves: without a holder the engine's would be constants


def fresh(library: Library, operations: int) -> Drawn:
    """Alternate products and sums, each with a leaf of its own."""
    leaves = [library.leaf(0.9 + place % 7 * 0.03) for place in range(operations + 1)]
    y = leaves[0]
    for place, leaf in enumerate(leaves[1:]):
        y = y * leaf if place % 2 else y + leaf
    return y, leaves


def shared(library: Library, operations: int) -> Drawn:
    """Alternate products and sums with the same two leaves."""
    y = a = library.leaf(0.9)
    b = library.leaf(0.1)
    for place in range(operations):
        y = y * a if place % 2 else y + b
    return y, [a, b]


def scattered(library: Library, nodes: int) -> Drawn:
    """Combine any two results before, beginning with ten leaves; then add up what was not used."""
    generator = random.Random(1)
    leaves = [library.leaf(0.5 + place / 200) for place in range(10)]
    results = list(leaves)
    used = set()
    while len(results) < 3 * nodes // 4:
        i, j = generator.randrange(len(results)), generator.randrange(len(results))
        used |= {i, j}
        a, b = results[i], results[j]
        results.append(a * b if generator.random() < 0.5 else a + b)
    rest = [result for place, result in enumerate(results) if place not in used]
    while len(rest) > 1:
        rest = [sum(rest[at + 1 : at + 2], rest[at]) for at in range(0, len(rest), 2)]
    return rest[0], leaves


def trace(root: Value) -> tuple[set[Value], set[tuple[Value, Value]]]:
    """Collect nodes and edges, as micrograd's trace_graph notebook does."""
    nodes: set[Value] = set()
    edges: set[tuple[Value, Value]] = set()

    def build(v: Value) -> None:
        if v not in nodes:
            nodes.add(v)
            for child in v._prev:
                edges.add((child, v))
                build(child)

    build(root)
    return nodes, edges


def draw_dot(root: Value) -> graphviz.Digraph:
    """Draw a graph as micrograd's trace_graph notebook does."""
    dot = graphviz.Digraph(format="svg", graph_attr={"rankdir": "LR"})
    nodes, edges = trace(root)
    for n in nodes:
        dot.node(name=str(id(n)), label=f"{{ data {n.data:.4f} | grad {n.grad:.4f} }}", shape="record")
        if n._op:
            dot.node(name=str(id(n)) + n._op, label=n._op)
            dot.edge(str(id(n)) + n._op, str(id(n)))
    for a, b in edges:
        dot.edge(str(id(a)), str(id(b)) + b._op)
    return dot


def run_dot(picture: graphviz.Digraph) -> None:
    """Have Graphviz write SVG, and stop it when its time is up: processor time, as all that is measured."""
    program = shutil.which("dot") or str(graphviz.backend.dot_command.DOT_BINARY)
    source = picture.source.encode()
    subprocess.run(
        [program, "-Tsvg"],
        input=source,
        capture_output=True,
        check=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (PATIENCE, PATIENCE)),
    )


def seconds(work: Callable[[], object]) -> float | str:
    """Return the CPU seconds of a work and of the programs it runs: a median of three, one if it is long."""
    found: list[float] = []
    while len(found) < 3 and sum(found) < 3:
        before = clock()
        try:
            work()
        except subprocess.CalledProcessError as error:
            late = error.returncode in (-signal.SIGXCPU, -signal.SIGKILL)
            return f"more than {PATIENCE} s" if late else f"dot ended with {error.returncode}"
        except Exception as error:  # a peer may die of anything
            return f"{type(error).__name__}: {' '.join(str(error).split())[:70]}"
        found.append(clock() - before)
    return statistics.median(found)


def clock() -> float:
    """Return the CPU seconds of this process and of those that it has waited for."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def compare(report: Report, title: str, build: Callable[[Library], Drawn], bound: float) -> None:
    """Draw one graph with each, beginning at its output."""
    report.heading(title)
    (ours, held), (torchs, _), (micros, _) = build(OURS), build(TORCH), build(MICROGRAD)
    graph = record(ours)
    print(f"  {len(graph.nodes):,} nodes, {len(held):,} of them leaves")
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(DEEP)  # micrograd's trace recurses
    found = {
        GRAPH: seconds(lambda: draw(ours).svg()),
        WHOLE: seconds(lambda: svg(graph)),
        TORCHVIZ: seconds(lambda: run_dot(torchviz.make_dot(torchs))),
        MICRODOT: seconds(lambda: run_dot(draw_dot(micros))),
    }
    sys.setrecursionlimit(limit)
    report.times(found, GRAPH, {(TORCHVIZ, GRAPH): at_least(1), (TORCHVIZ, WHOLE): at_least(1)})
    if isinstance(found[WHOLE], float):
        report.check(WHOLE, found[WHOLE], " s", at_most(bound))


def recording(report: Report, library: Library, name: str) -> None:
    """Record a graph whose results have no names, and run its backward pass."""
    y, leaves = fresh(library, 1000)
    works = {
        "one backward": lambda: y.backward(retain_graph=True),
        f"record, {name}": lambda: record(y, leaves),
    }
    report.times(medians(works, 7), "one backward", {})


def matrix(value: float) -> Tensor:
    """Return a leaf that is small enough to be written out."""
    return Tensor(np.full((2, 3), value) + np.array([0.001, 0.02, 0.3]), requires_grad=True)


def rows(report: Report) -> None:
    """Measure what pictures cost."""
    for operations, bound in ((10, 0.1), (100, 0.15), (1_000, 0.5), (5_000, 5)):
        title = f"to SVG: {operations:,} operations, each with a leaf of its own"
        compare(report, title, lambda library, n=operations: fresh(library, n), bound)  # type: ignore[misc]
    compare(report, "to SVG: 100 operations that share two leaves", lambda library: shared(library, 100), 0.1)
    compare(report, "to SVG: a random graph of 1,000 nodes", lambda library: scattered(library, 1000), 5)
    for library, name in ((OURS, "engine"), (TORCH, "torch")):
        report.heading(f"recording 1,000 operations of the {name} and their backward pass")
        recording(report, library, name)
    report.heading("a player's page, 100 nodes")
    for what, library in (("numbers", OURS), ("matrices of 2 × 3", OURS._replace(leaf=matrix))):
        output, leaves = fresh(library, 49)
        graph = record(output.sum(), leaves)
        report.check(what, len(play(graph).html().encode()) / 1000, " kB", at_most(300))

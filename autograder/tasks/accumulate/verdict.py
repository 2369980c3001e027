"""Judges a backward pass written by hand: the `.grad` of the leaves against the engine's own derivative."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from autograder.protocol import ProbeClient
from autograder.result import Finding
from autograder.tasks import engine_graphs as graphs
from autograder.tasks.accumulate.probe import Gradients, accumulate, calls_engine
from autograder.tasks.engine_graphs import Graph, build, name, shown
from autograder.tasks.findings import walk_raised, wrong
from course.engine import grad

DEEP = 5_000  # deeper than Python's recursion limit
RUNGS = 50

Make = Callable[[np.random.Generator], Graph]

GRAPHS: dict[str, Sequence[Make]] = {
    "one path": [graphs.tree],
    "a + a": [graphs.twice],
    "fan-out": [graphs.diamond, graphs.mirrored, *[graphs.tangle] * 4, lambda _: graphs.ladder(RUNGS)],
    "second call": [graphs.tree, graphs.twice, graphs.diamond],
    "deep graph": [lambda _: graphs.chain(DEEP)],
}
HINTS = {
    "RecursionError": "Which loop goes where the calls went?",
    "TookTooLong": "In which order must the nodes run, so that each runs once and has its whole gradient?",
}
OWN_LOOP = "Which loop does backward() run? A node that is called runs its own backward alone."


def _on(check: str) -> Callable[[ProbeClient, np.random.Generator], Iterator[Finding]]:
    seeds = [1.5, -0.5] if check == "second call" else [1.5]

    def findings(probe: ProbeClient, generator: np.random.Generator) -> Iterator[Finding]:
        made = [make(generator) for make in GRAPHS[check]]
        answers = probe.ask([accumulate(graph, seeds) for graph in made])
        for graph, answer in zip(made, answers, strict=True):
            yield from _findings(check, graph, seeds, answer)

    return findings


def _one_path(probe: ProbeClient, generator: np.random.Generator) -> Iterator[Finding]:
    yield from _on("one path")(probe, generator)
    if probe.ask_one(calls_engine(graphs.tree(generator), 1.5)):
        message = (
            "The engine's own backward pass is called (backward() or grad()): writing it is the exercise."
        )
        yield wrong(message, "autograd-in-backward", None, OWN_LOOP)


def _findings(check: str, graph: Graph, seeds: Sequence[float], answer: Gradients) -> Iterator[Finding]:
    if "error" in answer:
        when = " at the second call" if answer["grads"] else ""
        yield walk_raised(answer["error"], f"For {_where(graph)},{when}", HINTS)
        return
    truths = [0.0 for step in graph if step[0] == "leaf"]
    for number, (grads, seed) in enumerate(zip(answer["grads"], seeds, strict=True)):
        before, truths = truths, [t + seed * d for t, d in zip(truths, _derivatives(graph), strict=True)]
        for leaf, (found, truth, earlier) in enumerate(zip(grads, truths, before, strict=True)):
            if isinstance(found, str):
                message = f"{name(leaf)}.grad is a {found}, and must be a Tensor of {name(leaf)}'s shape."
                yield wrong(message, None, name(leaf))
            elif found is None or not math.isclose(found, truth, rel_tol=1e-9, abs_tol=1e-12):
                yield _wrong(check, graph, leaf, found, truth, earlier, number, seed)


def _derivatives(graph: Graph) -> list[float]:
    tensors = build(graph)
    found = grad(tensors[-1], [tensor for tensor in tensors if tensor.is_leaf])
    return [float(gradient.item()) for gradient in found if gradient is not None]


def _wrong(
    check: str,
    graph: Graph,
    leaf: int,
    found: float | None,
    truth: float,
    earlier: float,
    number: int,
    seed: float,
) -> Finding:
    leaf_name = name(leaf)
    called = " after the second call" if number else ""
    value = "None" if found is None else f"{found:.6g}"
    said = f"{leaf_name}.grad is {value}{called} and should be {truth:.6g}: {_where(graph)}, seed {seed:g}."
    if found is None:
        return wrong(said, None, leaf_name, "Which node leads to a leaf, and who fills its .grad?")
    overwrites = "overwrites-instead-of-accumulates"
    if number and math.isclose(found, truth - earlier, rel_tol=1e-9):
        message = f"{said} What the first call had left there is gone."
        return wrong(message, overwrites, leaf_name, "What does a second backward() do to .grad?")
    if number and math.isclose(found, truth + earlier, rel_tol=1e-9):
        hint = "What is left over from the first call, and where?"
        return wrong(f"{said} The first call is counted twice.", None, leaf_name, hint)
    if math.isclose(found * seed, truth, rel_tol=1e-9):
        return wrong(said, "missing-grad-output", leaf_name, "Where does the seed come in?")
    if math.isclose(found, -truth, rel_tol=1e-9):
        return wrong(said, "wrong-sign", leaf_name, "Nothing in the pass is subtracted.")
    if check == "a + a" and any(math.isclose(found * lost, truth, rel_tol=1e-9) for lost in (2, 4)):
        message = f"{said} Of two gradients that arrive at one node, only one is counted."
        hint = "What happens to the first gradient when the second one arrives at the same node?"
        return wrong(message, overwrites, leaf_name, hint)
    hint = "Follow the gradients by hand: has each node its whole gradient when it runs?"
    return wrong(said, None, leaf_name, hint)


def _where(graph: Graph) -> str:
    return shown(graph) if len(graph) <= 26 else f"a graph of {len(graph) - 1} nodes"


CHECKS = {**{check: _on(check) for check in GRAPHS}, "one path": _one_path}

"""Judges a backward pass written by hand: the `.grad` of the leaves against the engine's own derivative."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from autograder.protocol import ProbeClient
from autograder.result import Finding
from autograder.tasks import engine_graphs as graphs
from autograder.tasks.accumulate.probe import Gradients, accumulate
from autograder.tasks.engine_graphs import Graph, build, name, shown
from autograder.tasks.findings import disturbed, walk_raised, wrong
from course.engine import grad

DEEP = 5_000  # deeper than Python's recursion limit
RUNGS = 50

Make = Callable[[np.random.Generator], Graph]

GRAPHS: dict[str, Sequence[Make]] = {
    "one path": [graphs.tree, graphs.single],
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
        trials = [_Trial(make(generator), seeds) for make in GRAPHS[check]]
        if check == "fan-out":
            trials = [_Trial(graphs.of_the_text(generator), [10.0]), *trials]
        if check == "second call":
            trials.append(_Trial(graphs.tree(generator), [2.0], earlier=0.25))
        trials.append(trials[0])  # nothing is left over from the calls in between
        answers = probe.ask([accumulate(trial.graph, trial.seeds, trial.earlier) for trial in trials])
        for trial, answer in zip(trials, answers, strict=True):
            yield from _findings(check, trial, answer)

    return findings


@dataclass(frozen=True)
class _Trial:
    """A graph, the seed of each call, and what `.grad` of every leaf holds before the first."""

    graph: Graph
    seeds: Sequence[float]
    earlier: float | None = None


def _findings(check: str, trial: _Trial, answer: Gradients) -> Iterator[Finding]:
    graph = trial.graph
    if "error" in answer:
        when = " at the second call" if answer["grads"] else ""
        yield walk_raised(answer["error"], f"For {_where(graph)},{when}", HINTS)
        return
    if answer["handed_over"]:
        message = (
            "The engine's own backward pass is called (backward() or grad()): writing it is the exercise."
        )
        yield wrong(message, "autograd-in-backward", None, OWN_LOOP)
    truths = [trial.earlier or 0.0 for step in graph if step[0] == "leaf"]
    for number, (grads, seed) in enumerate(zip(answer["grads"], trial.seeds, strict=True)):
        before, truths = truths, [t + seed * d for t, d in zip(truths, _derivatives(graph), strict=True)]
        for leaf, (found, truth, earlier) in enumerate(zip(grads, truths, before, strict=True)):
            if isinstance(found, str):
                message = f"{name(leaf)}.grad is a {found}, and must be a Tensor of {name(leaf)}'s shape."
                yield wrong(message, None, name(leaf))
            elif found is None or not math.isclose(found, truth, rel_tol=1e-9, abs_tol=1e-12):
                yield _wrong(check, graph, leaf, found, truth, earlier, number, seed)
    yield from disturbed(answer["changes"], _where(graph))


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
    if earlier and math.isclose(found, truth - earlier, rel_tol=1e-9):
        message = f"{said} What {'the first call had left' if number else 'was'} there is gone."
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


CHECKS = {check: _on(check) for check in GRAPHS}

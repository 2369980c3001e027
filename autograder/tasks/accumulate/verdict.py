"""Judges a backward pass written by hand: compares each leaf's `.grad` with the engine's own gradient."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from autograder.tasks import engine_graphs as graphs
from autograder.tasks.accumulate.probe import Probe, value_name
from autograder.tasks.battery import Battery, Candidate, Condition, Trial, Values
from autograder.tasks.engine_graphs import Graph, Make, build, describe, name
from autograder.tasks.findings import LEFT_OVER, of_walk
from autograder.tasks.inputs import numbers
from autograder.tasks.wrong_reverse_sweeps import REVERSE
from autograder.tasks.wrong_walks import SMALL, TINY, Walk
from course.engine import grad
from course.engine.tape import Step, tape
from vjpcheck.ask.protocol import ProbeClient
from vjpcheck.domain import Real
from vjpcheck.result import Finding

DEEP = 5_000  # deeper than Python's recursion limit
LEAVES = Real(-1.5, 1.5, also=(0.0, -0.5, -0.5))

GRAPHS: dict[str, Sequence[Make]] = {
    "one path": [graphs.tree, graphs.single, graphs.without_slope],
    "a + a": [graphs.twice],
    "fan-out": graphs.FAN_OUT,
    "second call": [graphs.tree, graphs.twice, graphs.diamond],
    "deep graph": [lambda _: graphs.chain(DEEP)],
}
HINTS = {
    "RecursionError": "Replace the recursive calls by a loop. What does the loop have to remember?",
    "TookTooLong": "In which order must the nodes run so that each runs once, with its complete gradient?",
}
TIMES = "How often does your pass add to the same leaf, and what does it add each time?"
SECOND = "What does a second backward() do to .grad?"
LARGE_SEEDS = Condition("gradient-nonlinear", "With larger seeds the result is right.", SMALL)


def _on(check: str) -> Callable[[ProbeClient, np.random.Generator], Iterator[Finding]]:
    seeds = [1.5, -0.5] if check == "second call" else [1.5]

    def findings(probe: ProbeClient, generator: np.random.Generator) -> Iterator[Finding]:
        calls: list[tuple[Graph, Sequence[float]]] = [(make(generator), seeds) for make in GRAPHS[check]]
        if check == "fan-out":
            calls = [(graphs.of_the_text(generator), [10.0]), *calls]
        trials = [_trial(*call) for call in calls]
        if check == "second call":
            trials.append(_trial(graphs.tree(generator), [2.0], earlier=0.25))
        if check != "deep graph":
            trials += [_trial(_elsewhere(graph, generator), seeds) for graph, seeds in calls]
        if check == "one path":
            trials.append(_trial(calls[0][0], [TINY], condition=LARGE_SEEDS))
        by, of_error = ("the engine's own backward pass", "autograd-in-backward"), of_walk(HINTS)
        yield from Battery(probe, Probe.accumulate, trials, CANDIDATES, by=by, of_error=of_error).findings()

    return findings


def _elsewhere(graph: Graph, generator: np.random.Generator) -> Graph:
    """Return a graph with other leaves: some are 0, some negative, and two may be equal."""
    values = iter(numbers(generator, len(graph) + 1, LEAVES)[1:])
    return [["leaf", next(values)] if step[0] == "leaf" else step for step in graph]


def _trial(
    graph: Graph, seeds: Sequence[float], earlier: float | None = None, condition: Condition | None = None
) -> Trial:
    tensors = build(graph)
    leaves = {name(i): tensor for i, tensor in enumerate(tensors) if tensor.is_leaf}
    gradients = grad(tensors[-1], [*leaves.values()])
    slopes = {
        of: 0.0 if slope is None else float(slope.item()) for of, slope in zip(leaves, gradients, strict=True)
    }
    truths = _sums([{of: seed * slope for of, slope in slopes.items()} for seed in seeds], earlier or 0.0)
    where = describe(graph) if len(graph) <= 26 else f"a graph of {len(graph) - 1} nodes"
    words = f"{where}, seed {' and '.join(f'{seed:g}' for seed in seeds)}"
    return Trial((graph, seeds, earlier), words, truths, condition, min(1.0, *map(abs, seeds)))


def _sums(calls: Sequence[Mapping[str, float]], earlier: float = 0.0) -> Values:
    """Return each leaf's `.grad` after each call, which adds its numbers."""
    return {
        value_name(leaf, call): np.asarray(earlier + sum(numbers[leaf] for numbers in calls[: call + 1]))
        for call in range(len(calls))
        for leaf in calls[0]
    }


def _walked(trial: Trial, _: Values, walk: Walk) -> Values:
    """Return each leaf's `.grad` after a wrong pass."""
    graph, seeds, earlier = trial.arguments
    leaves = [name(i) for i, step in enumerate(graph) if step[0] == "leaf"]
    sweeps = [walk.numbers(_tape(graph), seed) for seed in seeds]
    return _sums([{leaf: numbers[leaf] for leaf in leaves} for numbers in sweeps], earlier or 0.0)


def _tape(graph: Graph) -> list[Step]:
    tensors = build(graph)
    return tape(tensors[-1], {name(i): tensor for i, tensor in enumerate(tensors)})


def _multiples(trial: Trial, observed: Values) -> Values | None:
    """Return the true values times one factor above 1; a factor below 1 comes from lost contributions."""
    first = next((of for of, truth in trial.truths.items() if truth), None)
    times = float(observed[first] / trial.truths[first]) if first else 0.0
    return {of: times * truth for of, truth in trial.truths.items()} if times > 1.001 else None


def _second(trial: Trial, value: Callable[[np.ndarray, np.ndarray], Any]) -> Values:
    """Return other values after the second call: a function of the true ones after it and after the first."""
    first = {of: truth for of, truth in trial.truths.items() if of.endswith(".grad")}
    return {
        of: truth if of in first else np.asarray(value(truth, first[of.split()[0]]))
        for of, truth in trial.truths.items()
    }


def _replaced(trial: Trial, _: Values) -> Values:
    """Return the contribution of the last call alone, without the earlier `.grad`."""
    _graph, seeds, earlier = trial.arguments
    if len(seeds) > 1:
        return _second(trial, lambda truth, first: truth - first)
    return {of: truth - (earlier or 0.0) for of, truth in trial.truths.items()}


def _counted_twice(trial: Trial, _: Values) -> Values:
    return _second(trial, lambda truth, first: truth + first)


def _second_calls(trial: Trial, observed: Values) -> Values:
    return {of: truth if of.endswith(".grad") else observed[of] for of, truth in trial.truths.items()}


CANDIDATES = [
    *(Candidate(walk.mistake, walk.message, partial(_walked, walk=walk), walk.hint) for walk in REVERSE),
    Candidate("wrong-factor", "is a multiple of the gradient, like that of each leaf", _multiples, TIMES),
    Candidate("overwrites-instead-of-accumulates", "lacks what was there before", _replaced, SECOND),
    Candidate("state-on-class", "counts the first call twice", _counted_twice, LEFT_OVER),
    Candidate("state-on-class", "holds something of the first call besides", _second_calls, LEFT_OVER),
]
CHECKS = {check: _on(check) for check in GRAPHS}

"""Judges a backward pass written by hand: the `.grad` of the leaves against the engine's own derivative."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from autograder.errors import StudentError, tell
from autograder.exercise import Exercise
from autograder.graph_walk import graphs
from autograder.graph_walk.graphs import Graph, build, name, shown
from autograder.graph_walk.probe import WalkProbe, hint_for
from autograder.result import Finding, Outcome
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


def judge(exercise: Exercise, probe: WalkProbe, seed: int) -> Iterator[Outcome]:
    """Yield an outcome for each kind of graph; stop at the first failure, which later ones would repeat."""
    generator = np.random.default_rng(seed)
    as_tensors = _takes_tensors(probe, generator)
    passed = True
    for check in exercise.points:
        if not passed:
            yield Outcome(check, reached=False)
            continue
        found = (f for make in GRAPHS[check] for f in _findings(check, probe, make(generator), as_tensors))
        first = next(found, None)
        if first is None and check == next(iter(exercise.points)):
            first = _by_engine(check, probe, generator, as_tensors)
        outcome = Outcome(check, () if first is None else (first,))
        passed = outcome.passed
        yield outcome


def _takes_tensors(probe: WalkProbe, generator: np.random.Generator) -> bool:
    """Return whether the seed is wanted as a Tensor, as by backward(); a plain number will do as well."""
    graph = graphs.tree(generator)
    return "error" in probe.accumulate(graph, [1.5], False) or "error" not in probe.accumulate(
        graph, [1.5], True
    )


def _by_engine(
    check: str, probe: WalkProbe, generator: np.random.Generator, as_tensors: bool
) -> Finding | None:
    if not probe.calls_engine(graphs.tree(generator), 1.5, as_tensors):
        return None
    message = "The engine's own backward pass is called (backward() or grad()): writing it is the exercise."
    return Finding(check, message, "autograd-in-backward", None, OWN_LOOP)


def _findings(check: str, probe: WalkProbe, graph: Graph, as_tensors: bool) -> Iterator[Finding]:
    calls = 2 if check == "second call" else 1
    seeds = [1.5, -0.5][:calls]
    answer = probe.accumulate(graph, seeds, as_tensors)
    where = _where(graph)
    if "error" in answer:
        yield _error(check, answer["error"], where, len(answer["grads"]))
        return
    truths = [0.0 for step in graph if step[0] == "leaf"]
    for number, (grads, seed) in enumerate(zip(answer["grads"], seeds, strict=True)):
        before, truths = truths, [t + seed * d for t, d in zip(truths, _derivatives(graph), strict=True)]
        for leaf, (found, truth, earlier) in enumerate(zip(grads, truths, before, strict=True)):
            if isinstance(found, str):
                message = f"{name(leaf)}.grad is a {found}, and must be a Tensor of {name(leaf)}'s shape."
                yield Finding(check, message, None, name(leaf))
            elif found is None or not math.isclose(found, truth, rel_tol=1e-9, abs_tol=1e-12):
                yield _wrong(check, graph, leaf, found, truth, earlier, number, seed)


def _derivatives(graph: Graph) -> list[float]:
    tensors = build(graph)
    found = grad(tensors[-1], [tensor for tensor in tensors if tensor.is_leaf])
    return [float(gradient.item()) for gradient in found if gradient is not None]


def _error(check: str, error: StudentError, where: str, earlier: int) -> Finding:
    told = "it takes far too long" if error["type"] == "TookTooLong" else tell(error).rstrip(".")
    when = " at the second call" if earlier else ""
    return Finding(check, f"For {where},{when} {told}.", hint=hint_for(error, HINTS))


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
        return Finding(check, said, None, leaf_name, "Which node leads to a leaf, and who fills its .grad?")
    overwrites = "overwrites-instead-of-accumulates"
    if number and math.isclose(found, truth - earlier, rel_tol=1e-9):
        message = f"{said} What the first call had left there is gone."
        return Finding(check, message, overwrites, leaf_name, "What does a second backward() do to .grad?")
    if number and math.isclose(found, truth + earlier, rel_tol=1e-9):
        return Finding(
            check,
            f"{said} The first call is counted twice.",
            None,
            leaf_name,
            "What is left over from the first call, and where?",
        )
    if math.isclose(found * seed, truth, rel_tol=1e-9):
        return Finding(check, said, "missing-grad-output", leaf_name, "Where does the seed come in?")
    if math.isclose(found, -truth, rel_tol=1e-9):
        return Finding(check, said, "wrong-sign", leaf_name, "Nothing in the pass is subtracted.")
    if check == "a + a" and any(math.isclose(found * lost, truth, rel_tol=1e-9) for lost in (2, 4)):
        message = f"{said} Of two gradients that arrive at one node, only one is counted."
        hint = "What happens to the first gradient when the second one arrives at the same node?"
        return Finding(check, message, overwrites, leaf_name, hint)
    hint = "Follow the gradients by hand: has each node its whole gradient when it runs?"
    return Finding(check, said, None, leaf_name, hint)


def _where(graph: Graph) -> str:
    return shown(graph) if len(graph) <= 26 else f"a graph of {len(graph) - 1} nodes"

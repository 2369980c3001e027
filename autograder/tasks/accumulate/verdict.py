"""Judges a backward pass written by hand: the `.grad` of the leaves against the engine's own derivative."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np

from autograder.tasks import engine_graphs as graphs
from autograder.tasks.accumulate.probe import Gradients, accumulate
from autograder.tasks.engine_graphs import Graph, Make, build, name, shown
from autograder.tasks.findings import LEFT_OVER, disturbed, few_digits, of_the_last_calls, walk_raised, wrong
from autograder.tasks.inputs import numbers
from autograder.tasks.sweep.tapes import true_adjoints
from autograder.tasks.wrong_reverse_sweeps import REVERSE
from autograder.tasks.wrong_walks import TINY, Numbers, Walk, recognised, same
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
OWN_LOOP = "Which loop does backward() run? Calling a node runs only that node's backward."


def _on(check: str) -> Callable[[ProbeClient, np.random.Generator], Iterator[Finding]]:
    seeds = [1.5, -0.5] if check == "second call" else [1.5]

    def findings(probe: ProbeClient, generator: np.random.Generator) -> Iterator[Finding]:
        trials = [_Trial(make(generator), seeds) for make in GRAPHS[check]]
        if check == "fan-out":
            trials = [_Trial(graphs.of_the_text(generator), [10.0]), *trials]
        if check == "second call":
            trials.append(_Trial(graphs.tree(generator), [2.0], earlier=0.25))
        if check != "deep graph":
            trials += [trial.elsewhere(generator) for trial in trials]
        small = check == "one path"
        if small:
            trials.append(_Trial(trials[0].graph, [TINY]))
        trials.append(trials[0])  # nothing is left over from the calls in between
        answers = probe.ask([accumulate(trial.graph, trial.seeds, trial.earlier) for trial in trials])
        tried = [*zip(trials, answers, strict=True)]
        found = [[*_findings(check, trial, answer)] for trial, answer in tried]
        if last := of_the_last_calls(found, small):
            yield last
        elif any(found) and all("error" not in answer for answer in answers):
            known = recognised(REVERSE, partial(_gives, tried)) or _multiple(tried)
            yield from (f for trial, answer in tried for f in _findings(check, trial, answer, known))
        else:
            yield from itertools.chain(*found)

    return findings


@dataclass(frozen=True)
class _Trial:
    """A graph, the seed of each call, and what `.grad` of every leaf holds before the first."""

    graph: Graph
    seeds: Sequence[float]
    earlier: float | None = None

    def elsewhere(self, generator: np.random.Generator) -> _Trial:
        """Return the same calls with leaves of which some are 0, some below 0, and two may be equal."""
        values = iter(numbers(generator, len(self.graph) + 1, LEAVES)[1:])
        leaves_moved = [["leaf", next(values)] if step[0] == "leaf" else step for step in self.graph]
        return replace(self, graph=leaves_moved)

    @cached_property
    def tape(self) -> list[Step]:
        """Return the graph as a tape."""
        tensors = build(self.graph)
        return tape(tensors[-1], {name(i): tensor for i, tensor in enumerate(tensors)})


def _gives(tried: Sequence[tuple[_Trial, Gradients]], walk: Walk) -> bool:
    """Return whether a wrong pass leaves in the leaves what the student's left, after each call."""
    return all(_left(trial, answer, walk) for trial, answer in tried)


def _multiple(tried: Sequence[tuple[_Trial, Gradients]]) -> Walk | None:
    """Return the pass whose gradients are one multiple of the true ones, if the student's is such a one."""
    trial, answer = tried[0]
    derivative, found = trial.seeds[0] * _derivatives(trial.graph)[0], answer["grads"][0][0]
    if not isinstance(found, float) or not derivative or trial.earlier:
        return None
    times = found / derivative
    message = f"Each leaf receives {times:.4g} times its gradient."

    def numbers_of(tape: Sequence[Step], seed: float) -> Numbers:
        return {name: times * number for name, number in true_adjoints([*tape], seed).items()}

    walk = Walk("wrong-factor", message, TIMES, numbers_of)
    # a contribution that is lost in each of them gives a fraction
    return walk if times > 1.001 and _gives(tried, walk) else None


def _left(trial: _Trial, answer: Gradients, walk: Walk) -> bool:
    leaves = [name(i) for i, step in enumerate(trial.graph) if step[0] == "leaf"]
    sums = dict.fromkeys(leaves, trial.earlier or 0.0)
    for grads, seed in zip(answer["grads"], trial.seeds, strict=True):
        numbers = walk.numbers(trial.tape, seed)
        sums = {leaf: total + numbers[leaf] for leaf, total in sums.items()}
        found = [None if isinstance(value, str) else value for value in grads]
        if not same(dict(zip(leaves, found, strict=True)), sums):
            return False
    return True


def _findings(check: str, trial: _Trial, answer: Gradients, known: Walk | None = None) -> Iterator[Finding]:
    """Find what is wrong after one graph's calls; `known` is the wrong pass that gives all the numbers."""
    graph = trial.graph
    if "error" in answer:
        when = " at the second call" if answer["grads"] else ""
        yield walk_raised(answer["error"], f"For {_where(graph)},{when}", HINTS)
        return
    if answer["handed_over"]:
        message = "The engine's own backward pass is called (backward() or grad()). Write it yourself."
        yield wrong(message, "autograd-in-backward", None, OWN_LOOP)
    truths = [trial.earlier or 0.0 for step in graph if step[0] == "leaf"]
    for number, (grads, seed) in enumerate(zip(answer["grads"], trial.seeds, strict=True)):
        before, truths = truths, [t + seed * d for t, d in zip(truths, _derivatives(graph), strict=True)]
        for leaf, (found, truth, earlier) in enumerate(zip(grads, truths, before, strict=True)):
            if isinstance(found, str):
                message = f"{name(leaf)}.grad is a {found}; it must be a Tensor with {name(leaf)}'s shape."
                yield wrong(message, None, name(leaf))
            elif found is None or not _equal(found, truth, seed):
                yield _wrong(check, graph, leaf, found, truth, earlier, number, seed, known)
    yield from disturbed(answer["changes"], _where(graph))


def _equal(found: float, truth: float, seed: float) -> bool:
    return math.isclose(found, truth, rel_tol=1e-9, abs_tol=1e-12 * min(1.0, abs(seed)))


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
    known: Walk | None,
) -> Finding:
    leaf_name = name(leaf)
    called = " after the second call" if number else ""
    value = "None" if found is None else f"{found:.6g}"
    said = f"{leaf_name}.grad is {value}{called}; it should be {truth:.6g}: {_where(graph)}, seed {seed:g}."
    if found is None:
        hint = "Which node belongs to a leaf, and which step fills the .grad of the leaf?"
        return wrong(said, "missing-gradient", leaf_name, hint)
    if few := few_digits(f"{leaf_name}.grad", np.asarray(found), np.asarray(truth)):
        return wrong(f"{few[1]} The graph: {_where(graph)}, seed {seed:g}.", few[0], leaf_name)
    if known is not None:
        return wrong(f"{said} {known.message}", known.mistake, leaf_name, known.hint)
    overwrites = "overwrites-instead-of-accumulates"
    if earlier and math.isclose(found, truth - earlier, rel_tol=1e-9):
        message = f"{said} The {'value of the first call' if number else 'previous value'} is lost."
        return wrong(message, overwrites, leaf_name, "What does a second backward() do to .grad?")
    if number and math.isclose(found, truth + earlier, rel_tol=1e-9):
        return wrong(f"{said} The first call is counted twice.", "state-on-class", leaf_name, LEFT_OVER)
    if number:
        message = f"{said} The first call is right, so something of it is still stored."
        return wrong(message, "state-on-class", leaf_name, LEFT_OVER)
    if math.isclose(found * seed, truth, rel_tol=1e-9):
        return wrong(said, "missing-grad-output", leaf_name, "Where does your pass use the seed?")
    if math.isclose(found, -truth, rel_tol=1e-9):
        return wrong(said, "wrong-sign", leaf_name, "A backward pass subtracts nothing.")
    if check == "a + a" and any(math.isclose(found * lost, truth, rel_tol=1e-9) for lost in (2, 4)):
        message = f"{said} Two gradients arrive at one node, but only one is counted."
        hint = "What happens to the first gradient when the second one arrives at the same node?"
        return wrong(message, overwrites, leaf_name, hint)
    hint = "Follow the gradients by hand: does each node have its complete gradient when it runs?"
    return wrong(said, None, leaf_name, hint)


def _where(graph: Graph) -> str:
    return shown(graph) if len(graph) <= 26 else f"a graph of {len(graph) - 1} nodes"


CHECKS = {check: _on(check) for check in GRAPHS}

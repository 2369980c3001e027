"""Judges an order of the nodes: each once, and before all nodes that it sends gradients to."""

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from autograder.tasks import engine_graphs as graphs
from autograder.tasks.battery import REPEAT
from autograder.tasks.engine_graphs import Graph, Make, describe, name, operands
from autograder.tasks.findings import CONSTANTS, disturbed, of_walk, raised, wrong
from autograder.tasks.topological_order.probe import Order, order
from vjpcheck.ask.protocol import ProbeClient
from vjpcheck.result import Finding

LONG = 100_000
NESTED_AT_MOST = 50

GRAPHS: dict[str, Sequence[Make]] = {
    "order": [graphs.of_the_text, graphs.tree, graphs.twice, graphs.single],
    "diamond": graphs.FAN_OUT,
    "100,000 nodes": [lambda _: graphs.chain(LONG)],
}
HINTS = {
    "RecursionError": "Replace the recursive calls by a loop with its own list. What does the list hold?",
    "TookTooLong": "How often do you visit the same node, and how long does the test for that take?",
    "None": CONSTANTS,
    "a tuple": "next_functions contains pairs: a node and the index of its output.",
    "a Tensor": "The node that computed a Tensor is its grad_fn.",
}


def _on(check: str) -> Callable[[ProbeClient, np.random.Generator], Iterator[Finding]]:
    def findings(probe: ProbeClient, generator: np.random.Generator) -> Iterator[Finding]:
        tried = [make(generator) for make in GRAPHS[check]]
        requests = [order(graph) for graph in tried]
        if check == "order":  # nothing is left over from the first call
            tried, requests = [*tried, tried[1]], [*requests, order(tried[1], calls=2)]
        if check == "100,000 nodes":
            chain = graphs.chain(NESTED_AT_MOST * 4)
            tried, requests = [chain, *tried], [order(chain, depth=True), *requests]
        answers = probe.ask(requests)
        by_graph = [[*of_one_graph(graph, answer)] for graph, answer in zip(tried, answers, strict=True)]
        if check == "order" and by_graph[-1] and not by_graph[1] and not _shuffled(answers[1], answers[-1]):
            mistake, sentence, hint = REPEAT
            yield wrong(f"{sentence} {by_graph[-1][0].message}", mistake, None, hint)
        yield from itertools.chain(*by_graph)

    return findings


def _shuffled(first: Order, second: Order) -> bool:
    """Return whether both have the same nodes: the order of a set may be right by chance in one call."""
    return bool(np.array_equal(np.sort(first["numbers"]), np.sort(second["numbers"])))


def of_one_graph(graph: Graph, answer: Order) -> Iterator[Finding]:
    """Find mistakes in the order of the nodes of one graph."""
    where = _where(graph)
    if "error" in answer:
        mistake, hint = of_walk(HINTS)(graph, answer["error"])
        finding = raised(answer["error"], where, hint)
        yield replace(finding, mistake=mistake or finding.mistake)
        return
    if answer["depth"] > NESTED_AT_MOST:
        message = f"For {where}, it calls itself, {answer['depth']} calls deep; there may be 100,000 nodes."
        yield wrong(message, hint=HINTS["RecursionError"])
    yield from disturbed(answer["changes"], where)
    problem, hint = _problem(graph, answer)
    if problem:
        yield wrong(f"{problem} The graph: {where}.", hint=hint)
        return
    early, hint = _out_of_order(graph, answer["numbers"])
    if early:
        yield wrong(f"{early} The graph: {where}.", "wrong-order", None, hint)


def _where(graph: Graph) -> str:
    if len(graph) > 26:
        shape = "a chain" if all(len(operands(step)) < 2 for step in graph) else "a ladder"
        return f"{shape} of {len(graph) - 1} nodes"
    return describe(graph)


def _problem(graph: Graph, answer: Order) -> tuple[str, str]:
    """Return a sentence on a mistake in the list, and a hint; two empty texts if there is none."""
    if answer["odd"]:
        odd = answer["odd"]
        kind = "a node that is not in the graph" if odd.endswith(("Grad", "Backward")) else odd
        return f"The list contains {kind}; all entries must be nodes.", HINTS.get(odd, "")
    numbers = answer["numbers"]
    times = np.bincount(numbers, minlength=len(graph))
    inner = np.array([step[0] != "leaf" for step in graph])
    if (times > 1).any():
        number = int(np.flatnonzero(times > 1)[-1])
        return (
            f"{_node(graph, number)} is in the list {times[number]} times.",
            "Several paths lead to this node. How can you remember that you have visited it?",
        )
    if (times[inner] == 0).any():
        number = int(np.flatnonzero(inner & (times == 0))[-1])
        return (
            f"{_node(graph, number)} is missing.",
            "Where does your traversal start, and where does it stop?",
        )
    if 0 < times[~inner].sum() < (~inner).sum():
        number = int(np.flatnonzero(~inner & (times == 0))[0])
        return f"{_node(graph, number)} is missing; the list contains the node of another leaf instead.", ""
    return "", ""


def _out_of_order(graph: Graph, numbers: np.ndarray) -> tuple[str, str]:
    """Return a sentence on a node that comes too early, and a hint; two empty texts if none does."""
    place = np.full(len(graph), -1)
    place[numbers] = np.arange(len(numbers))
    used_by = [operands(step) for step in graph]
    users = np.repeat(np.arange(len(graph)), [len(used) for used in used_by])
    useds = np.fromiter(itertools.chain.from_iterable(used_by), np.int64, len(users))
    listed = place[useds] >= 0
    wrong = listed & (place[users] > place[useds])
    if not wrong.any():
        return "", ""
    last = np.flatnonzero(wrong)[-1]
    user, used = int(users[last]), int(useds[last])
    message = (
        f"{_node(graph, used)} stands before {_node(graph, user, 't')}, "
        f"which still has to send it a gradient."
    )
    if (wrong == listed).all():
        return message, "Read the list from its end. Is it right then?"
    return message, "When is a node complete? Count the nodes that send gradients to it."


def _node(graph: Graph, number: int, article: str = "T") -> str:
    """Return 'The node of d' or, for a leaf, 'The AccumulateGrad of a'."""
    kind = "AccumulateGrad" if graph[number][0] == "leaf" else "node"
    return f"{article}he {kind} of {name(number)}"


CHECKS = {check: _on(check) for check in GRAPHS}

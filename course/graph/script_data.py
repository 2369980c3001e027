"""What a player's script is given: names, formulas, numbers as they will be read, the steps of each sweep.

All of it is plain data, to be written as JSON into the page; the script adds only sentences.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from course.graph import words
from course.graph.model import Edge, Graph, Node, Step, Value, of_array
from course.graph.words import LARGE, partial

Quantity = str | list[list[str]] | dict[str, str] | None  # a number, rows of few entries, the shape of many
INPUTS = 64  # sweeps of forward mode that a page has room for
DOT = "\N{COMBINING DOT ABOVE}"


def script_data(graph: Graph) -> dict[str, Any]:
    """Write out everything that a player shows.

    `nodes` and `edges` are in the graph's order, and everything else names them by their place in it.
    `reverse` has the steps of the backward pass as [kind, node, edge, product], and a sum's total after them;
    kinds are those of `Step`. `forward` has those of forward mode as [kind, node, edge], the same whichever
    input is moved, and for each input its `leaf` and the numbers: `products` edge by edge, `totals` sum by
    sum. It is None where a local derivative is not a number, and where there are more than `INPUTS` inputs.
    """
    places = {node.id: place for place, node in enumerate(graph.nodes)}
    lines = {edge.id: place for place, edge in enumerate(graph.edges)}
    forward = _forward(graph, places, lines)
    return {
        "nodes": [_node(graph, node, forward is not None) for node in graph.nodes],
        "edges": [_edge(graph, edge, places) for edge in graph.edges],
        "output": places[graph.output],
        "note": f"Adjoints are missing: {graph.note}." if graph.note else "",
        "reverse": [
            [*_where(step, places, lines), quantity(abridged(graph, step.product))]
            + ([quantity(abridged(graph, step.total))] if step.kind == "sum" else [])
            for step in graph.steps
        ],
        "forward": forward,
    }


def forward_sweeps(graph: Graph) -> dict[str, tuple[Step, ...]]:
    """Sweep forward once for each leaf (its id); nothing where forward mode cannot be shown."""
    leaves = [node.id for node in graph.nodes if node.kind == "leaf"]
    sweeps = {leaf: forward_steps(graph, leaf) for leaf in leaves} if len(leaves) <= INPUTS else {}
    return {leaf: steps for leaf, steps in sweeps.items() if steps}


def forward_steps(graph: Graph, leaf: str) -> tuple[Step, ...] | None:
    """Write out a forward-mode sweep: how fast each node changes when the leaf with this id is moved.

    Each leaf is seeded, 1 or 0; then each edge is travelled along the tape, and products that meet add up.
    None where a local derivative is not known: a graph of arrays, or one that was not swept.
    """
    tangents: dict[str, float] = {}
    steps: list[Step] = []
    for node in graph.nodes:
        if node.kind == "leaf":
            tangents[node.id] = float(node.id == leaf)
            seed = of_array(tangents[node.id])
            steps.append(Step("seed", node.id, None, seed, seed))
        total: float | None = None
        for edge in graph.operands(node.id):
            if edge.local is None:
                return None
            product = edge.local * tangents[edge.source]
            before = total
            total = product if before is None else before + product
            arrived = of_array(product)
            steps.append(
                Step("travel", node.id, edge.id, arrived, arrived if before is None else of_array(before))
            )
            if before is not None:
                steps.append(Step("sum", node.id, edge.id, arrived, of_array(total)))
        if total is not None:
            tangents[node.id] = total
    return tuple(steps) if graph.swept else None


def dotted(name: str) -> str:
    """Write the tangent of a name in plain text: ẇ₃."""
    if words.mathematical(name):
        return name[0] + DOT + name[1:].translate(words.SUBSCRIPTS)
    return words.short(name) + "\N{DOT ABOVE}"


def abridged(graph: Graph, value: Value | None) -> Value | None:
    """Leave the entries out of an array in a large graph, which has no room for them."""
    if value is None or value.shape == () or len(graph.nodes) <= LARGE:
        return value
    return replace(value, entries=None)


def quantity(value: Value | None) -> Quantity:
    """Write a value: its number, its entries row by row if they are few, else its shape."""
    if value is None:
        return None
    rows = words.entries(value)
    if rows is None:
        return {"shape": words.shape(value.shape)}
    return rows[0][0] if value.shape == () else rows


def _node(graph: Graph, node: Node, moves: bool) -> dict[str, Any]:
    name = node.name or words.symbol(node)  # an operation with several results has no name of its own
    value = quantity(abridged(graph, node.value))
    if value is None and node.shape:  # PyTorch does not keep results that nobody holds
        value = {"shape": words.shape(node.shape)}
    entry: dict[str, Any] = {
        "id": node.id,
        "name": words.pretty(name),
        "bar": words.barred(name),
        "value": value,
        "leaf": node.kind == "leaf",
        "named": node.name is not None,
    }
    entry |= {"dot": dotted(name)} if moves else {}
    return entry | ({"formula": _formula(graph, node)} if node.kind == "operation" else {})


def _formula(graph: Graph, node: Node) -> str:
    """Write what the node computes: w₁ × w₂ = 2 × 3 in words of names, then of numbers if all are known."""
    operands = [graph.node(edge.source) for edge in graph.operands(node.id)]
    named = [words.pretty(each.name or words.symbol(each)) for each in operands]
    numbers = [each.value.number if each.value else None for each in operands]
    sign = words.symbol(node)
    infix = sign in words.INFIX.values()
    if infix and len(operands) == 1:
        named.insert(1 - graph.operands(node.id)[0].position, "constant")
        numbers = []
    written = [words.number(x) for x in numbers if x is not None]
    text = _apply(sign, named, infix)
    return f"{text} = {_apply(sign, written, infix)}" if written and len(written) == len(named) else text


def _apply(sign: str, operands: Sequence[str], infix: bool) -> str:
    if not infix:
        return f"{sign}({', '.join(operands)})"
    return f" {sign} ".join(
        f"({each})" if at and each[0] == "−" else each for at, each in enumerate(operands)
    )


def _edge(graph: Graph, edge: Edge, places: dict[str, int]) -> dict[str, Any]:
    source, target = graph.node(edge.source), graph.node(edge.target)
    local = None if edge.local is None else words.number(edge.local)
    return {
        "id": edge.id,
        "source": places[edge.source],
        "target": places[edge.target],
        "partial": partial(target.name or "", source.name or ""),
        "local": local,
    }


def _where(step: Step, places: dict[str, int], lines: dict[str, int]) -> list[Any]:
    return [step.kind, places[step.node], None if step.edge is None else lines[step.edge]]


def _forward(graph: Graph, places: dict[str, int], lines: dict[str, int]) -> dict[str, Any] | None:
    sweeps = forward_sweeps(graph)
    if not sweeps:
        return None
    return {
        "steps": [_where(step, places, lines) for step in next(iter(sweeps.values()))],
        "inputs": [
            {
                "leaf": places[leaf],
                "products": [
                    quantity(abridged(graph, step.product)) for step in steps if step.kind == "travel"
                ],
                "totals": [quantity(abridged(graph, step.total)) for step in steps if step.kind == "sum"],
            }
            for leaf, steps in sweeps.items()
        ],
    }

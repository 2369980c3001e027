"""What a player's script is given: names, formulas, numbers as they will be read, the steps of each sweep.

All of it is plain data, to be written as JSON into the page; the script adds only sentences.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Literal

from course.graph import words
from course.graph.folds import held
from course.graph.live_data import Ranges, live_data
from course.graph.model import Edge, Graph, Node, Step, Value, of_array
from course.graph.words import LARGE

Quantity = str | list[list[str]] | dict[str, str] | None  # a number, rows of few entries, the shape of many
INPUTS = 64  # sweeps of forward mode that a page has room for

# The local derivative of each operation in symbols (cos w₁ on the edge from w₁ to sin w₁), by the operand's
# position: from the names of the operands and of the result.
Symbols = Callable[[Sequence[str], str], str]
ONE_OPERAND: dict[str, Symbols] = {
    "neg": lambda _x, _y: "−1",
    "exp": lambda x, y: y,
    "log": lambda x, _y: f"1/{x[0]}",
    "sin": lambda x, _y: f"cos {x[0]}",
    "cos": lambda x, _y: f"−sin {x[0]}",
    "tanh": lambda _x, y: f"1 − {y}²",
    "sqrt": lambda _x, y: f"1/(2{y})",
    "sigmoid": lambda _x, y: f"{y}(1 − {y})",
    "square": lambda x, _y: f"2{x[0]}",
}
TWO_OPERANDS: dict[str, tuple[Symbols, Symbols]] = {
    "add": (lambda _x, _y: "1", lambda _x, _y: "1"),
    "sub": (lambda _x, _y: "1", lambda _x, _y: "−1"),
    "mul": (lambda x, _y: x[1], lambda x, _y: x[0]),
    "div": (lambda x, _y: f"1/{x[1]}", lambda x, _y: f"−{x[0]}/{x[1]}²"),
}
SUPERSCRIPTS = str.maketrans("0123456789−", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")


def script_data(graph: Graph, ranges: Ranges | None = None) -> dict[str, Any]:
    """Write out everything that a player shows.

    What follows from the rest is left out, as pages must stay small: `completed` in steps.js adds it.
    `nodes` and `edges` are in the graph's order, and everything else names them by their place in it.
    An edge's `symbols` are its local derivative without numbers. Its `added` says what backward added up
    along it, where broadcasting copied the source. `code` has the ranges of the nodes' expressions.
    `reverse` has the steps of the backward pass as [kind, node, edge, product], and a sum's total after them;
    kinds are those of `Step`. `forward` has those of forward mode as [kind, node, edge], the same whichever
    input is moved, and for each input its `leaf` and the numbers: `products` edge by edge, `totals` sum by
    sum. The numbers of a live graph are left out. It is None where a local derivative is not a number, and
    where there are more than `INPUTS` inputs. `live` is what `live_data` writes. A player whose sliders have
    `ranges` starts when all has `ended`.
    """
    places = {node.id: place for place, node in enumerate(graph.nodes)}
    lines = {edge.id: place for place, edge in enumerate(graph.edges)}
    live = live_data(graph, ranges or {})
    forward = _forward(graph, places, lines, live is not None)
    return {
        "title": graph.node(graph.output).name or graph.output,
        "nodes": [_node(graph, node) for node in graph.nodes],
        "edges": [_edge(graph, edge, places) for edge in graph.edges],
        "output": places[graph.output],
        "note": f"Adjoints are missing: {graph.note}." if graph.note else "",
        "reverse": [
            [*_where(step, places, lines), _at(graph, step, step.product)]
            + ([_at(graph, step, step.total)] if step.kind == "sum" else [])
            for step in graph.steps
        ],
        "forward": forward,
        "code": graph.code
        and {
            "text": graph.code.text,
            "spans": [[places[key], begin, end] for key, begin, end in graph.code.spans],
        },
        "live": live,
        "ended": ranges is not None,
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
        return {"shape": words.told_shape(value.shape)}
    return rows[0][0] if value.shape == () else rows


def _at(graph: Graph, step: Step, value: Value | None) -> Quantity | Literal[1]:
    """Write what arrives at a node; 1 stands for the node's own shape."""
    told = quantity(abridged(graph, value))
    same = isinstance(told, dict) and value is not None and value.shape == graph.node(step.node).shape
    return 1 if same else told


def _node(graph: Graph, node: Node) -> dict[str, Any]:
    name = node.name or words.symbol(node)  # an operation with several results has no name of its own
    value = quantity(abridged(graph, node.value))
    if value is None and node.shape:  # PyTorch does not keep results that nobody holds
        value = {"shape": words.told_shape(node.shape)}
    entry: dict[str, Any] = {
        "id": node.id,
        "name": words.pretty(name),
        "value": value,
    }
    entry |= {"plain": name} if node.kind == "leaf" else {}
    entry |= {} if node.name else {"unnamed": True}
    entry |= {"shape": words.told_shape(node.shape)} if node.shape and len(graph.nodes) <= LARGE else {}
    entry |= {"holds": held(node.group)} if node.group and node.group.inside else {}
    return entry | ({"formula": _formula(graph, node)} if node.kind == "operation" else {})


def _formula(graph: Graph, node: Node) -> str:
    """Write what the node computes: w₁ × w₂ = 2 × 3 in words of names, then of numbers if all are known."""
    names = words.operand_names(graph, node, lambda each: words.pretty(each.name or words.symbol(each)))
    numbers = [None if value is None else value.number for value in _operands(graph, node)]
    written = [words.number(x) for x in numbers if x is not None]
    text = words.applied(node, names)
    return f"{text} = {words.applied(node, written)}" if written and len(written) == len(names) else text


def _operands(graph: Graph, node: Node) -> list[Value | None]:
    if node.rule:
        return [graph.node(each).value if isinstance(each, str) else each for each in node.rule.operands]
    return [graph.node(edge.source).value for edge in graph.operands(node.id)]


def _edge(graph: Graph, edge: Edge, places: dict[str, int]) -> dict[str, Any]:
    local = None if edge.local is None else words.number(edge.local)
    sums = words.added(graph, edge)
    ends = {"source": places[edge.source], "target": places[edge.target]}
    entry: dict[str, Any] = {"id": edge.id, **ends, "local": local}
    symbols = _derivative(graph, edge)
    entry |= {"symbols": symbols} if symbols else {}
    return entry | ({"added": sums} if sums else {})


def _derivative(graph: Graph, edge: Edge) -> str:
    """Write the derivative of an operation by an operand in symbols; nothing where that is not short."""
    node = graph.node(edge.target)
    operation = node.operation or ""
    if edge.local is None or node.custom or node.kind != "operation" or node.name is None:
        return ""
    operands = words.operand_names(graph, node, lambda each: words.pretty(each.name or words.symbol(each)))
    result = words.pretty(node.name)
    if operation in ONE_OPERAND and len(operands) == 1:
        return ONE_OPERAND[operation](operands, result)
    if len(operands) != 2 or edge.position > 1:
        return ""
    written = ""
    if operation in ("power", "pow") and edge.position == 0:
        written = _power(*operands)
    if operation in TWO_OPERANDS:
        written = TWO_OPERANDS[operation][edge.position](operands, result)
    # PyTorch's add has a factor alpha, and its div a rounding mode.
    scaled = operation in ("add", "sub", "div") and written.removeprefix("−") == "1"
    if (scaled and written != words.number(edge.local)) or (operation == "div" and edge.local == 0):
        return ""
    return "" if "constant" in written else written


def _power(x: str, exponent: str) -> str:
    """Write the derivative of x to a whole power: 3x²."""
    if not re.fullmatch(r"\d+", exponent):
        return ""
    less = int(exponent) - 1
    factor = "" if exponent == "1" else exponent
    return f"{factor}{x}{'' if less == 1 else str(less).translate(SUPERSCRIPTS)}" if less else exponent


def _where(step: Step, places: dict[str, int], lines: dict[str, int]) -> list[Any]:
    return [step.kind, places[step.node], None if step.edge is None else lines[step.edge]]


def _forward(
    graph: Graph, places: dict[str, int], lines: dict[str, int], live: bool
) -> dict[str, Any] | None:
    sweeps = forward_sweeps(graph)
    if not sweeps:
        return None
    return {
        "steps": [_where(step, places, lines) for step in next(iter(sweeps.values()))],
        "inputs": [
            {"leaf": places[leaf]}
            if live
            else {
                "leaf": places[leaf],
                "products": [
                    quantity(abridged(graph, step.product)) for step in steps if step.kind == "travel"
                ],
                "totals": [quantity(abridged(graph, step.total)) for step in steps if step.kind == "sum"],
            }
            for leaf, steps in sweeps.items()
        ],
    }

"""What a player's script is given: names, formulas, numbers as they will be read, the steps of each sweep.

All of it is plain data, to be written as JSON into the page; the script adds only sentences. With `live_data`
the page computes what was recorded again, from other values of the leaves: the constants and the branches of
the code stay as they were. Where a constant can be told to depend on the leaves (a condition, a sign), the
graph is left as it is.
"""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from course.graph import words
from course.graph.model import Edge, Graph, Node, Step, Value, of_array
from course.graph.words import LARGE

Ranges = Mapping[str, tuple[float, float]]  # of sliders, by the names of the leaves
UNKNOWABLE = "abs"  # its second derivative multiplies by a sign, which looks like any other constant
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

    What follows from the rest is left out, as pages must stay small: `completed` in quantities.js adds it.
    `nodes` and `edges` are in the graph's order, and everything else names them by their place in it.
    An edge's `symbols` are its local derivative without numbers. Its `added` says what backward added up
    along it, where broadcasting copied the source. `code` has the ranges of the nodes' expressions.
    `reverse` has the steps of the backward pass as [kind, node, edge, product], and a sum's total after them;
    kinds are those of `Step`. `forward` has those of forward mode as [kind, node, edge], the same whichever
    input is moved, and for each input its `leaf` and the numbers: `products` edge by edge, `totals` sum by
    sum. The numbers of a live graph are left out. It is None where a local derivative is not a number, and
    where there are more than `INPUTS` inputs. `live` is what `live_data` writes for sliders with `ranges`.
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
    entry |= {"holds": words.held(node.group)} if node.group and node.group.inside else {}
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


def live_data(graph: Graph, ranges: Ranges | None = None) -> dict[str, Any] | None:
    """Write out how each node is computed, or None for a graph that a page cannot compute.

    `nodes` follows the graph's order. A leaf has its `value` and the `range` of its slider. An operation has
    the name of its `rule`, its `operands` (a node's place or a constant), its `shape`, the `places` of a rule
    that moves entries, and how it is written: its `sign`, and whether that is `infix`.
    `positions` has the place of each edge's source among the operands of its target's rule. An array is its
    shape and its entries in one list. `single` tells that the numbers have single precision.
    """
    places = {node.id: place for place, node in enumerate(graph.nodes)}
    nodes = [_live_node(node, places, ranges or {}) for node in graph.nodes]
    silent = any(edge.product is None for edge in graph.edges) and graph.swept
    if None in nodes or silent or _is_constant(graph) or _has_signs(graph):
        return None
    single = any(node.value and node.value.dtype == "float32" for node in graph.nodes)
    return {
        "nodes": nodes,
        "positions": [_position(graph, edge) for edge in graph.edges],
        **({"single": True} if single else {}),
    }


def why_still(graph: Graph) -> str:
    """Say in a sentence why the leaves of a graph cannot be changed; nothing where nobody would expect it."""
    if live_data(graph) is not None or not graph.swept or any(node.group for node in graph.nodes):
        return ""
    custom = [words.symbol(node) for node in graph.nodes if node.custom]
    if custom:
        return (
            f"The values cannot be changed here: {custom[0]} has code of its own, which the page cannot run."
        )
    large = [
        node
        for node in graph.nodes
        if node.kind == "leaf" and (node.value is None or node.value.entries is None)
    ]
    if large:
        return f"The values cannot be changed here: {words.pretty(large[0].name or '')} has too many entries."
    unknown = [words.symbol(node) for node in graph.nodes if node.kind == "operation" and node.rule is None]
    if unknown:
        return f"The values cannot be changed here: the page cannot compute {unknown[0]} again."
    return ""


def _position(graph: Graph, edge: Edge) -> int:
    """Find an operand among those of a rule, which may begin with a constant that PyTorch does not count."""
    rule = graph.node(edge.target).rule
    given = rule.operands if rule else ()
    at = edge.position
    return at if at < len(given) and given[at] == edge.source else given.index(edge.source)


def _live_node(node: Node, places: Mapping[str, int], ranges: Ranges) -> dict[str, Any] | None:
    if node.kind == "leaf":
        value = node.value
        if value is None or value.entries is None or value.dtype not in ("float32", "float64"):
            return None
        range_of = {"range": ranges[node.name]} if node.name and node.name in ranges else {}
        return {"value": _array(value), **range_of}
    if node.rule is None:
        return None
    operands = [places[each] if isinstance(each, str) else _array(each) for each in node.rule.operands]
    sign, infix = words.sign(node)
    entry: dict[str, Any] = {"rule": node.rule.name, "operands": operands, "shape": list(node.shape or ())}
    entry |= {"sign": sign, "infix": infix}
    return entry | ({"places": node.rule.places} if node.rule.places else {})


def _array(value: Value) -> dict[str, Any]:
    entries = np.asarray(value.entries, float).reshape(-1).tolist()
    if value.dtype == "float32":  # 0.1 is 0.10000000149 in single precision
        entries = [float(str(np.float32(x))) for x in entries]
    return {"shape": list(value.shape), "entries": [x if math.isfinite(x) else _word(x) for x in entries]}


def _word(x: float) -> str:
    """Write what JSON has no number for as JavaScript does."""
    return "NaN" if math.isnan(x) else "Infinity" if x > 0 else "-Infinity"


def _is_constant(graph: Graph) -> bool:
    """Tell whether there is nothing to compute, or no leaf that could change."""
    return not any(node.kind == "leaf" for node in graph.nodes) or graph.node(graph.output).kind == "leaf"


def _has_signs(graph: Graph) -> bool:
    """Tell whether a constant may be the sign of a value, which would change with the leaves."""
    if all(node.operation != UNKNOWABLE for node in graph.nodes):
        return False
    constants = [
        each for node in graph.nodes if node.rule for each in node.rule.operands if node.rule.name == "mul"
    ]
    return any(
        isinstance(each, Value) and np.isin(np.asarray(each.entries), (-1, 0, 1)).all() for each in constants
    )

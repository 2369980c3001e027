"""What a page needs to compute a graph again from other values of its leaves: `compute.js` reads it.

The page computes what was recorded: the constants and the branches of the code stay as they were. Where a
constant can be told to depend on the leaves (a condition, a sign), the graph is left as it is.
"""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from course.graph import words
from course.graph.model import Edge, Graph, Node, Value

Ranges = Mapping[str, tuple[float, float]]  # of sliders, by the names of the leaves
UNKNOWABLE = "abs"  # its second derivative multiplies by a sign, which looks like any other constant


def live_data(graph: Graph, ranges: Ranges | None = None) -> dict[str, Any] | None:
    """Write out how each node is computed, or None for a graph that a page cannot compute.

    `nodes` follows the graph's order. A leaf has its `value` and the `range` of its slider. An operation has
    the name of its `rule`, its `operands` (a node's place or a constant), its `shape`, the `places` of a rule
    that moves entries, and how it is written: its `sign`, and whether that is `infix`.
    `positions` has the place of each edge's source among the operands of its target's rule. An array is its
    shape and its entries in one list. `single` tells that the numbers have single precision.
    """
    places = {node.id: place for place, node in enumerate(graph.nodes)}
    nodes = [_node(node, places, ranges or {}) for node in graph.nodes]
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


def _node(node: Node, places: Mapping[str, int], ranges: Ranges) -> dict[str, Any] | None:
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

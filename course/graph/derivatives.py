"""Local derivatives in symbols: cos w₁ on the edge from w₁ to sin w₁."""

import re
from collections.abc import Callable, Sequence

from course.graph import words
from course.graph.model import Edge, Graph

# Of each operation, by position: from the names of its operands and of its result.
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


def derivative(graph: Graph, edge: Edge) -> str:
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

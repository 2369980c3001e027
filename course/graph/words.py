"""Numbers, names, shapes and operations as a reader would write them, and how wide a text is."""

import math
import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from course.graph.constants import SHARED
from course.graph.model import Edge, Graph, Group, Node, Value

INFIX = {
    "add": "+",
    "sub": "−",
    "rsub": "−",
    "mul": "×",
    "div": "÷",
    "mm": "@",
    "matmul": "@",
    "bmm": "@",
    "mv": "@",
}
POWERS = {"power": "**", "pow": "**"}  # in formulas; a card has room for a word
BROADCASTING = {"add", "sub", "rsub", "mul", "div", "pow", "power", "where", "maximum", "minimum"}
BROADCASTING |= {"atan2", "lerp", "expand", "broadcast_to"}  # operations that copy an operand where they must
LONGEST = 18  # characters of a name; longer ones lose their middle
TITLE = 32  # characters of a module's path
LINES, COLUMNS = 3, 4  # of an array that is written out; a larger one is told by its shape
DIGITS: int = SHARED["DIGITS"]  # significant ones
BRIEF: int = SHARED["BRIEF"]  # characters of an array on a chip or an edge
TOLD: int = SHARED["TOLD"]  # nodes that one sentence can tell one by one
LARGE = 50  # nodes of a graph whose arrays are told by their shape
COLLAPSE_ABOVE = 300  # nodes of a graph that is drawn node by node
SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
MACRON = "\N{COMBINING MACRON}"

# Thousandths of the font size, for the characters from the space to the tilde (Adobe's Helvetica metrics).
ASCII = (
    "278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 "
    "556 278 278 584 584 584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 "
    "722 667 611 722 667 944 667 667 611 278 278 278 469 556 333 556 556 500 556 556 278 556 556 222 222 "
    "500 222 833 556 556 556 556 333 500 278 556 500 722 500 500 500 334 260 334 584 "
)
WIDTHS = {chr(32 + place): int(width) for place, width in enumerate(ASCII.split())}
WIDTHS |= dict.fromkeys("₀₁₂₃₄₅₆₇₈₉", 350) | dict.fromkeys("×÷−", 584) | {"∂": 530, "…": 1000}
WIDTHS |= {"\N{COMBINING MACRON}": 0, "\N{COMBINING OVERLINE}": 0}
BOLD = 1.08  # a bold text is about so much wider


def number(x: float) -> str:
    """Write a number with four significant digits: 6.909, −0.4161, 1e−5."""
    if isinstance(x, bool):
        return str(x)
    text = "0" if x == 0 else f"{x:.{DIGITS}g}"
    text = re.sub(r"e([+-])0*", lambda sign: "e" + sign[1].replace("+", ""), text)
    return text.replace("-", "−")


def shape(sizes: tuple[int, ...]) -> str:
    """Write a shape: 64 × 128."""
    return " × ".join(map(str, sizes)) if sizes else "a number"


def told_shape(sizes: tuple[int, ...]) -> str:
    """Write a shape where a value would stand: shape (64, 128)."""
    return f"shape {tuple(sizes)}" if sizes else "a number"


def size(sizes: tuple[int, ...]) -> int:
    """Count the entries of an array of this shape."""
    return math.prod(sizes)


def size_in_bytes(many: int) -> str:
    """Write a number of bytes: 512 bytes, 16.4 kB, 1.2 MB."""
    if many < 1000:
        return count(many, "byte")
    power = min(int(math.log10(many)) // 3, 4)
    return f"{many / 1000**power:.3g} {' kMGT'[power]}B"


def short(name: str, longest: int = LONGEST) -> str:
    """Cut the middle out of a long name, where names differ least."""
    if len(name) <= longest:
        return name
    front = (longest - 1) // 2
    return f"{name[:front]}…{name[front + 1 - longest :]}"


@lru_cache(maxsize=10_000)
def mathematical(name: str) -> bool:
    """Tell whether a name is a letter, with a number or without: w, w3."""
    return re.fullmatch(r"[^\W\d_]\d*", name) is not None


def pretty(name: str) -> str:
    """Write a name for a picture: w₃ for w3; others as they are, shortened."""
    return name.translate(SUBSCRIPTS) if mathematical(name) else short(name)


def barred(name: str) -> str:
    """Write the adjoint of a name in plain text: w̄₃."""
    if mathematical(name):
        return name[0] + MACRON + name[1:].translate(SUBSCRIPTS)
    return "".join(letter + "\N{COMBINING OVERLINE}" for letter in short(name))


def symbol(node: Node) -> str:
    """Write an operation as a sign where it has one, else by its name."""
    if node.group:
        return short(node.operation or "", TITLE)
    if node.custom:
        return short(node.operation or "")
    return INFIX.get(node.operation or "", short(node.operation or ""))


def sign(node: Node) -> tuple[str, bool]:
    """Write an operation in a formula, and tell whether the sign stands between the operands."""
    written = symbol(node)
    written = written if node.custom else POWERS.get(written, written)
    return written, written in INFIX.values() or written in POWERS.values()


def applied(node: Node, operands: Sequence[str]) -> str:
    """Write an operation applied to operands: w₁ × w₂, sin(w₁)."""
    written, infix = sign(node)
    if not infix:
        return f"{written}({', '.join(operands)})"
    return f" {written} ".join(
        f"({each})" if at and each[0] == "−" else each for at, each in enumerate(operands)
    )


def operand_names(graph: Graph, node: Node, name: Callable[[Node], str]) -> list[str]:
    """Name the operands in their order; a constant is written as a number where it is known to be one."""
    if node.rule:
        return [
            name(graph.node(each))
            if isinstance(each, str)
            else "constant"
            if each.number is None
            else number(each.number)
            for each in node.rule.operands
        ]
    edges = graph.operands(node.id)
    names = [name(graph.node(edge.source)) for edge in edges]
    if sign(node)[1] and len(names) == 1:
        first = edges[0].position == 0 and node.operation != "rsub"
        names.insert(1 if first else 0, "constant")
    return names


def quantity(value: Value | None) -> str:
    """Write a value in one phrase: its number, its few entries, or its shape."""
    if value is None:
        return "None"
    if value.number is not None:
        return number(value.number)
    rows = entries(value)
    if rows:
        return f"[{'; '.join(' '.join(row) for row in rows)}]"
    return f"an array of {shape(value.shape)}{' entries' if len(value.shape) == 1 else ''}"


def brief(value: Value) -> str:
    """Write a value in little room: its number, its entries if they are very few, or its shape."""
    text = quantity(value)
    fits = value.number is not None or (entries(value) and len(text) <= BRIEF)
    return text if fits else told_shape(value.shape)


def added(graph: Graph, edge: Edge) -> str:
    """Say what backward added up along an edge, because broadcasting copied the source; else nothing."""
    source, target = graph.node(edge.source), graph.node(edge.target)
    broadcasts = target.operation in BROADCASTING or (target.operation == "addmm" and edge.position == 0)
    if target.custom or not broadcasts or source.shape is None or not target.shape:
        return ""
    made = len(target.shape) - len(source.shape)
    kept = (1,) * made + source.shape
    axes = [axis for axis, (one, other) in enumerate(zip(kept, target.shape, strict=True)) if one != other]
    name = pretty(source.name or symbol(source))
    if not axes:
        return ""
    if size(source.shape) == 1:
        return f"all entries were added, because each used a copy of {name}"
    if len(target.shape) == 2:
        what = "column" if axes[0] else "row"
        return f"the {what}s were added, because each {what} used a copy of {name}"
    named = f"ax{'e' if len(axes) > 1 else 'i'}s {' and '.join(map(str, axes))}"
    return f"a sum was taken over {named}, because {name} was copied there"


def count(many: int, what: str, plural: str = "") -> str:
    """Write how many there are of something: 1 leaf, 2 leaves."""
    return f"{many:,} {what if many == 1 else plural or what + 's'}"


def describe(graph: Graph) -> str:
    """Say in one sentence what a graph shows, for a picture's text alternative."""
    output = graph.node(graph.output)
    operations = [node for node in graph.nodes if node.kind == "operation"]
    leaves = [node for node in graph.nodes if node.kind == "leaf"]
    groups = [node.group for node in graph.nodes if node.group]
    later = [node for node in graph.nodes if node.order > 1]
    if len(graph.nodes) > TOLD or groups:
        hidden = sum(group.leaves for group in groups)
        inside = sum(group.nodes for group in groups) - hidden
        parts = [
            f"Graph of {output.name or output.id}",
            f"computed from {count(len(leaves) + hidden, 'leaf', 'leaves')} "
            f"by {count(len(operations) + inside, 'operation')}",
        ]
        if groups:
            parts.append(f"drawn as {count(len(graph.nodes), 'node')}")
        if later:
            parts.append(f"{len(later):,} of second or higher order")
        if graph.swept:
            parts.append(f"with a backward pass of {count(len(graph.steps), 'step')}")
        return ", ".join(parts) + "."
    facts = [f"{leaf.name} = {quantity(leaf.value)}" for leaf in leaves]
    facts += [formula(graph, node) for node in operations]
    sentence = f"Graph of {output.name or output.id}: {', '.join(facts)}"
    if graph.swept:
        known = [node for node in graph.nodes if node.name]
        adjoints = [f"{node.name} {quantity(node.adjoint)}" for node in known]
        sentence += f"; adjoints {', '.join(adjoints)}"
    if later:
        sentence += f"; of second or higher order {', '.join(node.name or symbol(node) for node in later)}"
    return sentence + "."


def formula(graph: Graph, node: Node) -> str:
    """Write an operation with its operands and its result: w3 = w1 × w2 = 6."""
    right = applied(node, operand_names(graph, node, lambda each: each.name or each.id))
    results = [graph.node(edge.target).name or edge.target for edge in graph.uses(node.id)]
    left = node.name or ", ".join(results)
    return f"{left} = {right}" + (f" = {quantity(node.value)}" if node.value else "")


def entries(value: Value) -> list[list[str]] | None:
    """Write out a small array's entries in rows; a number is one row of one. None for what is too large."""
    rows = value.entries
    if rows is None or len(value.shape) > 2 or math.prod(value.shape) == 0:
        return None
    if not isinstance(rows, list):
        return [[number(rows)]]
    table = rows if len(value.shape) == 2 else [rows]
    if len(table) > LINES or len(table[0]) > COLUMNS:
        return None
    return [[number(x) for x in row] for row in table]


def edge_label(graph: Graph, edge: Edge) -> str:
    """Write the local derivative on an edge: its number, or the sizes of the Jacobian.

    In a large graph the number stands alone: its names can be read at both ends, sizes on the cards. In one
    of more than `COLLAPSE_ABOVE` nodes nothing is written: labels would cost more time and room than nodes.
    """
    source, target = graph.node(edge.source), graph.node(edge.target)
    if source.name is None or len(graph.nodes) > COLLAPSE_ABOVE:
        return ""
    if graph.swept and edge.product is None:
        return "None"
    large = len(graph.nodes) > LARGE
    if edge.local is not None and large:
        return number(edge.local)
    if edge.local is not None:
        return f"{partial(target.name or '', source.name)} = {number(edge.local)}"
    if large or (not target.shape and not source.shape) or target.kind not in ("operation", "group"):
        return ""
    if target.shape is None or source.shape is None:
        return ""
    return f"{size(target.shape)} × {size(source.shape)} Jacobian"


def partial(of: str, by: str) -> str:
    """Write a partial derivative by its names, as long as they are names of mathematics."""
    if mathematical(of) and mathematical(by):
        return f"∂{pretty(of)}/∂{pretty(by)}"
    return "∂"


def edge_title(graph: Graph, edge: Edge) -> str:
    """Say which nodes an edge connects, and which operand it is."""
    source, target = graph.node(edge.source), graph.node(edge.target)
    ends = f"{source.name or source.operation} → {target.name or target.operation}"
    alone = len(graph.operands(target.id)) == 1
    return ends if alone else f"{ends}, operand {edge.position + 1}"


def node_title(graph: Graph, node: Node) -> str:
    """Say what a node computes or stands for."""
    if node.group:
        return f"{node.operation}: {count(node.group.nodes, 'node')}"
    return formula(graph, node) if node.kind == "operation" else f"{node.kind} {node.name}"


def width(text: str, size: float, bold: bool = False) -> float:
    """Return how wide a line of text is in Helvetica, Arial or Liberation Sans, which share their widths."""
    return _thousandths(text) * size / 1000 * (BOLD if bold else 1)


@lru_cache(maxsize=10_000)  # a large graph says the same few things over and over
def _thousandths(text: str) -> int:
    return sum(WIDTHS.get(letter, 700) for letter in text)


def held(group: Group) -> str:
    """Say how much a group holds: 3 operations."""
    return count(group.nodes - group.leaves, "operation")

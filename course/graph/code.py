"""The code that computed a graph: finds, in what the caller ran, the expression that made each node.

A tape does not know its code. So assignments to the names of the nodes are looked up, in all cells of a
notebook or in the caller's file. An expression counts only if it is the operation of the node on the operands
of the node.
"""

import ast
import linecache
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import FrameType

from course.graph.model import Code, Graph, Node
from course.graph.words import LARGE

OPERATORS: dict[type[ast.AST], set[str]] = {
    ast.Add: {"add"},
    ast.Sub: {"sub"},
    ast.Mult: {"mul"},
    ast.Div: {"div"},
    ast.Pow: {"power", "pow"},
    ast.MatMult: {"mat_mul", "mm", "mv", "dot"},
    ast.USub: {"neg"},
}
ALSO = {
    "__abs__": "abs",
    "matmul": "mat_mul",
}  # what a function's node is called, where not like the function
COMMUTING = {"add", "mul"}  # PyTorch puts a constant second
LINES = 30  # more are no help beside a picture

Found = dict[str, tuple["Statement", ast.expr]]


@dataclass(frozen=True)
class Statement:
    """A statement, where it stands among all that was run, and the lines of its source."""

    place: tuple[int, int]
    node: ast.stmt
    lines: tuple[str, ...]

    @property
    def indent(self) -> int:
        """How many columns the statement is indented."""
        return self.node.col_offset


def code_of(graph: Graph, frame: FrameType | None) -> Code | None:
    """Find the code that made the nodes; None where no operation's code is found, and in a large graph."""
    if frame is None or len(graph.nodes) > LARGE:
        return None
    assigned: dict[str, tuple[Statement, ast.expr]] = {}
    for statement in _statements(frame):
        for target, value in _assignments(statement.node):
            assigned[target] = statement, value
    found: Found = {}
    for node in graph.nodes:
        if node.name not in assigned:
            continue
        statement, value = assigned[node.name]
        for key, expression in (_matched(graph, node, value) or {}).items():
            found.setdefault(key, (statement, expression))
    if all(graph.node(key).kind == "leaf" for key in found):
        return None
    return _written(found)


def _statements(frame: FrameType) -> Iterator[Statement]:
    """List the simple statements that the caller's module or function has run, in order."""
    cells = frame.f_globals.get("In")
    if isinstance(cells, list) and frame.f_code.co_name.startswith("<"):  # <module>, or <cell line: 1>
        sources = [str(cell) for cell in cells]
    else:
        sources = ["".join(linecache.getlines(frame.f_code.co_filename))]
    for number, source in enumerate(sources):
        tree = _parsed(source)
        for statement in _simple(_body(tree, frame)):
            if len(sources) > 1 or statement.lineno <= frame.f_lineno:
                lines = source.splitlines()[statement.lineno - 1 : statement.end_lineno]
                yield Statement((number, statement.lineno), statement, tuple(lines))


@lru_cache(maxsize=500)
def _parsed(source: str) -> ast.Module:
    """Parse a source; a cell with a magic command has no statements."""
    try:
        return ast.parse(source)
    except SyntaxError:
        return ast.Module([], [])


def _body(tree: ast.Module, frame: FrameType) -> Sequence[ast.stmt]:
    """Give the statements of the function that the frame runs, or those of the module."""
    name, line = frame.f_code.co_name, frame.f_code.co_firstlineno
    functions = [each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef) and each.name == name]
    inside = [each for each in functions if line <= each.lineno and frame.f_lineno <= (each.end_lineno or 0)]
    return inside[0].body if inside else tree.body


def _simple(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """Go through the statements in blocks, but not through functions and classes: they run elsewhere."""
    for statement in body:
        if isinstance(statement, (ast.For, ast.While, ast.If, ast.With, ast.Try)):
            yield from _simple(
                [each for each in ast.iter_child_nodes(statement) if isinstance(each, ast.stmt)]
            )
        elif isinstance(statement, (ast.Assign, ast.AnnAssign)):
            yield statement


def _assignments(statement: ast.stmt) -> Iterator[tuple[str, ast.expr]]:
    """Give each name that a statement assigns, with its expression."""
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]  # type: ignore[attr-defined]
    value: ast.expr | None = statement.value  # type: ignore[attr-defined]
    for target in targets:
        if (
            isinstance(target, ast.Tuple)
            and isinstance(value, ast.Tuple)
            and len(target.elts) == len(value.elts)
        ):
            pairs = list(zip(target.elts, value.elts, strict=True))
        else:
            pairs = [(target, value)] if value else []
        yield from ((name.id, each) for name, each in pairs if isinstance(name, ast.Name))


def _matched(graph: Graph, node: Node, value: ast.expr) -> Mapping[str, ast.expr] | None:
    """Give the expression of a node and of each node inside it; None if it computes something else."""
    if node.kind == "leaf":
        return {node.id: value} if isinstance(value, ast.Call) else None
    for names, operands in _readings(value):
        if node.operation not in names:
            continue
        orders = [operands, operands[::-1]] if node.operation in COMMUTING else [operands]
        for order in orders:
            inside = _operands_matched(graph, node, order)
            if inside is not None:
                return {node.id: value, **inside}
    return None


def _operands_matched(
    graph: Graph, node: Node, operands: Sequence[ast.expr]
) -> Mapping[str, ast.expr] | None:
    found: dict[str, ast.expr] = {}
    for edge in graph.operands(node.id):
        if edge.position >= len(operands):
            return None
        source, operand = graph.node(edge.source), operands[edge.position]
        if isinstance(operand, ast.Name):
            if operand.id != source.name:
                return None
            continue
        inside = _matched(graph, source, operand)
        if inside is None:
            return None
        found |= inside
    return found


def _readings(value: ast.expr) -> Iterator[tuple[set[str], list[ast.expr]]]:
    """Say which operations an expression may be, and on which operands."""
    if isinstance(value, ast.BinOp):
        yield OPERATORS.get(type(value.op), set()), [value.left, value.right]
    if isinstance(value, ast.UnaryOp):
        yield OPERATORS.get(type(value.op), set()), [value.operand]
    if isinstance(value, ast.Subscript):
        yield {"index"}, [value.value]
    if not isinstance(value, ast.Call):
        return
    function = value.func
    if isinstance(function, ast.Name):
        yield {function.id, ALSO.get(function.id, "")}, value.args
    if isinstance(function, ast.Attribute) and function.attr == "apply":
        yield {ast.unparse(function.value)}, value.args
    elif isinstance(function, ast.Attribute):
        names = {function.attr, ALSO.get(function.attr, "")}
        yield names, [function.value, *value.args]
        yield names, value.args  # torch.sin(x)


def _written(found: Found) -> Code | None:
    """Write the statements one after the other, and where in them the code of each node stands."""
    starts: dict[tuple[int, int], int] = {}
    text = ""
    for statement in sorted(
        {each.place: each for each, _ in found.values()}.values(), key=lambda each: each.place
    ):
        starts[statement.place] = len(text)
        text += "\n".join(_dedented(statement)) + "\n"
    if text.count("\n") > LINES:
        return None
    spans = [
        (key, starts[statement.place] + begin, starts[statement.place] + end)
        for key, (statement, expression) in found.items()
        for begin, end in [_range(statement, expression)]
    ]
    return Code(text.rstrip("\n"), tuple(spans))


def _dedented(statement: Statement) -> list[str]:
    *lines, last = statement.lines
    end = statement.node.end_col_offset
    lines.append(last.encode()[:end].decode())  # less a comment, or another statement
    return [line[statement.indent :] for line in lines]


def _range(statement: Statement, expression: ast.expr) -> tuple[int, int]:
    """Find an expression in the text of its statement; the parser counts bytes."""
    lines = _dedented(statement)

    def offset(line: int, column: int) -> int:
        before = line - statement.node.lineno
        whole = statement.lines[before].encode()[:column].decode()
        return sum(len(each) + 1 for each in lines[:before]) + len(whole) - statement.indent

    return (
        offset(expression.lineno, expression.col_offset),
        offset(expression.end_lineno or expression.lineno, expression.end_col_offset or 0),
    )

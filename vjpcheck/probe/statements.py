"""Lists the statements of a student's function that should run, with their lines.

Docstrings, `pass`, the headers of nested functions, and guards are left out. A guard is a statement that
refuses its arguments (`raise`, `assert`, `return NotImplemented`), a block that ends with `raise`, because it
computes the message, or the return of None alone if no gradient is needed or no cotangent arrives, because a
library may then never call backward.
"""

from __future__ import annotations

import ast
import functools
import linecache
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from types import CodeType

_NESTED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_SAY_NOTHING = (*_NESTED, ast.Pass, ast.Global, ast.Nonlocal, ast.Raise, ast.Assert)
_BLOCKS = ("body", "orelse", "finalbody")
_PARTS = ("handlers", "cases")  # their items have a body each
SOURCE_AT_MOST = 100  # characters of a line that are quoted


@dataclass(frozen=True, eq=False)  # two functions may have equal statements
class Statement:
    """A statement: its lines and the blocks inside it.

    For a compound statement such as `if`, `lines` are those of its header, and `last` is its very last line.
    `names` are the names and attributes that `lines` mention.
    """

    first: int
    last: int
    lines: frozenset[int]
    blocks: tuple[tuple[Statement, ...], ...]
    names: frozenset[str]

    def count(self) -> int:
        """Return the number of statements, this one and those inside it."""
        return 1 + sum(statement.count() for block in self.blocks for statement in block)

    def all(self) -> Iterator[Statement]:
        """Yield this statement and those inside it."""
        yield self
        for block in self.blocks:
            for statement in block:
                yield from statement.all()


def statements_of(code: CodeType) -> tuple[Statement, ...] | None:
    """Return the statements of a function that should run; None if its source is unknown.

    A lambda and a comprehension have none: they are parts of a statement.
    """
    node = _functions_in(_source(code.co_filename)).get((code.co_firstlineno, code.co_name))
    lines = {line for _, _, line in code.co_lines() if line is not None}
    if node is None or max(lines, default=0) > (node.end_lineno or 0):
        return None  # the file was edited after it was loaded
    return _block(node.body, lines, outermost=True)


def source_of(code: CodeType, first: int, last: int) -> str:
    """Return lines of the file of a function as one line of bounded length."""
    lines = linecache.getlines(code.co_filename)[first - 1 : last]
    return " ".join(" ".join(lines).split())[:SOURCE_AT_MOST]


def _source(filename: str) -> str:
    linecache.checkcache(filename)
    return "".join(linecache.getlines(filename))


@functools.lru_cache(maxsize=16)
def _functions_in(source: str) -> dict[tuple[int, str], ast.FunctionDef | ast.AsyncFunctionDef]:
    """Return the functions of a file by their first line, decorators included, and name."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # a cell with a magic command
        return {}
    functions: dict[tuple[int, str], ast.FunctionDef | ast.AsyncFunctionDef] = {}
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            functions[first, node.name] = node
    return functions


def _block(nodes: Sequence[ast.stmt], lines: Set[int], outermost: bool = False) -> tuple[Statement, ...]:
    if not outermost and nodes and isinstance(nodes[-1], ast.Raise):
        return ()
    if outermost and isinstance(nodes[-1], ast.Return) and _is_none(nodes[-1].value, alone=True):
        nodes = nodes[:-1]  # a function without it returns None as well
    statements = (_statement(node, lines) for node in nodes if not _says_nothing(node))
    return tuple(statement for statement in statements if statement is not None)


def _says_nothing(node: ast.stmt) -> bool:
    """Return whether a statement does nothing, or only refuses its arguments."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    if isinstance(node, ast.Return):
        return isinstance(node.value, ast.Name) and node.value.id == "NotImplemented"
    return isinstance(node, _SAY_NOTHING)


def _without_gradient(node: ast.stmt) -> bool:
    """Return whether a statement is an `if` about None or needs_input_grad that only returns None."""
    if not isinstance(node, ast.If) or len(node.body) != 1:
        return False
    tested = any(
        (isinstance(part, ast.Attribute) and part.attr == "needs_input_grad")
        or (isinstance(part, ast.Constant) and part.value is None)
        for part in ast.walk(node.test)
    )
    returned = node.body[0]
    return tested and isinstance(returned, ast.Return) and _is_none(returned.value)


def _is_none(value: ast.expr | None, alone: bool = False) -> bool:
    if isinstance(value, ast.Tuple) and not alone:
        return all(map(_is_none, value.elts))
    return value is None or (isinstance(value, ast.Constant) and value.value is None)


def _statement(node: ast.stmt, lines: Set[int]) -> Statement | None:
    """Return a statement; None if the compiler left it out, or if it contains only guards."""
    inner = [getattr(node, name, []) for name in _BLOCKS]
    inner += [part.body for name in _PARTS for part in getattr(node, name, [])]
    judged = inner[1:] if _without_gradient(node) else inner
    blocks = tuple(block for nodes in judged if (block := _block(nodes, lines)))
    last = node.end_lineno or node.lineno
    end = next((nodes[0].lineno - 1 for nodes in inner if nodes), last)
    header = range(node.lineno, end + 1)
    own = lines & {node.lineno, *header}
    if not own and blocks:  # `try:`, which runs with its first statement
        own = blocks[0][0].lines
    return Statement(node.lineno, last, frozenset(own), blocks, _names(node)) if own else None


def _names(node: ast.stmt) -> frozenset[str]:
    waiting: list[ast.AST] = [
        value
        for field, content in ast.iter_fields(node)
        if field not in (*_BLOCKS, *_PARTS)
        for value in (content if isinstance(content, list) else [content])
        if isinstance(value, ast.AST)
    ]
    named = set()
    for part in (inner for value in waiting for inner in ast.walk(value)):
        if isinstance(part, ast.Name):
            named.add(part.id)
        elif isinstance(part, ast.Attribute):
            named.add(part.attr)
    return frozenset(named)

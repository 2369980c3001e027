"""Resolves the names of a notebook: modules, classes of Functions, attributes of its own."""

from __future__ import annotations

import ast
import re
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from autograder.grading.review import vocabulary

# ends of lines for str.splitlines but not for Python's compiler
_NO_ENDS = dict.fromkeys(map(ord, "\v\f\x1c\x1d\x1e\x85\u2028\u2029"), " ")
_MAGIC = re.compile(r"\s*[%!?]|\s*[\w.]+\?\??\s*$")
_FUNCTION_BASES = {"torch.autograd.Function", "torch.autograd.function.Function", "course.engine.Function"}


class Cell:
    """A cell's lines as Python counts them, its syntax tree, its nodes, and the parent of each.

    `python` has the lines without those that only IPython can read; `magics` has the numbers of those.
    `tree` is None if the rest is not valid Python either.
    """

    def __init__(self, source: str) -> None:
        # IPython ends a line at each of the others too: it would run code behind one in a comment, which
        # Python does not even read
        self.lines = source.replace("\r\n", "\n").replace("\r", "\n").translate(_NO_ENDS).split("\n")
        self.python, self.magics = self.lines, list[int]()
        self.tree = _parsed("\n".join(self.lines))
        if self.tree is None:
            self.python, self.magics = _without_magics(self.lines)
            self.tree = _parsed("\n".join(self.python))
        self.nodes: list[ast.AST] = [] if self.tree is None else [self.tree]
        self.parents: dict[ast.AST, ast.AST] = {}
        for node in self.nodes:  # the list grows in the loop
            for child in ast.iter_child_nodes(node):
                self.parents[child] = node
                self.nodes.append(child)
        self.imports = [pair for node in self.nodes for pair in _imports(node)]
        self.bound = {name for node in self.nodes for name in _binds(node)}
        self.attributes = {name for node in self.nodes for name in _own_attributes(node)}
        self.classes = [node for node in self.nodes if isinstance(node, ast.ClassDef)]
        self.assigned = [pair for node in self.nodes for pair in _assigns(node)]

    @cached_property
    def bound_by(self) -> list[set[str]]:
        """Return the names that each statement of the cell binds."""
        return [] if self.tree is None else [_bound_by(statement) for statement in self.tree.body]


@lru_cache(maxsize=64)
def instructors_cell(source: str) -> Cell:
    """Return a cell of the instructor's, which all submissions share."""
    return Cell(source)


@dataclass
class Names:
    """The names that the cells of a notebook bind.

    `paths` has a dotted path for each name that only imports bind, all to the same object; `bound` has all
    names, `attributes` those of the notebook's own objects, and `functions` its classes of Functions.
    """

    paths: dict[str, str] = field(default_factory=dict)
    bound: set[str] = field(default_factory=set)
    attributes: set[str] = field(default_factory=set)
    functions: set[str] = field(default_factory=set)

    @staticmethod
    def of(cells: Iterable[Cell]) -> Names:
        """Collect the names of all cells."""
        names = Names()
        imported: dict[str, set[str]] = {}
        assigned: list[tuple[str, ast.expr]] = []
        bases: list[ast.ClassDef] = []
        for cell in cells:
            for name, path in cell.imports:
                imported.setdefault(name, set()).add(path)
            names.bound |= cell.bound
            names.attributes |= cell.attributes
            bases += cell.classes
            assigned += cell.assigned
        unique = {name: paths.pop() for name, paths in imported.items() if len(paths) == 1}
        names.paths = {name: path for name, path in unique.items() if name not in names.bound}
        # F = torch.nn.functional, if the notebook binds F nowhere else
        times = Counter(name for name, _ in assigned)
        for name, value in assigned:
            path = names.path(value)
            if path and times[name] == 1 and name not in imported:
                names.paths[name] = path
        names.bound |= imported.keys()
        names.functions = {c.name for c in bases if c.bases and all(names.is_function(b) for b in c.bases)}
        return names

    def path(self, node: ast.expr) -> str:
        """Return the dotted path of an imported object, such as `torch.nn.functional.relu`, or ''."""
        if isinstance(node, ast.Name):
            return self.paths.get(node.id, "")
        if isinstance(node, ast.Attribute):
            prefix = self.path(node.value)
            return f"{prefix}.{node.attr}" if prefix else ""
        return ""

    def is_function(self, base: ast.expr) -> bool:
        """Return whether an expression is a library's Function."""
        return self.path(base) in _FUNCTION_BASES


def _parsed(source: str) -> ast.Module | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _without_magics(lines: Sequence[str]) -> tuple[list[str], list[int]]:
    """Return the lines of a cell with `pass` in the place of magics, shell commands and calls for help."""
    python, magics = [], []
    for number, line in enumerate(lines, 1):
        if _MAGIC.match(line):
            magics.append(number)
            line = f"{line[: len(line) - len(line.lstrip())]}pass"
        python.append(line)
    return python, magics


def _assigns(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
        yield node.targets[0].id, node.value


def _imports(node: ast.AST) -> Iterator[tuple[str, str]]:
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield (alias.asname, alias.name) if alias.asname else (alias.name.partition(".")[0],) * 2
    elif isinstance(node, ast.ImportFrom):
        for alias in node.names:
            yield alias.asname or alias.name, f"{node.module}.{alias.name}"


def _bound_by(statement: ast.stmt) -> set[str]:
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        return {statement.name}
    nodes = [*ast.walk(statement)]
    return {name for n in nodes for name in _binds(n)} | {name for n in nodes for name, _ in _imports(n)}


def _binds(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
            yield name
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.arg(arg=name):
            yield name
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            yield name


def _own_attributes(node: ast.AST) -> Iterator[str]:
    if not isinstance(node, (ast.Attribute, ast.ClassDef, ast.keyword, ast.Call)):
        return
    match node:
        case ast.Attribute(attr=name, ctx=ast.Store()):
            yield name
        case ast.ClassDef(body=body):
            for statement in body:
                yield from _binds(statement)
                for inner in ast.walk(statement):
                    if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
                        yield inner.id
        case ast.keyword(arg=str(name)):
            yield name
        case ast.Call(
            func=ast.Name("namedtuple")
            | ast.Attribute(attr="namedtuple" | "register_parameter" | "register_buffer"),
            args=args,
        ):
            for inner in (n for argument in args for n in ast.walk(argument)):
                if isinstance(inner, ast.Constant) and isinstance(inner.value, str):
                    yield from inner.value.replace(",", " ").split()


def own(names: Names, attribute: str) -> bool:
    """Return whether an attribute belongs to the notebook's own objects and to no others."""
    return attribute in names.attributes and attribute not in vocabulary.powerful()

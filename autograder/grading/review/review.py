"""Says of a cell what goes beyond the names that course work needs, and what is left of it without that."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from functools import cached_property

from autograder.exercise import Exercise
from autograder.grading.review import outside_ctx
from autograder.grading.review.names import Cell, Names, given_cell
from autograder.grading.review.reader import Reader
from autograder.grading.review.vocabulary import Vocabulary


@dataclass(frozen=True)
class Trimmed:
    """A cell without the statements that go beyond what work on an exercise needs.

    Their lines are empty, so that line numbers hold; of an import what is allowed stays. `beyond` says what
    the first of them uses, in which line; it is empty where nothing was left out.
    """

    source: str
    beyond: str = ""


class Review:
    """Reads the code cells of one notebook: those that the instructor gave, the student's by their places.

    Of a cell that is no Python, even without its magic commands, nothing is left. Names of one cell count in
    all.
    """

    def __init__(self, given: Iterable[str], students: Mapping[int, str]) -> None:
        self._cells = {place: Cell(source) for place, source in students.items()}
        self._all = [*map(given_cell, given), *self._cells.values()]
        self._names = Names.of(self._all)
        self._trimmed: dict[tuple[int, tuple[str, ...], bool], Trimmed] = {}

    @cached_property
    def _defined(self) -> outside_ctx.Defined:
        return outside_ctx.Defined(cell.tree for cell in self._all)

    def trimmed(self, place: int, exercise: Exercise) -> Trimmed:
        """Return a cell with what work on an exercise needs, and nothing else."""
        key = place, exercise.may_use, "memory" in exercise.points
        if key not in self._trimmed:
            self._trimmed[key] = self._trim(place, exercise)
        return self._trimmed[key]

    def _trim(self, place: int, exercise: Exercise) -> Trimmed:
        cell = self._cells[place]
        tree = cell.tree
        if tree is None:
            return Trimmed("", "what is no Python")
        reader = Reader(cell, self._names, Vocabulary(exercise.may_use))
        beyond = [*reader.found(), *(("what is no Python", number) for number in cell.magics)]
        if "memory" in exercise.points:
            beyond += outside_ctx.stores(tree, self._defined)
        if not beyond:
            return Trimmed("\n".join(cell.lines))
        what, number = min(beyond, key=lambda found: found[1])
        told = f"{what} (line {number}: {cell.lines[number - 1].strip()[:80]})"
        return Trimmed("\n".join(self._kept(cell, tree, reader, {line for _, line in beyond})), told)

    def _kept(self, cell: Cell, tree: ast.Module, reader: Reader, beyond: Set[int]) -> list[str]:
        """Return a cell's lines without those statements, and without what would stop for want of them.

        Of an import, what may be imported stays.
        """
        known = {name for other in self._all if other is not cell for name in _bound(other)}
        out, imports, missing = _lines_of(cell, tree, beyond), dict[int, str](), set[str]()
        more = set[int]()
        for statement, bound in zip(tree.body, cell.bound_by, strict=True):  # in the order in which they run
            if statement.lineno in out:
                if part := reader.allowed_part(statement):
                    imports[statement.lineno] = part
                    bound = bound - Cell(part).bound_by[0]
                missing |= bound - known
            elif not isinstance(statement, _DEFINITIONS) and not missing.isdisjoint(_read(statement)):
                more.add(statement.lineno)
                missing |= bound - known
            else:
                missing -= bound
        out = _lines_of(cell, tree, out | more)
        return [imports.get(n, "") if n in out else line for n, line in enumerate(cell.python, 1)]


_DEFINITIONS = ast.FunctionDef | ast.ClassDef | ast.Import | ast.ImportFrom


def _bound(cell: Cell) -> Set[str]:
    return cell.bound | {name for name, _ in cell.imports}


def _read(statement: ast.stmt) -> Iterator[str]:
    return (n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load))


def _lines_of(cell: Cell, tree: ast.Module, lines: Set[int]) -> set[int]:
    """Return all lines of the top-level statements in any of these lines, and of those that share a line.

    Lines that a backslash joins are one line.
    """
    spans, ends = [], dict[int, int]()
    for statement in tree.body:
        first = min(statement.lineno, *(d.lineno for d in getattr(statement, "decorator_list", [])), math.inf)
        last = statement.end_lineno or statement.lineno
        spans.append(range(int(first), last + 1))
        ends[last] = statement.end_col_offset or 0
    within = {line for span in spans for line in span[:-1]}
    for number, line in enumerate(cell.python, 1):
        behind = line.encode()[ends.get(number, 0) :]  # syntax trees count in UTF-8
        if number not in within and behind.endswith(b"\\") and b"#" not in behind:
            spans.append(range(number, number + 2))
    found = set(lines)
    while True:
        more = {line for span in spans if not found.isdisjoint(span) for line in span}
        if more <= found:
            return found
        found |= more

"""Removes the statements from a cell that use more than course work needs, and names the first of them."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from functools import cached_property

from autograder.exercise import Exercise
from autograder.grading.review import outside_ctx
from autograder.grading.review.names import Cell, Names, instructors_cell
from autograder.grading.review.reader import Reader
from autograder.grading.review.vocabulary import Vocabulary


@dataclass(frozen=True)
class TrimmedCell:
    """A cell without the statements that use more than work on an exercise needs.

    Their lines are empty, so that line numbers hold; the allowed part of an import stays. `beyond` names the
    first forbidden use and its line; it is empty if nothing was left out.
    """

    source: str
    beyond: str = ""


class Review:
    """Reads the code cells of one notebook: the instructor's, and the student's by their places.

    A cell that is not valid Python, even without its magic commands, becomes empty. Names of one cell count
    in all cells.
    """

    def __init__(self, instructors: Iterable[str], students: Mapping[int, str]) -> None:
        self._cells = {place: Cell(source) for place, source in students.items()}
        self._all = [*map(instructors_cell, instructors), *self._cells.values()]
        self._names = Names.of(self._all)
        self._trimmed: dict[tuple[int, tuple[str, ...], bool], TrimmedCell] = {}

    @cached_property
    def _defined(self) -> outside_ctx.Definitions:
        return outside_ctx.Definitions(cell.tree for cell in self._all)

    def trimmed(self, place: int, exercise: Exercise) -> TrimmedCell:
        """Return a cell without the statements that work on an exercise does not need."""
        key = place, exercise.may_use, "memory" in exercise.points
        if key not in self._trimmed:
            self._trimmed[key] = self._trim(place, exercise)
        return self._trimmed[key]

    def _trim(self, place: int, exercise: Exercise) -> TrimmedCell:
        cell = self._cells[place]
        tree = cell.tree
        if tree is None:
            return TrimmedCell("", "what is no Python")
        reader = Reader(cell, self._names, Vocabulary(exercise.may_use))
        beyond = [*reader.find(), *(("what is no Python", number) for number in cell.magics)]
        if "memory" in exercise.points:
            beyond += outside_ctx.stores(tree, self._defined)
        if not beyond:
            return TrimmedCell("\n".join(cell.lines))
        what, number = min(beyond, key=lambda use: use[1])
        first = f"{what} (line {number}: {cell.lines[number - 1].strip()[:80]})"
        return TrimmedCell("\n".join(self._lines(cell, tree, reader, {line for _, line in beyond})), first)

    def _lines(self, cell: Cell, tree: ast.Module, reader: Reader, beyond: Set[int]) -> list[str]:
        """Return a cell's lines without the statements beyond, and without those that need their names.

        The allowed part of an import stays.
        """
        elsewhere = {name for other in self._all if other is not cell for name in _bound(other)}
        removed, imports, missing = _lines_of(cell, tree, beyond), dict[int, str](), set[str]()
        more = set[int]()
        for statement, bound in zip(tree.body, cell.bound_by, strict=True):  # in the order in which they run
            if statement.lineno in removed:
                if part := reader.allowed_part(statement):
                    imports[statement.lineno] = part
                    bound = bound - Cell(part).bound_by[0]
                missing |= bound - elsewhere
            elif not isinstance(statement, _DEFINITIONS) and not missing.isdisjoint(_read(statement)):
                more.add(statement.lineno)
                missing |= bound - elsewhere
            else:
                missing -= bound
        removed = _lines_of(cell, tree, removed | more)
        return [imports.get(n, "") if n in removed else line for n, line in enumerate(cell.python, 1)]


_DEFINITIONS = ast.FunctionDef | ast.ClassDef | ast.Import | ast.ImportFrom


def _bound(cell: Cell) -> Set[str]:
    return cell.bound | {name for name, _ in cell.imports}


def _read(statement: ast.stmt) -> Iterator[str]:
    return (n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load))


def _lines_of(cell: Cell, tree: ast.Module, lines: Set[int]) -> set[int]:
    """Return all lines of the top-level statements in these lines, and of those that share a line with them.

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
    numbers = set(lines)
    while True:
        more = {line for span in spans if not numbers.isdisjoint(span) for line in span}
        if more <= numbers:
            return numbers
        numbers |= more

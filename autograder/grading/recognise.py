"""Matches the cells of a submission with the cells of the assignment, and finds the student's own cells.

A cell is identified by its grade_id; if an editor has removed that, by the id with which the cell was
released; otherwise by its content: a cell that defines the name of a stub replaces that stub, and of several
such cells the last one counts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from autograder.grading.assignment import Assignment
from autograder.grading.signatures import defines, signatures
from autograder.grading.submission import Cell

ADDED_AT_MOST = 200  # code cells that a student adds, and the characters in them
CHARACTERS_ADDED_AT_MOST = 200_000
CHARACTERS_AT_MOST = 100_000  # of one cell: what is longer is neither parsed nor run


@dataclass
class Recognised:
    """The sources of solution cells by grade_id, and added code by the place of the cell before it.

    `notes` say what was odd, `remarks` the same by solution cell; `left_out` says in a sentence that not all
    added cells are there, or is empty.
    """

    solutions: dict[str, str] = field(default_factory=dict)
    added: defaultdict[int, list[str]] = field(default_factory=lambda: defaultdict(list))
    notes: list[str] = field(default_factory=list)
    remarks: dict[str, str] = field(default_factory=dict)
    left_out: str = ""


def recognise(assignment: Assignment, submitted: Sequence[Cell]) -> Recognised:
    """Sort the cells of a submission."""
    return _Sorting(assignment, submitted).sorted()


def plain(source: str) -> str:
    """Return a source without what editors change: spaces at the ends of lines, empty lines around it."""
    return "\n".join(line.rstrip() for line in source.strip().splitlines())


def too_long(source: str) -> str:
    """Return in a sentence that a cell is too long to be run, or ''."""
    if len(source) <= CHARACTERS_AT_MOST:
        return ""
    return f"The cell has {len(source):,} characters and was not run; the limit is {CHARACTERS_AT_MOST:,}."


class _Sorting:
    def __init__(self, assignment: Assignment, submitted: Sequence[Cell]) -> None:
        self._cells = submitted
        self._marked = [cell["metadata"].get("nbgrader") or {} for cell in assignment.cells]
        self._places = {m["grade_id"]: place for place, m in enumerate(self._marked) if m}
        self._by_id = {cell["id"]: place for place, cell in enumerate(assignment.cells) if "id" in cell}
        given = [plain(cell["source"]) for cell in assignment.cells]
        # where a text stands more than once in the assignment it says nothing about a place
        self._given = {
            text: place if given.count(text) == 1 else None
            for place, text in enumerate(given)
            if not self._marked[place].get("solution")
        }
        self._stubs = {grade_id: plain(cell.source) for grade_id, cell in assignment.released.items()}
        self._signatures = signatures(assignment)
        self._anchors: dict[int, int] = {}  # of a submitted cell: the place of the cell that it is
        self._taken: dict[str, int] = {}  # of a solution cell: the submitted cell that counts
        self._moved: set[str] = set()  # solution cells that are known by their content
        self._out: set[int] = set()  # submitted cells that count for nothing
        self._found = Recognised()

    def sorted(self) -> Recognised:
        self._by_marks()
        for grade_id, name in self._signatures.items():
            self._by_content(grade_id, name)
        for grade_id, number in sorted(self._taken.items(), key=lambda item: self._places[item[0]]):
            before = [one for one in self._found.solutions if self._taken[one] == number]
            told = f"# {self._signatures.get(grade_id)} stands in the cell {before[0]}" if before else ""
            self._found.solutions[grade_id] = told or self._cells[number].source
        self._add()
        by_remark = defaultdict(list)
        for grade_id, told in self._found.remarks.items():
            by_remark[told].append(grade_id)
        self._found.notes += [f"{', '.join(ids)}: {told}" for told, ids in by_remark.items()]
        return self._found

    def _by_marks(self) -> None:
        """Take the cells that have kept a grade_id, then those that have kept an id of the assignment's."""
        seen: set[str] = set()
        for number, cell in enumerate(self._cells):
            id_ = cell.grade_id
            if id_ is not None and id_ in self._places:
                self._out.add(number)
                self._anchors[number] = self._places[id_]
                if id_ in seen:
                    self._found.notes.append(f"There are several cells {id_}; the first one counts.")
                elif self._marked[self._places[id_]].get("solution"):
                    self._taken[id_] = number
                seen.add(id_)
        for number, cell in enumerate(self._cells):
            place = None if number in self._anchors else self._by_id.get(cell.id or "")
            if place is None:
                continue
            grade_id = self._marked[place].get("grade_id")
            if grade_id is None:
                self._anchors[number] = place
            elif grade_id not in seen:
                seen.add(grade_id)
                self._anchors[number] = place
                self._out.add(number)
                if self._marked[place].get("solution"):
                    self._taken[grade_id] = number
                    self._found.remarks[grade_id] = (
                        "The cell has lost its metadata; it was identified by its cell id."
                    )

    def _by_content(self, grade_id: str, name: str) -> None:
        """Take the last cell that defines the name, where the solution cell is missing or as released."""
        stub, own = self._stubs[grade_id], self._taken.get(grade_id)
        if own is not None and plain(self._cells[own].source) != stub:
            return
        tests = self._out - set(self._taken.values())
        code = [n for n, cell in enumerate(self._cells) if cell.kind == "code" and n not in tests]
        defining = [number for number in code if defines(self._cells[number].source, name)]
        written = [number for number in defining if plain(self._cells[number].source) != stub]
        if not written and own is None:
            self._taken.update((grade_id, number) for number in defining[:1])
            self._out |= set(defining[:1])
        if not written:
            return
        self._taken[grade_id] = written[-1]
        self._anchors.setdefault(written[-1], self._places[grade_id])
        self._moved.add(grade_id)
        self._out |= {written[-1]}
        self._found.remarks[grade_id] = (
            f"Several cells define {name}; the last one counts."
            if len(written) > 1
            else "The answer is in a different cell; that cell counts."
            if own is not None
            else "The cell has lost its metadata; it was identified by the name that it defines."
        )

    def _add(self) -> None:
        """Put the other code where it stands, but never behind a cell that it stood before."""
        places, place = [], -1
        for number, cell in enumerate(self._cells):
            known = self._given.get(plain(cell.source))
            place = self._anchors.get(number, place if known is None else known)
            places.append(place)
        last_first = sorted(self._moved, key=lambda one: -self._places[one])
        moved = {self._taken[grade_id]: self._places[grade_id] for grade_id in last_first}
        latest = len(self._marked)
        for number in reversed(range(len(places))):
            latest = min(latest, moved.get(number, latest + 1) - 1)
            places[number] = min(places[number], latest)
        count, size, left = 0, 0, 0
        for number, cell in enumerate(self._cells):
            if not self._is_added(number, cell):
                continue
            count, longer = count + 1, size + len(cell.source)
            fits = longer <= CHARACTERS_ADDED_AT_MOST and not too_long(cell.source)
            if count <= ADDED_AT_MOST and fits:
                size = longer
                self._found.added[places[number]].append(cell.source)
            else:
                left += 1
        if left:
            self._found.left_out = (
                f"{left} of {count} added cells were left out: at most {ADDED_AT_MOST} are run, with "
                f"{CHARACTERS_ADDED_AT_MOST:,} characters, {CHARACTERS_AT_MOST:,} in one."
            )

    def _is_added(self, number: int, cell: Cell) -> bool:
        text = plain(cell.source)
        known = text in self._given or text in self._stubs.values()
        return cell.kind == "code" and bool(text) and number not in self._out and not known

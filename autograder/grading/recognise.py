"""Matches the cells of a submission with the cells of the assignment, and finds the student's own cells.

A cell is identified by its grade_id; if an editor has removed that, by the id with which the cell was
released; otherwise by its content: a cell that defines the name of a stub replaces that stub, and of several
such cells the last one counts.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from autograder.grading.assignment import Assignment
from autograder.grading.signatures import defines, signatures
from autograder.grading.submission import Cell

ADDED_AT_MOST = 200  # code cells that a student adds, and the characters in them
CHARACTERS_ADDED_AT_MOST = 200_000
CHARACTERS_AT_MOST = 100_000  # of one cell: a longer one is neither parsed nor run


@dataclass
class Recognition:
    """The sources of solution cells by grade_id, and added code by the place of the cell before it.

    `notes` name oddities, `remarks` the same by solution cell; `left_out` says in a sentence that not all
    added cells are there, or is empty.
    """

    solutions: dict[str, str] = field(default_factory=dict)
    added: defaultdict[int, list[str]] = field(default_factory=lambda: defaultdict(list))
    notes: list[str] = field(default_factory=list)
    remarks: dict[str, str] = field(default_factory=dict)
    left_out: str = ""


def recognise(assignment: Assignment, submitted: Sequence[Cell]) -> Recognition:
    """Match the cells of a submission with the cells of the assignment."""
    return _Sorting(assignment, submitted).sorted()


def plain(source: str) -> str:
    """Return a source without spaces at the ends of lines and empty lines around it: editors change them."""
    return "\n".join(line.rstrip() for line in source.strip().splitlines())


def too_long(source: str) -> str:
    """Return a sentence if a cell is too long to be run, else ''."""
    if len(source) <= CHARACTERS_AT_MOST:
        return ""
    return f"The cell has {len(source):,} characters and was not run; the limit is {CHARACTERS_AT_MOST:,}."


class _Sorting:
    def __init__(self, assignment: Assignment, submitted: Sequence[Cell]) -> None:
        self._cells = submitted
        self._marked = [cell["metadata"].get("nbgrader") or {} for cell in assignment.cells]
        self._places = {m["grade_id"]: place for place, m in enumerate(self._marked) if m}
        self._by_id = {cell["id"]: place for place, cell in enumerate(assignment.cells) if "id" in cell}
        texts = [plain(cell["source"]) for cell in assignment.cells]
        # a text that the assignment has more than once identifies no place
        self._instructors = {
            text: place if texts.count(text) == 1 else None
            for place, text in enumerate(texts)
            if not self._marked[place].get("solution")
        }
        self._stubs = {grade_id: plain(cell.source) for grade_id, cell in assignment.released.items()}
        self._signatures = signatures(assignment)
        self._anchors: dict[int, int] = {}  # by submitted cell: the place of the cell that it matches
        self._chosen: dict[str, int] = {}  # by solution cell: the submitted cell that counts
        self._moved: set[str] = set()  # solution cells that were identified by their content
        self._used: set[int] = set()  # submitted cells that are not added cells
        self._recognition = Recognition()

    def sorted(self) -> Recognition:
        self._by_marks()
        for grade_id, name in self._signatures.items():
            self._by_content(grade_id, name)
        for grade_id, number in sorted(self._chosen.items(), key=lambda item: self._places[item[0]]):
            before = [one for one in self._recognition.solutions if self._chosen[one] == number]
            remark = f"# {self._signatures.get(grade_id)} stands in the cell {before[0]}" if before else ""
            self._recognition.solutions[grade_id] = remark or self._cells[number].source
        self._add()
        by_remark = defaultdict(list)
        for grade_id, remark in self._recognition.remarks.items():
            by_remark[remark].append(grade_id)
        self._recognition.notes += [f"{', '.join(ids)}: {remark}" for remark, ids in by_remark.items()]
        return self._recognition

    def _by_marks(self) -> None:
        """Match the cells that still have a grade_id, then those that still have an id of the assignment."""
        identified: set[str] = set()
        for number, cell in enumerate(self._cells):
            id_ = cell.grade_id
            if id_ is not None and id_ in self._places:
                self._used.add(number)
                self._anchors[number] = self._places[id_]
                if id_ in identified:
                    self._recognition.notes.append(f"There are several cells {id_}; the first one counts.")
                elif self._marked[self._places[id_]].get("solution"):
                    self._chosen[id_] = number
                identified.add(id_)
        for number, cell in enumerate(self._cells):
            place = None if number in self._anchors else self._by_id.get(cell.id or "")
            if place is None:
                continue
            grade_id = self._marked[place].get("grade_id")
            if grade_id is None:
                self._anchors[number] = place
            elif grade_id not in identified:
                identified.add(grade_id)
                self._anchors[number] = place
                self._used.add(number)
                if self._marked[place].get("solution"):
                    self._chosen[grade_id] = number
                    self._recognition.remarks[grade_id] = (
                        "The cell has lost its metadata; it was identified by its cell id."
                    )

    def _by_content(self, grade_id: str, name: str) -> None:
        """Choose the last cell that defines the name if the solution cell is missing or as released."""
        stub, current = self._stubs[grade_id], self._chosen.get(grade_id)
        if current is not None and plain(self._cells[current].source) != stub:
            return
        tests = self._used - set(self._chosen.values())
        code = [n for n, cell in enumerate(self._cells) if cell.kind == "code" and n not in tests]
        defining = [number for number in code if defines(self._cells[number].source, name)]
        answers = [number for number in defining if plain(self._cells[number].source) != stub]
        if not answers and current is None:
            self._chosen.update((grade_id, number) for number in defining[:1])
            self._used |= set(defining[:1])
        if not answers:
            return
        self._chosen[grade_id] = answers[-1]
        self._anchors.setdefault(answers[-1], self._places[grade_id])
        self._moved.add(grade_id)
        self._used |= {answers[-1]}
        self._recognition.remarks[grade_id] = (
            f"Several cells define {name}; the last one counts."
            if len(answers) > 1
            else "The answer is in a different cell; that cell counts."
            if current is not None
            else "The cell has lost its metadata; it was identified by the name that it defines."
        )

    def _add(self) -> None:
        """Put added code in its place, but never behind a cell before which it stood."""
        places, place = [], -1
        for number, cell in enumerate(self._cells):
            match = self._instructors.get(plain(cell.source))
            place = self._anchors.get(number, place if match is None else match)
            places.append(place)
        last_first = sorted(self._moved, key=lambda one: -self._places[one])
        moved = {self._chosen[grade_id]: self._places[grade_id] for grade_id in last_first}
        latest = len(self._marked)
        for number in reversed(range(len(places))):
            latest = min(latest, moved.get(number, latest + 1) - 1)
            places[number] = min(places[number], latest)
        count, size, omitted = 0, 0, 0
        for number, cell in enumerate(self._cells):
            if not self._is_added(number, cell):
                continue
            count, longer = count + 1, size + len(cell.source)
            fits = longer <= CHARACTERS_ADDED_AT_MOST and not too_long(cell.source)
            if count <= ADDED_AT_MOST and fits:
                size = longer
                self._recognition.added[places[number]].append(cell.source)
            else:
                omitted += 1
        if omitted:
            self._recognition.left_out = (
                f"{omitted} of {count} added cells were left out: at most {ADDED_AT_MOST} are run, with "
                f"{CHARACTERS_ADDED_AT_MOST:,} characters, {CHARACTERS_AT_MOST:,} in one."
            )

    def _is_added(self, number: int, cell: Cell) -> bool:
        text = plain(cell.source)
        unchanged = text in self._instructors or text in self._stubs.values()
        return cell.kind == "code" and bool(text) and number not in self._used and not unchanged

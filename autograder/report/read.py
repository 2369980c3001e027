"""Reads a graded class from nbgrader's gradebook and from autograded/."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from typing import Any

from nbgrader.api import Gradebook, MissingEntry
from nbgrader.api import Student as StudentRow
from nbgrader.coursedir import CourseDirectory

from autograder.exercises import family_of
from autograder.grading.assignment import GRADED, text
from autograder.grading.gradebook import open_gradebook
from autograder.grading.names import sort_out
from autograder.grading.notebook_grade import FOR_INSTRUCTOR, METADATA, MIME
from autograder.grading.refused import reasons
from autograder.refusal import Refusal
from autograder.report.classroom import Classroom, ReportedFinding, Student, Task, Verdict, Work
from autograder.report.rows import comments, grades, penalties
from vjpcheck.escaping import from_markdown

CANDIDATES = 20  # works with a mistake that could be its example


def read(course: CourseDirectory, assignment: str) -> Classroom:
    """Return the class from the gradebook.

    Raises Refusal if there is no gradebook or no such assignment in it, and NoGradebook if it cannot be
    opened.
    """
    sqlite = re.fullmatch(r"sqlite:///(.+)", course.db_url)
    if sqlite and not Path(sqlite[1]).exists():
        raise Refusal(f"There is no gradebook yet; `autograder grade {assignment}` makes one.")
    with open_gradebook(course.db_url, course.course_id) as book:
        try:
            points = _points(book, assignment)
        except MissingEntry:
            graded = ", ".join(sorted(one.name for one in book.assignments)) or "none"
            raise Refusal(f"The gradebook has no assignment {assignment}; it has: {graded}.") from None
        students = tuple(_student(student) for student in book.students)
        points_of, texts = grades(book, assignment), comments(book, assignment)
        late = penalties(book, assignment)
    source = _notebooks(course, course.source_directory, ".", assignment)
    tasks = _tasks(points, source)
    ids, misnamed = sort_out(
        path.parent.name for path in Path(course.root).glob(f"{course.submitted_directory}/*/{assignment}")
    )
    submitted, refused = set(ids), reasons(assignment)
    enrolled = {student.id for student in students}
    students += tuple(Student(id_, "", (id_,)) for id_ in sorted(submitted - enrolled))
    works: list[Work] = []
    remarks: dict[str, str] = {}
    shortest = _Shortest()
    for student in students:
        cells = _Cells(_notebooks(course, course.autograded_directory, student.id, assignment))
        if cells.notes:
            remarks[student.id] = " ".join(cells.notes)
        for task in tasks:
            grade = points_of.get((student.id, task.grade_id))
            if grade is None:
                verdict = Verdict.NOT_GRADED if student.id in submitted else Verdict.MISSING
                note = "" if student.id in submitted else refused.get(student.id, "")
                works.append(Work(student.id, task, 0.0, verdict, note=note))
            else:
                comment = from_markdown(texts.get((student.id, cells.solution.get(task.grade_id, "")), ""))
                works.append(shortest.without_source(_work(student.id, task, grade, comment, cells)))
    instructors_cells = tuple(text(cell["source"]) for cell in _code_cells(source))
    earlier = _mistakes_elsewhere(course, assignment, students)
    return Classroom(
        assignment, tasks, students, tuple(works), instructors_cells, earlier, tuple(misnamed), late, remarks
    )


def _work(student: str, task: Task, grade: Any, comment: str, cells: _Cells) -> Work:
    findings = tuple(
        ReportedFinding(
            finding.get("mistake"), str(finding.get("check", "")), str(finding.get("message", ""))
        )
        for finding in cells.results.get(task.grade_id, {}).get("findings", [])
    )
    points = float(grade.score or 0.0)
    if grade.needs_manual_grade and cells.unread:
        verdict, note, findings = Verdict.UNREADABLE, cells.reason, ()
    elif grade.needs_manual_grade:
        verdict, note = Verdict.UNDECIDED, cells.results.get(task.grade_id, {}).get(FOR_INSTRUCTOR, "")
        note = note or f"A person gave {points:g} points to other work; please confirm them."
    elif comment.startswith("No response"):
        verdict, note, findings = Verdict.UNTOUCHED, "", ()
    else:
        full, none = points >= task.points, points <= 0
        verdict, note = Verdict.RIGHT if full else Verdict.WRONG if none else Verdict.PARTLY, ""
    if grade.manual_score is not None and not verdict.waits:
        note = "A person gave the points."
    never_ran = tuple(map(str, cells.results.get(task.grade_id, {}).get("never_ran", [])))
    source = cells.sources.get(task.grade_id, "")
    return Work(student, task, points, verdict, findings, source, note, never_ran)


class _Shortest:
    """Drops the source of work that cannot become an example, so that a large class fits into memory."""

    def __init__(self) -> None:
        self._lengths: defaultdict[str, list[int]] = defaultdict(list)

    def without_source(self, work: Work) -> Work:
        """Return the work; drop its source unless it is among the shortest with one of its mistakes."""
        length, is_short = len(work.source), False
        for name in {finding.label for finding in work.findings}:
            lengths = self._lengths[name]
            if len(lengths) < CANDIDATES or length < lengths[-1]:
                is_short = True
                lengths.append(length)
                lengths.sort()
                del lengths[CANDIDATES:]
        return work if is_short else replace(work, source="")


class _Cells:
    """The graded cells of one student's autograded notebooks: solutions, sources and results by grade_id."""

    def __init__(self, notebooks: list[dict[str, Any]]) -> None:
        self.solution: dict[str, str] = {}  # the id of the solution cell before a graded cell
        self.sources: dict[str, str] = {}
        self.results: dict[str, dict[str, Any]] = {}
        self.reason = ""
        self.unread = False
        self.notes: list[str] = []
        for notebook in notebooks:
            ours = notebook.get("metadata", {}).get(METADATA, {})
            self.reason = self.reason or str(ours.get("reason") or "")
            self.unread = self.unread or bool(ours.get("unread"))
            self.notes += map(str, ours.get("notes", []))
            self._read(notebook)

    def _read(self, notebook: dict[str, Any]) -> None:
        solution, source = "", ""
        for cell in _code_cells([notebook]):
            about = cell.get("metadata", {}).get("nbgrader", {})
            if about.get("solution"):
                solution, source = about.get("grade_id", ""), text(cell["source"])
            if about.get("grade"):
                grade_id = about.get("grade_id", "")
                self.solution[grade_id], self.sources[grade_id] = solution, source
                for output in cell.get("outputs", []):
                    result = output.get("data", {}).get(MIME)
                    if isinstance(result, dict):
                        self.results[grade_id] = result


def _points(book: Gradebook, assignment: str) -> dict[str, float]:
    notebooks = book.find_assignment(assignment).notebooks
    return {cell.name: float(cell.max_score) for notebook in notebooks for cell in notebook.grade_cells}


def _tasks(points: dict[str, float], source: list[dict[str, Any]]) -> tuple[Task, ...]:
    """Return the tasks in the order of the instructor's notebook, if it exists."""
    exercises: dict[str, str] = {}
    for cell in _code_cells(source):
        grade_id = cell.get("metadata", {}).get("nbgrader", {}).get("grade_id")
        if grade_id in points:
            named = GRADED.search(text(cell["source"]))
            exercises[grade_id] = family_of(named[1]) if named else grade_id
    exercises |= {name: name.removesuffix("_test") for name in sorted(points) if name not in exercises}
    return tuple(Task(name, exercise, points[name]) for name, exercise in exercises.items())


def _student(student: StudentRow) -> Student:
    name = " ".join(part for part in (student.first_name, student.last_name) if part)
    mail = (student.email or "").split("@")[0]
    return Student(student.id, name, tuple(part for part in (student.id, *name.split(), mail) if part))


def _notebooks(course: CourseDirectory, step: str, student: str, assignment: str) -> list[dict[str, Any]]:
    folder = Path(course.format_path(step, student, assignment))
    notebooks = []
    for path in sorted(folder.glob("*.ipynb")):
        try:
            notebook = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            continue  # the gradebook still has its points
        if isinstance(notebook, dict):
            notebooks.append(notebook)
    return notebooks


def _code_cells(notebooks: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [c for n in notebooks for c in n.get("cells", []) if c.get("cell_type") == "code"]


def _mistakes_elsewhere(
    course: CourseDirectory, assignment: str, students: tuple[Student, ...]
) -> dict[str, dict[str, tuple[str, ...]]]:
    earlier: dict[str, dict[str, tuple[str, ...]]] = {}
    for student in students:
        assignments: defaultdict[str, list[str]] = defaultdict(list)
        folder = Path(course.root) / course.autograded_directory / student.id
        names = sorted(path.name for path in folder.glob("*") if path.is_dir() and path.name != assignment)
        for name in names:
            results = _Cells(_notebooks(course, course.autograded_directory, student.id, name)).results
            named = {f.get("mistake") for result in results.values() for f in result.get("findings", [])}
            for mistake in named - {None}:
                assignments[mistake].append(name)
        earlier[student.id] = {mistake: tuple(places) for mistake, places in assignments.items()}
    return earlier

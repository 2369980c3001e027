"""The base query for an assignment's submissions in the gradebook, by student."""

from typing import Any

from nbgrader.api import Assignment, BaseCell, Notebook, SubmittedAssignment, SubmittedNotebook
from sqlalchemy import Select, select


def of_notebooks(assignment: str, *columns: Any) -> Select[Any]:
    """Return the query of a row for each submitted notebook: the student's id and some columns.

    The columns are those of SubmittedNotebook, Notebook, SubmittedAssignment and Assignment.
    """
    return (
        select(SubmittedAssignment.student_id, *columns)
        .select_from(SubmittedNotebook)
        .join(Notebook, SubmittedNotebook.notebook_id == Notebook.id)
        .join(SubmittedAssignment, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
        .join(Assignment, SubmittedAssignment.assignment_id == Assignment.id)
        .where(Assignment.name == assignment)
    )


def of_cells(assignment: str, table: Any, *columns: Any) -> Select[Any]:
    """Return the query of a row for each cell: columns of `table`, Grade or Comment, and of BaseCell too."""
    return (
        of_notebooks(assignment, *columns)
        .join(table, table.notebook_id == SubmittedNotebook.id)
        .join(BaseCell, table.cell_id == BaseCell.id)
    )

"""Writes the same page by nbgrader's own commands: `nbgrader generate_feedback` and the formgrader's button.

`nbgrader_config.py` puts this exporter in the place of nbgrader's, whose page needs a network.
"""

from typing import Any

from nbconvert.exporters import Exporter

from autograder.feedback.marks import Marks
from autograder.feedback.page import page


class FeedbackExporter(Exporter):
    """Makes the page of a notebook, after nbgrader's GetGrades has put points and comments into it."""

    file_extension = ".html"

    def from_notebook_node(  # type: ignore[override]
        self, nb: Any, resources: dict[str, Any] | None = None, **options: Any
    ) -> tuple[str, dict[str, Any]]:
        """Return the page and the resources."""
        graded, all_resources = super().from_notebook_node(nb, resources, **options)
        facts = all_resources["nbgrader"]
        marks = Marks(late_penalty=float(facts["late_penalty"]))
        for cell in graded.cells:
            marked = cell.metadata.get("nbgrader", {})
            if "score" in marked:
                marks.points[marked["grade_id"]] = float(marked["score"]), float(marked["points"])
            if marked.get("comment"):
                marks.comments[marked["grade_id"]] = marked["comment"]
        return page(graded, marks, facts["notebook"]), all_resources

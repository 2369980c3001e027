"""Removes nbgrader's stub from cells where it would stop the notebook."""

from typing import Any

from nbgrader.preprocessors import ClearSolutions, NbGraderPreprocessor


class DropTopLevelStubs(NbGraderPreprocessor):
    """Removes the stub outside of functions.

    An exercise whose object is a variable has its blanks in the cell already; `raise` at the top level
    would end "Run All" before the next exercise. Runs after ClearSolutions.
    """

    def preprocess_cell(self, cell: Any, resources: Any, cell_index: int) -> tuple[Any, Any]:
        """Return the cell without unindented lines of the stub."""
        if cell.cell_type == "code":
            stub = ClearSolutions(parent=self).code_stub[resources["language"]]
            lines = [line for line in cell.source.split("\n") if line != stub]
            cell.source = "\n".join(lines).rstrip("\n")
        return cell, resources

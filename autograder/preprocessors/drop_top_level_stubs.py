"""Takes nbgrader's stub out of cells where it would stop the notebook."""

from __future__ import annotations

from typing import Any

from nbgrader.preprocessors import ClearSolutions, NbGraderPreprocessor


class DropTopLevelStubs(NbGraderPreprocessor):
    """Remove the stub where it stands outside any function.

    An exercise whose object is a variable has its blanks in the cell already; `raise` at the top level
    would end "Run All" before the next exercise. Runs after ClearSolutions.
    """

    def preprocess_cell(self, cell: Any, resources: Any, cell_index: int) -> tuple[Any, Any]:
        """Return the cell without lines that are the stub, unindented."""
        if cell.cell_type == "code":
            stub = ClearSolutions(parent=self).code_stub[resources["language"]]
            lines = [line for line in cell.source.split("\n") if line != stub]
            cell.source = "\n".join(lines).rstrip("\n")
        return cell, resources

"""Compares the Jacobian of backward with the true one, in marks and in words."""

from __future__ import annotations

import numpy as np

from vjpcheck.result import Jacobians

ENTRIES_AT_MOST = 3


def in_words(jacobians: Jacobians) -> str:
    """Return the number of differing entries, and the first of them with both numbers, in words."""
    differing = np.argwhere(jacobians.differing())
    rows, columns = jacobians.true.shape
    entries = "; ".join(_entry(jacobians, *map(int, place)) for place in differing[:ENTRIES_AT_MOST])
    more = "; …" if len(differing) > ENTRIES_AT_MOST else ""
    return (
        f"The Jacobian from backward and the correct one ({rows} × {columns}) differ in "
        f"{len(differing)} of {rows * columns} entries: {entries}{more}."
    )


def _entry(jacobians: Jacobians, row: int, column: int) -> str:
    output, source = jacobians.entry(row, column)
    actual, true = (f"{float(j[row, column]):.4g}" for j in (jacobians.observed, jacobians.true))
    return f"the derivative of output{output} with respect to input{source} is {actual} and should be {true}"


def as_marks(jacobians: Jacobians, rows_at_most: int = 16, columns_at_most: int = 48) -> list[str]:
    """Return one line per row: ✗ where the two differ, = where they agree, · where both are 0.

    Returns nothing for Jacobians that are too large to read.
    """
    rows, columns = jacobians.true.shape
    if rows > rows_at_most or columns > columns_at_most:
        return []
    agreed = np.where(jacobians.true == 0, "·", "=")
    marks = np.where(jacobians.differing(), "✗", agreed)
    return [" ".join(row) for row in marks]

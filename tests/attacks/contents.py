"""Submissions that lie about which cell is which, or are large elsewhere: each builder writes one."""

from __future__ import annotations

import json
import os

from structure import SCRIPT, Submission, attack, code


@attack
def grade_ids_exchanged(to: Submission) -> None:
    """The marks of all solutions go round, so that the one of kill_head stands on the next exercise's."""
    solutions = [c for c in to.notebook["cells"] if c["metadata"].get("nbgrader", {}).get("solution")]
    marks = [cell["metadata"] for cell in solutions]
    for cell, mark in zip(solutions, [*marks[1:], marks[0]], strict=True):
        cell["metadata"] = mark
    to.write()


@attack
def keys_twice(to: Submission) -> None:
    """The file has two lists of cells and two formats: whoever reads the first sees other cells."""
    honest = json.dumps({**to.notebook, "cells": [to.cell("kill_head_test") | {"source": "4.0"}]})
    to.path.write_text(honest[:-1] + "," + json.dumps(to.notebook)[1:])


@attack
def metadata_nested(to: Submission) -> None:
    """The metadata of notebook and cells is nested 900 deep, which a parser reads and a copy does not."""
    nested: object = SCRIPT
    for _ in range(900):
        nested = {"x": nested}
    to.notebook["metadata"]["nested"] = nested
    for cell in to.notebook["cells"]:
        cell["metadata"]["nested"] = nested
    to.write()


@attack
def notebooks_of_other_names(to: Submission) -> None:
    """Two thousand notebooks of nine megabytes lie in the folder, none with the released name."""
    to.notebook["cells"].append(code("# " + "x" * 9_000_000))
    first = to.folder / "0.ipynb"
    first.write_text(json.dumps(to.notebook))
    for number in range(1, 2000):
        os.link(first, to.folder / f"{number}.ipynb")


@attack
def outputs_of_nine_megabytes(to: Submission) -> None:
    """The solution comes with nine megabytes of output that it never printed, a script among it."""
    html = f"{SCRIPT}<b>" * 150_000
    data = {"text/html": html, "text/plain": "4.0"}
    for cell in (to.cell("kill_head"), to.cell("kill_head_test")):
        cell["outputs"] = [{"output_type": "display_data", "metadata": {}, "data": data}]
        html = data["text/html"] = SCRIPT
    to.write()


@attack
def markers_of_nbgrader(to: Submission) -> None:
    """The solution holds the markers by which nbgrader cuts cells, unbalanced and in each other."""
    markers = ("HIDDEN TESTS", "MARK SCHEME", "SOLUTION")
    lines = [f"### {word} {marker}" for marker in markers for word in ("END", "BEGIN", "BEGIN")]
    to.cell("kill_head")["source"] += "\n" + "\n".join(lines) + "\n4.0\n"
    to.write()


@attack
def sources_of_a_million_lines(to: Submission) -> None:
    """The source of a cell is a list of a million empty texts."""
    to.cell("kill_head")["source"] = [to.cell("kill_head")["source"], *[""] * 1_000_000]
    to.write()

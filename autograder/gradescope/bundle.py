"""Writes and reads an assignment as one JSON file, without its solutions."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from autograder.grading.assignment import Assignment, Source, Task


@dataclass(frozen=True)
class Bundle:
    """The assignment's notebooks by name, and whether they may be graded under weak isolation."""

    assignments: Mapping[str, Assignment]
    allow_weak_isolation: bool

    def dumps(self) -> str:
        """Return the bundle as JSON; the released source replaces each solution."""
        notebooks = [_without_solutions(asdict(assignment)) for assignment in self.assignments.values()]
        return json.dumps(
            {"notebooks": notebooks, "allow_weak_isolation": self.allow_weak_isolation}, indent=1
        )

    @staticmethod
    def loads(text: str) -> Bundle:
        """Return the bundle that `dumps` wrote."""
        content = json.loads(text)
        assignments = [_assignment(notebook) for notebook in content["notebooks"]]
        return Bundle({one.notebook: one for one in assignments}, content["allow_weak_isolation"])


def _without_solutions(notebook: dict[str, Any]) -> dict[str, Any]:
    released = notebook["released"]
    for cell in notebook["cells"]:
        marked = cell["metadata"].get("nbgrader", {})
        if marked.get("solution"):
            cell["source"] = released.get(marked["grade_id"], {"source": ""})["source"]
        if cell["cell_type"] == "code":
            cell["outputs"] = []
    return notebook


def _assignment(notebook: dict[str, Any]) -> Assignment:
    return Assignment(
        **{
            **notebook,
            "cells": tuple(notebook["cells"]),
            "tasks": tuple(Task(**task) for task in notebook["tasks"]),
            "released": {grade_id: Source(**source) for grade_id, source in notebook["released"].items()},
        }
    )

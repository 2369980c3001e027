"""A source notebook as students get it: nbgrader's own steps with the course's settings, in this process."""

import copy
from typing import Any

from nbgrader.converters import GenerateAssignment
from nbgrader.preprocessors import SaveCells
from traitlets.utils.importstring import import_item


class Release:
    """What `nbgrader generate_assignment` does to a notebook, without the gradebook.

    `app` is nbgrader's, with the course's configuration.
    """

    def __init__(self, app: Any) -> None:
        named = GenerateAssignment(parent=app).preprocessors
        steps = [import_item(step) if isinstance(step, str) else step for step in named]
        self._steps = [step(parent=app) for step in steps if step is not SaveCells]

    def __call__(self, notebook: Any) -> Any:
        """Return the released form of a source notebook, which stays as it is."""
        made: Any = copy.deepcopy(notebook)
        resources: dict[str, Any] = {"nbgrader": {}}
        for step in self._steps:
            made, resources = step(made, resources)
        return made

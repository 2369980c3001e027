"""Calls a student's my_gradcheck on one Function of the battery."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NotRequired, TypedDict

import numpy as np
import torch

from autograder.errors import StudentError, WrongReturn, student_errors
from autograder.protocol import Flag, ListOf, Request, Whole, answer_of
from autograder.tasks.calling import kind, require_callable
from autograder.tasks.my_gradcheck.battery import BATTERY
from autograder.tasks.tensors import leaf, moved


class Verdict(TypedDict):
    """What my_gradcheck says, and which inputs have other values now."""

    says: bool | None
    inputs_changed: list[int]
    error: NotRequired[StudentError]


class Probe:
    """Holds a student's function; raises CannotRun if it cannot be called."""

    def __init__(self, work: Any, name: str) -> None:
        self._work = require_callable(work, name)
        self._name = name

    def run(self, case: str, inputs: Sequence[np.ndarray]) -> Verdict:
        """Call the student's function with the Function of that name at these inputs."""
        chosen = BATTERY[case]
        tensors = tuple(leaf(array, p not in chosen.frozen) for p, array in enumerate(inputs))
        answer: Verdict = {"says": None, "inputs_changed": []}
        with student_errors(answer, self._name), torch.enable_grad():
            answer["says"] = _truth_value(self._work(chosen.fn, tensors, *chosen.tolerances), self._name)
            answer["inputs_changed"] = moved(tensors, inputs)
        return answer


def run(case: str, inputs: Sequence[np.ndarray]) -> Request[Verdict]:
    """Ask for what is said of the Function of that name."""
    changed = ListOf(Whole(len(inputs)))
    return Request("run", (case, inputs), answer_of(Verdict, says=Flag(), inputs_changed=changed))


def _truth_value(returned: Any, name: str) -> bool:
    value = returned.item() if isinstance(returned, (np.ndarray, np.generic, torch.Tensor)) else returned
    if not isinstance(value, bool):
        raise WrongReturn(f"{name} must return True or False, and returns {kind(returned)}.")
    return value

"""Calls a student's my_gradcheck on one Function of the battery."""

from collections.abc import Sequence
from typing import Any, NotRequired, TypedDict

import numpy as np
import torch

from autograder.tasks.calling import Caller, called
from autograder.tasks.handed_over import GRADCHECK
from autograder.tasks.my_gradcheck.battery import CASES
from autograder.tasks.tensors import leaf
from autograder.tasks.watching import noticing
from vjpcheck.ask.answers import blank
from vjpcheck.ask.protocol import Flag, Request, answer_of
from vjpcheck.errors import StudentError, WrongReturn, kind
from vjpcheck.probe.callers_world import Changes


class Verdict(TypedDict):
    """What my_gradcheck says, what the call has changed, and which of gradcheck's own functions it called."""

    says: bool | None
    changes: Changes
    handed_over: list[str]
    error: NotRequired[StudentError]


class Probe(Caller):
    """Calls a student's function."""

    def run(self, case: int, inputs: Sequence[np.ndarray]) -> Verdict:
        """Call the student's function with the Function of that number at these inputs."""
        chosen = CASES[case]
        tensors = tuple(
            leaf(array, p not in chosen.frozen, chosen.by_columns) for p, array in enumerate(inputs)
        )
        answer = blank(Verdict)
        with (
            torch.enable_grad(),
            called(answer, self._name, inputs=tensors),
            noticing(GRADCHECK, answer["handed_over"]),
        ):
            answer["says"] = _truth_value(self._work(chosen.fn, tensors, *chosen.tolerances), self._name)
        return answer


def run(case: int, inputs: Sequence[np.ndarray]) -> Request[Verdict]:
    """Ask for what is said of the Function of that number."""
    return Request("run", (case, inputs), answer_of(Verdict, says=Flag()))


def _truth_value(returned: Any, name: str) -> bool:
    value = returned.item() if isinstance(returned, (np.ndarray, np.generic, torch.Tensor)) else returned
    if not isinstance(value, bool):
        raise WrongReturn(f"{name} must return True or False, but returns {kind(returned)}.")
    return value

"""Names the mistake behind an exception, where PyTorch's message and the student's line leave no doubt."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from autograder.errors import StudentError, tell
from autograder.function.case import Sample
from autograder.function.explain import by_shape_error
from autograder.mistakes import named
from autograder.result import Finding


def finding(check: str, error: StudentError, saves: int = 0, sample: Sample | None = None) -> Finding:
    """Return the finding for an exception; unnamed if no name is certain.

    `saves` is how often save_for_backward was called before, `sample` what the Function was called with.
    """
    if saves > 1:
        told = f"save_for_backward was called {saves} times, and only the last call counts. {tell(error)}"
        return named("saved-twice", check, None, told)
    for mistake, test in TESTS:
        if test(error):
            return named(mistake, check, None, tell(error))
    shape = (
        by_shape_error.name(error, sample) if sample is not None and error["during"] == "backward" else None
    )
    if shape is not None:
        found = named(shape, check, None, tell(error))
        return replace(found, hint=STACKED) if sample is not None and _of_a_stack(error, sample) else found
    return Finding(check, tell(error), None, None, _hint(error))


def _hint(error: StudentError) -> str:
    if error["during"] == "backward" and _does_not_fit(error):
        return "Which axes did forward give these tensors before it combined them? Write both shapes down."
    if _matches(r"__array_ufunc__=None", error):
        return "NumPy's functions take arrays: a Tensor's array is its .data."
    return HINTS.get(error["during"], "") if _by_pytorch(error, r"positional argument") else ""


STACKED = ".T reverses all axes. In a stack of matrices the last two are exchanged: .mT does that."
HINTS = {
    "forward": "forward is called with ctx and the arguments of apply, and without a self.",
    "backward": "backward is called with ctx and one cotangent for each output, and without a self.",
}


def _of_a_stack(error: StudentError, sample: Sample) -> bool:
    """Return whether the line transposes with .T, which in a stack of matrices reverses all axes."""
    deep = any(isinstance(a, np.ndarray) and a.ndim > 2 for a in sample.arguments)
    return deep and re.search(r"\.T\b", error["line"]) is not None


def _does_not_fit(error: StudentError) -> bool:
    return _matches(r"must match the size of tensor b|broadcast together with shapes", error)


def _matches(pattern: str, error: StudentError) -> bool:
    return re.search(pattern, error["message"]) is not None


def _by_pytorch(error: StudentError, pattern: str) -> bool:
    """Return whether PyTorch's own call raised it, and no line of the student's."""
    return not error["line"] and _matches(pattern, error)


def _saved_tuple(error: StudentError) -> bool:
    return error["type"] == "TypeError" and _matches(
        r"save_for_backward .* argument 0 is of type tuple", error
    )


def _saved_other(error: StudentError) -> bool:
    return error["type"] == "TypeError" and _matches(
        r"save_for_backward (can only save variables|takes Tensors only)", error
    )


def _tuple_as_tensor(error: StudentError) -> bool:
    # a tensor times a tuple is tried as a repetition of the tuple: hence the message about an index
    patterns = r"'tuple' object|operand.*'tuple'|must be Tensor, not tuple|only integer tensors of a single"
    # a tuple times a tuple, in Python's words; and a tuple among the operands of the course's engine
    patterns += r"|can't multiply sequence by non-int|a Tensor holds numbers, not object"
    return error["during"] == "backward" and bool(error["tuples"]) and _matches(patterns, error)


def _ctx_beside_setup_context(error: StudentError) -> bool:
    # said by inspect.signature, which PyTorch asks only where there is a setup_context
    return error["during"] == "forward" and _by_pytorch(error, r"^missing a required argument")


def _tuple_in_setup_context(error: StudentError) -> bool:
    return error["function"].lstrip().startswith(("@staticmethod", "def setup_context")) and bool(
        re.search(r"def setup_context\(", error["function"])
        and _matches(r"'tuple' object has no attribute", error)
    )


def _forward_called(error: StudentError) -> bool:
    return bool(error["line"]) and _matches(r"forward\(\) missing \d+ required positional", error)


def _cotangents(error: StudentError) -> bool:
    return _by_pytorch(error, r"(backward|vjp)\(\) (missing \d+|takes ([2-9]|\d\d)) .*positional argument")


def _index(error: StudentError) -> bool:
    return error["type"] == "IndexError" and "needs_input_grad[" in error["line"]


def _dirty(error: StudentError) -> bool:
    return _matches(r"marked as dirty during the forward method were not returned", error)


TESTS: list[tuple[str, Callable[[StudentError], bool]]] = [
    ("setup-context-not-unpacked", _saved_tuple),
    ("setup-context-not-unpacked", _tuple_in_setup_context),
    ("ctx-beside-setup-context", _ctx_beside_setup_context),
    ("saved-a-non-tensor", _saved_other),
    ("saved-tensors-not-unpacked", _tuple_as_tensor),
    ("dirty-not-returned", _dirty),
    ("called-forward-not-apply", _forward_called),
    ("one-grad-output-per-output", _cotangents),
    ("wrong-needs-input-grad-index", _index),
]

"""Runs beside the student's Function and answers with plain arrays and plain facts.

The probe knows no truth. Its answers are built of None, numbers, strings, lists, dicts and NumPy arrays
alone, so that it can sit in another process.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import zip_longest
from typing import Any, NotRequired, TypedDict

import numpy as np
import torch
from torch.autograd import Function

from autograder.errors import StudentError, WrongReturn, student_errors
from autograder.function.arguments import Argument, differentiable
from autograder.function.recording import Record, recording_subclass
from autograder.function.tensors import (
    Flags,
    as_array,
    as_cotangents,
    as_tensors,
    changed,
    spread,
    spread_tensors,
)
from autograder.result import CannotRun


class Returned(TypedDict):
    """What backward handed over for one argument, before the engine repairs or refuses it.

    `value` is there only where the shape is not the argument's own.
    """

    type: str
    dtype: str | None
    shape: list[int] | None
    value: np.ndarray | None


class Forward(TypedDict):
    """Outputs for given arguments; `dtypes` are their own, which NumPy may not have.

    `wrapped` says that apply gave a tuple.
    """

    outputs: list[np.ndarray]
    wrapped: bool
    dtypes: list[str]
    changed: list[int]
    error: NotRequired[StudentError]


class Pullback(TypedDict):
    """The vector-Jacobian products for given cotangents, and how they came about.

    `gradients` has one entry an argument: an array, or None where nothing arrived. `returned` is None if
    backward was never called or did not return. `saves` counts the calls of save_for_backward.
    """

    gradients: list[np.ndarray | None]
    returned: list[Returned] | None
    inputs_changed: list[int]
    cotangents_changed: list[int]
    saves: int
    error: NotRequired[StudentError]


class Interleaved(TypedDict):
    """The gradients of two passes over one graph, with a call on other values before the first."""

    first: list[np.ndarray | None]
    second: list[np.ndarray | None]
    error: NotRequired[StudentError]


class SecondPullback(TypedDict):
    """The gradient of <pullback, seconds>, for every argument and every cotangent."""

    for_arguments: list[np.ndarray | None]
    for_cotangents: list[np.ndarray | None]
    declared_once: bool
    error: NotRequired[StudentError]


class FunctionProbe:
    """Calls one student's Function.

    Raises CannotRun if `work` is not a subclass of torch.autograd.Function.
    """

    def __init__(self, work: Any, name: str) -> None:
        if isinstance(work, type) and issubclass(work, Function):
            self._work = work
            self._record = Record()
            return
        owner = getattr(work, "__self__", None)
        if isinstance(owner, type) and issubclass(owner, Function):
            raise CannotRun(f"Hand in the class {name} itself, not {name}.apply.")
        kind = f"the class {work.__name__}" if isinstance(work, type) else f"a {type(work).__name__}"
        raise CannotRun(f"{name} must be a subclass of torch.autograd.Function, but it is {kind}.")

    @cached_property
    def _recorded(self) -> type[Function]:
        return recording_subclass(self._work, lambda: self._record)

    def forward(self, arguments: Sequence[Argument]) -> Forward:
        """Return the outputs of apply, as autograd would see them, and which arguments it changed."""
        tensors = as_tensors(arguments, [False] * len(arguments))
        answer: Forward = {"outputs": [], "wrapped": False, "dtypes": [], "changed": []}
        with student_errors(answer, "forward"), torch.no_grad():
            returned = self._work.apply(*tensors)
            outputs = _as_outputs(returned)
            answer["wrapped"] = isinstance(returned, tuple)
            answer["dtypes"] = [_dtype(output) for output in outputs]
            answer["outputs"] = [as_array(output) for output in outputs]
            answer["changed"] = changed(tensors, arguments)
        return answer

    def vjp(
        self,
        arguments: Sequence[Argument],
        requires: Flags,
        cotangents: Sequence[Argument],
        all_needed: bool = False,
    ) -> Pullback:
        """Return the gradients for every argument marked in `requires`, and what backward itself returned.

        A cotangent that is None leaves its output out, as an output that no loss uses. With `all_needed`
        ctx.needs_input_grad says that every input needs its gradient.
        """
        tensors = as_tensors(arguments, requires)
        record = self._record = Record(all_needed=all_needed)
        answer: Pullback = {
            "gradients": [None] * len(arguments),
            "returned": None,
            "inputs_changed": [],
            "cotangents_changed": [],
            "saves": 0,
        }
        given = as_cotangents(cotangents)
        outputs: tuple[torch.Tensor, ...] = ()
        with student_errors(answer, "forward"), torch.enable_grad():
            outputs = _as_outputs(self._recorded.apply(*tensors))
        if "error" in answer:
            return answer
        with student_errors(answer, "backward"):
            wanted = [tensor for tensor, flag in zip(tensors, requires, strict=True) if flag]
            used, used_cotangents = _used(outputs, given)
            gradients = torch.autograd.grad(used, wanted, used_cotangents, allow_unused=True)
            answer["gradients"] = spread(gradients, requires)
        answer["saves"] = record.saves
        # a tensor of an odd kind may refuse to be looked at; what the engine said of it comes first
        with student_errors({} if "error" in answer else answer, "backward"):
            if record.returned is not None:
                pairs = zip_longest(record.returned, arguments[: len(record.returned)])
                answer["returned"] = [_describe(value, argument) for value, argument in pairs]
            answer["inputs_changed"] = changed(tensors, arguments)
            answer["cotangents_changed"] = changed(given, cotangents)
        return answer

    def interleaved(
        self, arguments: Sequence[Argument], others: Sequence[Argument], cotangents: Sequence[Argument]
    ) -> Interleaved:
        """Run two backward passes over the graph of one call, after a later call on `others`.

        Whoever keeps things anywhere but on this call's ctx, or takes them off it, is found here.
        """
        requires = [differentiable(argument) for argument in arguments]
        tensors = as_tensors(arguments, requires)
        wanted = [tensor for tensor, flag in zip(tensors, requires, strict=True) if flag]
        answer: Interleaved = {"first": [], "second": []}
        with student_errors(answer, "forward"), torch.enable_grad():
            outputs = _as_outputs(self._work.apply(*tensors))
            self._work.apply(*as_tensors(others, requires))
        if "error" in answer:
            return answer

        def gradients() -> list[np.ndarray | None]:
            used, given = _used(outputs, as_cotangents(cotangents))
            found = torch.autograd.grad(used, wanted, given, retain_graph=True, allow_unused=True)
            return spread(found, requires)

        with student_errors(answer, "backward after another call"):
            answer["first"] = gradients()
        if "error" not in answer:
            with student_errors(answer, "a second backward over the same graph"):
                answer["second"] = gradients()
        return answer

    def second_vjp(
        self,
        arguments: Sequence[Argument],
        requires: Flags,
        cotangents: Sequence[Argument],
        seconds: Sequence[Argument],
    ) -> SecondPullback:
        """Differentiate the pullback once more: gradients of its inner product with `seconds`.

        `seconds` has one entry an argument. `declared_once` says that backward is marked
        `once_differentiable`: its error node is looked for in the graph, as `allow_unused` walks past it.
        """
        tensors = as_tensors(arguments, requires)
        given = as_cotangents(cotangents, requires_grad=True)
        answer: SecondPullback = {
            "for_arguments": [None] * len(arguments),
            "for_cotangents": [None] * len(cotangents),
            "declared_once": False,
        }
        with student_errors(answer, "backward, differentiated a second time"), torch.enable_grad():
            outputs, live_cotangents = _used(_as_outputs(self._work.apply(*tensors)), given)
            wanted = [tensor for tensor, flag in zip(tensors, requires, strict=True) if flag]
            gradients = spread_tensors(
                torch.autograd.grad(outputs, wanted, live_cotangents, create_graph=True, allow_unused=True),
                requires,
            )
            live = [
                (gradient, torch.tensor(second))
                for gradient, second in zip(gradients, seconds, strict=True)
                if gradient is not None and gradient.requires_grad and second is not None
            ]
            answer["declared_once"] = any(_has_error_node(gradient) for gradient, _ in live)
            if live and not answer["declared_once"]:
                found = torch.autograd.grad(
                    [gradient for gradient, _ in live],
                    [*wanted, *live_cotangents],
                    [second for _, second in live],
                    allow_unused=True,
                )
                answer["for_arguments"] = spread(found[: len(wanted)], requires)
                flags = [cotangent is not None for cotangent in given]
                answer["for_cotangents"] = spread(found[len(wanted) :], flags)
        return answer


def _as_outputs(returned: Any) -> tuple[torch.Tensor, ...]:
    outputs = returned if isinstance(returned, tuple) else (returned,)
    for output in outputs:
        if not isinstance(output, torch.Tensor):
            raise WrongReturn(f"forward must return a Tensor, and returns {_a(output)}.")
    return outputs


def _used(
    outputs: Sequence[torch.Tensor], cotangents: Sequence[torch.Tensor | None]
) -> tuple[list[torch.Tensor], list[torch.Tensor]]:
    """Return the outputs that have a cotangent, and these; further outputs have none."""
    pairs = [(y, c) for y, c in zip(outputs, cotangents, strict=False) if c is not None]
    return [y for y, _ in pairs], [c for _, c in pairs]


def _type(value: Any) -> str:
    return "None" if value is None else str(type(value).__name__)


def _a(value: Any) -> str:
    return "None" if value is None else f"a {_type(value)}"


def _describe(value: Any, argument: Argument) -> Returned:
    if not isinstance(value, torch.Tensor):
        return {"type": _type(value), "dtype": None, "shape": None, "value": None}
    odd = isinstance(argument, np.ndarray) and argument.shape != value.shape
    return {
        "type": "Tensor",
        "dtype": _dtype(value),
        "shape": list(value.shape),
        "value": as_array(value) if odd else None,
    }


def _dtype(tensor: torch.Tensor) -> str:
    return str(tensor.dtype).removeprefix("torch.")


def _has_error_node(gradient: torch.Tensor) -> bool:
    """Return whether the graph above a gradient holds the node that `once_differentiable` puts there."""
    waiting, seen = [gradient.grad_fn], set()
    while waiting:
        node = waiting.pop()
        if node is None or node in seen:
            continue
        if node.name() == "torch::autograd::Error":
            return True
        seen.add(node)
        waiting.extend(parent for parent, _ in node.next_functions)
    return False

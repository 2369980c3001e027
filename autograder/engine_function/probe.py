"""Runs beside the student's engine Function; its answers are those of `autograder.function.probe`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.engine_function.recording import Record, recording_subclass
from autograder.engine_function.tensors import (
    Flags,
    as_array,
    as_cotangents,
    as_tensors,
    changed,
    spread,
    spread_tensors,
)
from autograder.errors import WrongReturn, student_errors
from autograder.function.arguments import Argument, differentiable
from autograder.result import CannotRun
from course.engine import Function, Node, Tensor, grad, no_grad, once_differentiable
from course.engine.node import recording

if TYPE_CHECKING:
    from autograder.function.probe import Forward, Interleaved, Pullback, Returned, SecondPullback


class EngineProbe:
    """Calls one student's Function.

    Raises CannotRun if `work` is not a subclass of course.engine.Function.
    """

    def __init__(self, work: Any, name: str) -> None:
        if isinstance(work, type) and issubclass(work, Function):
            self._work = work
            self._record = Record()
            return
        owner = getattr(work, "__self__", None)
        if isinstance(owner, type) and issubclass(owner, Function):
            raise CannotRun(f"Hand in the class {name} itself, not {name}.apply.")
        if isinstance(work, type) and any(base.__module__.startswith("torch.") for base in work.__mro__):
            raise CannotRun(f"{name} must be a subclass of course.engine.Function, and not of PyTorch's.")
        kind = f"the class {work.__name__}" if isinstance(work, type) else f"a {type(work).__name__}"
        raise CannotRun(f"{name} must be a subclass of course.engine.Function, but it is {kind}.")

    @cached_property
    def _recorded(self) -> type[Function]:
        return recording_subclass(self._work, lambda: self._record)

    def forward(self, arguments: Sequence[Argument]) -> Forward:
        """Return the outputs of apply, as the engine would see them, and which arguments it changed."""
        tensors = as_tensors(arguments, [False] * len(arguments))
        answer: Forward = {"outputs": [], "wrapped": False, "dtypes": [], "changed": []}
        with student_errors(answer, "forward"), no_grad():
            returned = self._work.apply(*tensors)
            outputs = _as_outputs(returned)
            answer["wrapped"] = isinstance(returned, tuple)
            answer["dtypes"] = [str(output.dtype) for output in outputs]
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
        """Return the gradients for every argument marked in `requires`, and what backward itself returned."""
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
        outputs: tuple[Tensor, ...] = ()
        with student_errors(answer, "forward"), recording(True):
            outputs = _as_outputs(self._recorded.apply(*tensors))
        if "error" in answer:
            return answer
        with student_errors(answer, "backward"):
            wanted = [tensor for tensor, flag in zip(tensors, requires, strict=True) if flag]
            used, used_cotangents = _used(outputs, given)
            answer["gradients"] = spread(grad(used, wanted, used_cotangents, allow_unused=True), requires)
        answer["saves"] = record.saves
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
        """Run two backward passes over the graph of one call, after a later call on `others`."""
        requires = [differentiable(argument) for argument in arguments]
        tensors = as_tensors(arguments, requires)
        wanted = [tensor for tensor, flag in zip(tensors, requires, strict=True) if flag]
        answer: Interleaved = {"first": [], "second": []}
        with student_errors(answer, "forward"), recording(True):
            outputs = _as_outputs(self._work.apply(*tensors))
            self._work.apply(*as_tensors(others, requires))
        if "error" in answer:
            return answer

        def gradients() -> list[np.ndarray | None]:
            used, given = _used(outputs, as_cotangents(cotangents))
            return spread(grad(used, wanted, given, retain_graph=True, allow_unused=True), requires)

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
        """Differentiate the pullback once more: gradients of its inner product with `seconds`."""
        tensors = as_tensors(arguments, requires)
        given = as_cotangents(cotangents, requires_grad=True)
        answer: SecondPullback = {
            "for_arguments": [None] * len(arguments),
            "for_cotangents": [None] * len(cotangents),
            "declared_once": False,
        }
        with student_errors(answer, "backward, differentiated a second time"), recording(True):
            outputs, live_cotangents = _used(_as_outputs(self._work.apply(*tensors)), given)
            wanted = [tensor for tensor, flag in zip(tensors, requires, strict=True) if flag]
            gradients = spread_tensors(
                grad(outputs, wanted, live_cotangents, create_graph=True, allow_unused=True), requires
            )
            live = [
                (gradient, Tensor(second))
                for gradient, second in zip(gradients, seconds, strict=True)
                if gradient is not None and gradient.requires_grad and second is not None
            ]
            answer["declared_once"] = any(_declared_once(gradient) for gradient, _ in live)
            if live and not answer["declared_once"]:
                found = grad(
                    [gradient for gradient, _ in live],
                    [*wanted, *live_cotangents],
                    [second for _, second in live],
                    allow_unused=True,
                )
                answer["for_arguments"] = spread(found[: len(wanted)], requires)
                flags = [cotangent is not None for cotangent in given]
                answer["for_cotangents"] = spread(found[len(wanted) :], flags)
        return answer


def _as_outputs(returned: Any) -> tuple[Tensor, ...]:
    outputs = returned if isinstance(returned, tuple) else (returned,)
    for output in outputs:
        if not isinstance(output, Tensor):
            raise WrongReturn(f"forward must return a Tensor, and returns a {type(output).__name__}.")
    return outputs


def _used(
    outputs: Sequence[Tensor], cotangents: Sequence[Tensor | None]
) -> tuple[list[Tensor], list[Tensor]]:
    """Return the outputs that have a cotangent, and these; further outputs have none."""
    pairs = [(y, c) for y, c in zip(outputs, cotangents, strict=False) if c is not None]
    return [y for y, _ in pairs], [c for _, c in pairs]


def _describe(value: Any, argument: Argument) -> Returned:
    if not isinstance(value, Tensor):
        kind = "None" if value is None else str(type(value).__name__)
        kind = "torch.Tensor" if kind == "Tensor" else kind
        return {"type": kind, "dtype": None, "shape": None, "value": None}
    odd = isinstance(argument, np.ndarray) and argument.shape != value.shape
    return {
        "type": "Tensor",
        "dtype": str(value.dtype),
        "shape": list(value.shape),
        "value": as_array(value) if odd else None,
    }


class _Declared(Function):
    """A Function whose backward is declared once differentiable, to learn what that looks like in a graph."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        return x * 1.0

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> Tensor:
        return gradient


def _error_node() -> type[Node]:
    """Return the class of the node that `once_differentiable` puts above a gradient."""
    x = Tensor(1.0, requires_grad=True)
    (gradient,) = grad(_Declared.apply(x), x, create_graph=True)
    assert gradient is not None
    return type(gradient.grad_fn)  # type: ignore[return-value]


def _declared_once(gradient: Tensor) -> bool:
    error_node = _error_node()
    waiting: list[Node | None] = [gradient.grad_fn]
    seen: set[Node] = set()
    while waiting:
        node = waiting.pop()
        if node is None or node in seen:
            continue
        if isinstance(node, error_node):
            return True
        seen.add(node)
        waiting.extend(parent for parent, _ in node.next_functions)
    return False

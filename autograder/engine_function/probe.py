"""Runs beside the student's engine Function; its answers are those of `autograder.function.probe`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.engine_function.higher import attached, differentiate
from autograder.engine_function.inspection import (
    intermediates,
    leaks,
    nothing,
    others_kept,
    sort_kept,
)
from autograder.engine_function.recording import Record, recording_subclass
from autograder.engine_function.tensors import (
    Flags,
    as_array,
    as_cotangents,
    as_tensors,
    changed,
    spread,
)
from autograder.errors import WrongReturn, student_errors
from autograder.function.arguments import Argument, differentiable
from autograder.result import CannotRun
from course.engine import Function, Tensor, grad, no_grad
from course.engine.function import FunctionNode
from course.engine.node import recording

if TYPE_CHECKING:
    from autograder.function.answers import Forward, Interleaved, Pullback, Returned, WithoutCotangent
    from autograder.function.higher import HigherPullback, Supposition
    from autograder.function.inspection import Inspection


class EngineProbe:
    """Calls one student's Function.

    Raises CannotRun if `work` is not a subclass of course.engine.Function.
    """

    apart = False  # whether a process of its own runs it, without the verdict

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
            "arrived": [],
            "inputs_changed": [],
            "outputs_changed": [],
            "cotangents_changed": [],
            "saves": 0,
        }
        given = as_cotangents(cotangents)
        outputs: tuple[Tensor, ...] = ()
        with student_errors(answer, "forward"), recording(True):
            outputs = _as_outputs(self._recorded.apply(*tensors))
        if "error" in answer:
            return answer
        before = [as_array(output) for output in outputs]
        with student_errors(answer, "backward"):
            wanted = [tensor for tensor, flag in zip(tensors, requires, strict=True) if flag]
            used, used_cotangents = _used(outputs, given)
            answer["gradients"] = spread(grad(used, wanted, used_cotangents, allow_unused=True), requires)
        answer["saves"], answer["arrived"] = record.saves, [True] * len(outputs)
        with student_errors({} if "error" in answer else answer, "backward"):
            if record.returned is not None:
                pairs = zip_longest(record.returned, arguments[: len(record.returned)])
                answer["returned"] = [_describe(value, argument) for value, argument in pairs]
            answer["inputs_changed"] = changed(tensors, arguments)
            answer["outputs_changed"] = changed(outputs, before)
            answer["cotangents_changed"] = changed(given, cotangents)
        return answer

    def vjps(
        self, arguments: Sequence[Argument], requires: Flags, cotangents: Sequence[Sequence[Argument]]
    ) -> list[list[np.ndarray | None]]:
        """Return the gradients for one choice of cotangents after the other, each over a graph of its own."""
        return [self.vjp(arguments, requires, given)["gradients"] for given in cotangents]

    def inspect(self, arguments: Sequence[Argument], cotangents: Sequence[Argument]) -> Inspection:
        """Return what stands behind a call: see there."""
        answer = nothing()
        with student_errors({}, "forward"), recording(True):
            self._look_behind(answer, arguments, cotangents)
        with student_errors({}, "forward"), recording(True):
            answer["leaks"] = leaks(lambda: self._called(arguments))
        return answer

    def intermediates(self, arguments: Sequence[Argument], nearby: Sequence[Argument]) -> list[str]:
        """Return the places, on ctx or in saved_tensors, of values that are neither input nor output.

        They change with the inputs: `nearby` are the arguments after a tiny step.
        """
        with student_errors({}, "forward"), recording(True):
            once, again, near = (
                others_kept(lambda given=given: self._called(given))  # type: ignore[misc]
                for given in (arguments, arguments, nearby)
            )
            return intermediates(once, again, near)
        return []

    def _called(self, arguments: Sequence[Argument]) -> tuple[list[Any], tuple[Tensor, ...]]:
        given = as_tensors(arguments, [differentiable(argument) for argument in arguments])
        return given, _as_outputs(self._work.apply(*given))

    def _look_behind(
        self, answer: Inspection, arguments: Sequence[Argument], cotangents: Sequence[Argument]
    ) -> None:
        record = self._record = Record(watch=True)
        requires = [differentiable(argument) for argument in arguments]
        tensors = as_tensors(arguments, requires)
        try:
            outputs = _as_outputs(self._recorded.apply(*tensors))
            answer["requires_grad"] = [output.requires_grad for output in outputs]
            node = outputs[0].grad_fn
            if isinstance(node, FunctionNode) and issubclass(node.function, self._work):
                sort_kept(answer, node, tensors, outputs)
            used, given = _used(outputs, as_cotangents(cotangents))
            wanted = [tensor for tensor, flag in zip(tensors, requires, strict=True) if flag]
            grad(used, wanted, given, allow_unused=True)
        finally:
            answer["autograd"] = list(record.autograd)

    def hidden_autograd(self) -> str:
        """Return '': this engine is Python, and nothing of it runs out of sight."""
        return ""

    def interleaved(
        self,
        arguments: Sequence[Argument],
        others: Sequence[Sequence[Argument]],
        cotangents: Sequence[Argument],
    ) -> Interleaved:
        """Run two backward passes over the graph of one call, after later calls on `others`."""
        answer: Interleaved = {"first": [], "second": []}
        tensors: list[Any] = []
        outputs: tuple[Tensor, ...] = ()
        with student_errors(answer, "forward"), recording(True):
            tensors, outputs = self._called(arguments)
            for other in others:
                self._called(other)
        if "error" in answer:
            return answer
        requires = [differentiable(argument) for argument in arguments]
        wanted = [tensor for tensor, flag in zip(tensors, requires, strict=True) if flag]

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
    ) -> HigherPullback:
        """Differentiate the pullback once more: gradients of its inner product with `seconds`."""
        return self.higher_vjp(arguments, requires, cotangents, [seconds])

    def without_cotangent(self, arguments: Sequence[Argument]) -> WithoutCotangent:
        """Return that nothing arrives: the engine runs no node that no adjoint has reached."""
        return {"arrives": []}

    def higher_vjp(
        self,
        arguments: Sequence[Argument],
        requires: Flags,
        cotangents: Sequence[Argument],
        directions: Sequence[Sequence[Argument]],
        supposition: Supposition = "",
    ) -> HigherPullback:
        """Differentiate the pullback as often as there are directions, each with one entry an argument.

        Of the suppositions only "nothing detached" is made: the engine records nothing in forward.
        """
        answer: HigherPullback = {
            "for_arguments": [None] * len(arguments),
            "for_cotangents": [None] * len(cotangents),
            "declared_once": False,
            "detaching": [],
            "numpy": False,
            "kept": [],
            "written": False,
        }
        work = attached(self._work, answer) if supposition == "nothing detached" else self._work
        with student_errors(answer, "backward, differentiated a second time"), recording(True):
            differentiate(
                work,
                as_tensors(arguments, requires),
                requires,
                as_cotangents(cotangents, requires_grad=True)[0],
                [as_cotangents(direction) for direction in directions],
                answer,
            )
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

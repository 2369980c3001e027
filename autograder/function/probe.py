"""Runs beside the student's Function and answers with plain arrays and plain facts.

The probe knows no truth. Its answers are built of None, numbers, strings, lists, dicts and NumPy arrays
alone, so that it can sit in another process.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import zip_longest
from typing import Any

import numpy as np
import torch
from torch.autograd import Function

from autograder.errors import student_errors
from autograder.function import engine_runs
from autograder.function.answers import Forward, Interleaved, Pullback, WithoutCotangent
from autograder.function.arguments import Argument, differentiable
from autograder.function.higher import HigherPullback, Supposition, differentiate, pull_of
from autograder.function.inspection import (
    Inspection,
    Listening,
    intermediates,
    leaks,
    names_outside,
    nothing,
    others_kept,
    sort_kept,
)
from autograder.function.kept import kept_by, node_of
from autograder.function.native_autograd import in_code
from autograder.function.outputs import as_outputs, described, dtype_name, generator_states, used_outputs
from autograder.function.recording import Record, recording_subclass
from autograder.function.tensors import (
    Flags,
    as_array,
    as_cotangents,
    as_tensors,
    changed,
    spread,
)
from autograder.function.transforms import Declared, Transformed, declared_by, transformed
from autograder.result import CannotRun


class FunctionProbe:
    """Calls one student's Function, which must modify the arguments at the positions `modifies` in place.

    Those arguments are handed in as copies of leaves: a leaf that requires grad cannot be modified in place.
    Raises CannotRun if `work` is not a subclass of torch.autograd.Function.
    """

    apart = False  # whether a process of its own runs it, without the verdict

    def __init__(self, work: Any, name: str, modifies: Sequence[int] = ()) -> None:
        if isinstance(work, type) and issubclass(work, Function):
            self._work = work
            self._modifies = modifies
            self._record = Record()
            self._runs = engine_runs.EngineRuns()
            return
        owner = getattr(work, "__self__", None)
        if isinstance(owner, type) and issubclass(owner, Function):
            raise CannotRun(f"Hand in the class {name} itself, not {name}.apply.")
        kind = f"the class {work.__name__}" if isinstance(work, type) else f"a {type(work).__name__}"
        raise CannotRun(f"{name} must be a subclass of torch.autograd.Function, but it is {kind}.")

    @cached_property
    def _recorded(self) -> type[Function]:
        return recording_subclass(self._work, lambda: self._record)

    @cached_property
    def _autograd_in_code(self) -> str:
        with student_errors({}, "forward"):  # classes may be of odd kinds
            return in_code(self._work)
        return ""

    def _given(self, tensors: Sequence[Any]) -> list[Any]:
        """Return what apply is called with: a copy where forward must modify what it is given."""
        return [tensor.clone() if p in self._modifies else tensor for p, tensor in enumerate(tensors)]

    def forward(self, arguments: Sequence[Argument]) -> Forward:
        """Return the outputs of apply, as autograd would see them, and which arguments it changed."""
        tensors = as_tensors(arguments, [False] * len(arguments))
        answer: Forward = {"outputs": [], "wrapped": False, "dtypes": [], "changed": []}
        with student_errors(answer, "forward"), torch.no_grad():
            given = self._given(tensors)
            returned = self._work.apply(*given)
            outputs = as_outputs(returned)
            answer["wrapped"] = isinstance(returned, tuple)
            answer["dtypes"] = [dtype_name(output) for output in outputs]
            answer["outputs"] = [as_array(output) for output in outputs]
            answer["changed"] = changed(given, arguments)
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
            "arrived": [],
            "inputs_changed": [],
            "outputs_changed": [],
            "cotangents_changed": [],
            "saves": 0,
        }
        given = as_cotangents(cotangents)
        outputs: tuple[torch.Tensor, ...] = ()
        with student_errors(answer, "forward"), torch.enable_grad():
            outputs = as_outputs(self._recorded.apply(*self._given(tensors)))
        if "error" in answer:
            return answer
        before = [(output._version, as_array(output).tobytes()) for output in outputs]
        with student_errors(answer, "backward"):
            wanted = [tensor for tensor, flag in zip(tensors, requires, strict=True) if flag]
            used, used_cotangents = used_outputs(outputs, given)
            gradients = engine_runs.grad(used, wanted, used_cotangents, allow_unused=True)
            answer["gradients"] = spread(gradients, requires)
        answer["saves"], answer["arrived"] = record.saves, record.arrived or []
        # a tensor of an odd kind may refuse to be looked at; what the engine said of it comes first
        with student_errors({} if "error" in answer else answer, "backward"):
            if record.returned is not None:
                pairs = zip_longest(record.returned, arguments[: len(record.returned)])
                answer["returned"] = [described(value, argument) for value, argument in pairs]
            answer["inputs_changed"] = changed(tensors, arguments)
            answer["outputs_changed"] = [
                index
                for index, (output, (version, value)) in enumerate(zip(outputs, before, strict=True))
                if output._version != version or as_array(output).tobytes() != value
            ]
            answer["cotangents_changed"] = sorted({*changed(given, cotangents), *record.written})
        return answer

    def vjps(
        self, arguments: Sequence[Argument], requires: Flags, cotangents: Sequence[Sequence[Argument]]
    ) -> list[list[np.ndarray | None]]:
        """Return the gradients for one choice of cotangents after the other, each over a graph of its own."""
        return [self.vjp(arguments, requires, given)["gradients"] for given in cotangents]

    def inspect(self, arguments: Sequence[Argument], cotangents: Sequence[Argument]) -> Inspection:
        """Return what stands behind a call: see there."""
        answer = nothing()
        with student_errors({}, "forward"):
            self._look_behind(answer, arguments, cotangents)
        with student_errors({}, "forward"):
            answer["leaks"] = leaks(lambda: self._called(arguments), self._work)
        if self._autograd_in_code and not answer["autograd"]:
            answer["autograd"] = [self._autograd_in_code]
        return answer

    def intermediates(self, arguments: Sequence[Argument], nearby: Sequence[Argument]) -> list[str]:
        """Return the places, on ctx or in saved_tensors, of values that are neither input nor output.

        They change with the inputs: `nearby` are the arguments after a tiny step.
        """
        with student_errors({}, "forward"):
            once, again, near = (
                others_kept(lambda given=given: self._called(given), self._work)  # type: ignore[misc]
                for given in (arguments, arguments, nearby)
            )
            return intermediates(once, again, near)
        return []

    def _called(self, arguments: Sequence[Argument]) -> tuple[list[Any], tuple[torch.Tensor, ...]]:
        given = self._given(as_tensors(arguments, [differentiable(argument) for argument in arguments]))
        with torch.enable_grad():
            return given, as_outputs(self._work.apply(*given))

    def _look_behind(
        self, answer: Inspection, arguments: Sequence[Argument], cotangents: Sequence[Argument]
    ) -> None:
        record = self._record = Record(watch=True)
        requires = [differentiable(argument) for argument in arguments]
        tensors = as_tensors(arguments, requires)
        try:
            with torch.enable_grad():
                given = self._given(tensors)
                states = generator_states(given)
                with Listening([*tensors, *given]) as listening:
                    outputs = as_outputs(self._recorded.apply(*given))
                answer["draws"] = states != generator_states(given)
                answer["captured"] = names_outside(self._work, listening.strangers)
                answer["requires_grad"] = [output.requires_grad for output in outputs]
                answer["same_objects"] = [
                    p for p, g in enumerate(given) if any(g is output for output in outputs)
                ]
                node = node_of(outputs, self._work)
                if node is not None:
                    sort_kept(answer, kept_by(node), given, outputs)
                used, used_cotangents = used_outputs(outputs, as_cotangents(cotangents))
                wanted = [tensor for tensor, flag in zip(tensors, requires, strict=True) if flag]
                engine_runs.grad(used, wanted, used_cotangents, allow_unused=True)
        finally:
            answer["autograd"] = list(record.autograd)
            answer["evasions"] = list(record.evasions)
            answer["inputs_returned"] = record.inputs_returned
            answer["listed"] = record.listed
            answer["listed_in_backward"] = next(iter(record.lists), "")

    def interleaved(
        self,
        arguments: Sequence[Argument],
        others: Sequence[Sequence[Argument]],
        cotangents: Sequence[Argument],
    ) -> Interleaved:
        """Run two backward passes over the graph of one call, after later calls on `others`.

        Whoever keeps things anywhere but on this call's ctx, or takes them off it, is found here.
        """
        requires = [differentiable(argument) for argument in arguments]
        tensors = as_tensors(arguments, requires)
        wanted = [tensor for tensor, flag in zip(tensors, requires, strict=True) if flag]
        answer: Interleaved = {"first": [], "second": []}
        with student_errors(answer, "forward"), torch.enable_grad():
            outputs = as_outputs(self._work.apply(*self._given(tensors)))
            for other in others:
                self._called(other)
        if "error" in answer:
            return answer

        def gradients() -> list[np.ndarray | None]:
            used, given = used_outputs(outputs, as_cotangents(cotangents))
            found = engine_runs.grad(used, wanted, given, retain_graph=True, allow_unused=True)
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
    ) -> HigherPullback:
        """Differentiate the pullback once more: gradients of its inner product with `seconds`.

        `seconds` has one entry an argument.
        """
        return self.higher_vjp(arguments, requires, cotangents, [seconds])

    def higher_vjp(
        self,
        arguments: Sequence[Argument],
        requires: Flags,
        cotangents: Sequence[Argument],
        directions: Sequence[Sequence[Argument]],
        supposition: Supposition = "",
    ) -> HigherPullback:
        """Differentiate the pullback as often as there are directions, each with one entry an argument.

        A supposition says what is to be different from how the student has written it.
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
        tensors, given = as_tensors(arguments, requires), as_cotangents(cotangents, requires_grad=True)
        with student_errors(answer, "backward, differentiated a second time"), torch.enable_grad():
            differentiate(
                pull_of(self._work, self._given, supposition, answer),
                tensors,
                requires,
                given,
                # once_differentiable looks whether what comes in requires grad
                [as_cotangents(direction, requires_grad=True) for direction in directions],
                answer,
            )
            answer["written"] = bool(changed(tensors, arguments) or changed(given, cotangents))
        return answer

    def without_cotangent(self, arguments: Sequence[Argument]) -> WithoutCotangent:
        """Run a backward pass in which no cotangent arrives at any output, as gradcheck does at its end."""
        answer: WithoutCotangent = {"arrives": []}
        requires = [differentiable(argument) for argument in arguments]
        with student_errors(answer, "backward without a cotangent"), torch.enable_grad():
            tensors = as_tensors(arguments, requires)
            outputs = as_outputs(self._work.apply(*self._given(tensors)))
            ends: list[Any] = [torch._C._functions.UndefinedGrad()(y) for y in outputs if y.requires_grad]
            wanted = [tensor for tensor, flag in zip(tensors, requires, strict=True) if flag]
            zeros = [torch.zeros_like(end) for end in ends]
            found = spread(engine_runs.grad(ends, wanted, zeros, allow_unused=True), requires)
            answer["arrives"] = [p for p, g in enumerate(found) if g is not None and g.any()]
        return answer

    def hidden_autograd(self) -> str:
        """Return in words that native autograd ran since the probe was made, out of sight or not, or ''.

        That can be told only where the probe is apart: a verdict runs the engine too.
        """
        hidden = self._runs.hidden()
        times = "once" if hidden == 1 else f"{hidden} times"
        return f"PyTorch's engine ran {times} more than the autograder had it run" if hidden > 0 else ""

    def declared(self) -> Declared:
        """Return which static methods the Function has of its own."""
        return declared_by(self._work)

    def transform(self, name: str, point: Sequence[np.ndarray]) -> Transformed:
        """Return what a transform makes of the first output: see `autograder.function.transforms`."""
        answer: Transformed = {"output": None}
        with engine_runs.uncounted(), student_errors(answer, name), torch.enable_grad():
            answer["output"] = transformed(name, self._work.apply, point)
        return answer

"""Runs the student's Function and answers requests with plain arrays and plain facts.

The probe has no access to the truth. Its answers contain only None, numbers, strings, lists, dicts and NumPy
arrays, so that it can run in another process.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from functools import cached_property, partial
from itertools import zip_longest
from types import CodeType
from typing import Any, cast

import numpy as np

from vjpcheck.arguments import Inputs, Library, differentiable
from vjpcheck.ask import answers
from vjpcheck.errors import student_errors
from vjpcheck.probe.backends import backend_of
from vjpcheck.probe.callers_world import generators_watched, watched
from vjpcheck.probe.calls import Call, with_copies
from vjpcheck.probe.conversion import (
    Flags,
    as_cotangents,
    as_tensors,
    changed,
    described,
    dtype_name,
    spread_tensors,
)
from vjpcheck.probe.higher import differentiate, pull_of
from vjpcheck.probe.inspection import (
    count_outside,
    held_outside,
    intermediates,
    leaks,
    others_kept,
    sort_kept,
)
from vjpcheck.probe.own_code import own_code
from vjpcheck.probe.recording import Record, recording_subclass
from vjpcheck.probe.saved_state import foreign_nodes, kept_by, node_of, objects_on_ctx, shared
from vjpcheck.result import CannotRun


class Probe:
    """Calls a student's Function, which must modify the arguments at the positions `modifies` in place.

    Those arguments are passed as copies of leaves: a leaf that requires grad cannot be modified in place.
    Raises CannotRun if `work` is not a subclass of the library's Function.
    """

    def __init__(
        self, work: Any, name: str, modifies: Sequence[int] = (), library: Library = "torch"
    ) -> None:
        self._backend = backend = backend_of(library)  # imports all modules before any refusal
        function = backend.function_class
        self._work: Any = work
        if isinstance(work, type) and issubclass(work, function):
            if defines_apply(work, function):
                raise CannotRun(f"{name} defines apply; remove it, because {backend.name} provides apply.")
            self._modifies = frozenset(modifies)
            self._record = Record()
            return
        owner = getattr(work, "__self__", None)
        if isinstance(owner, type) and issubclass(owner, function):
            raise CannotRun(f"Pass the class {name} itself, not {name}.apply.")
        expected = f"{name} must be a subclass of {backend.name}"
        if library != "torch" and isinstance(work, type) and _is_of_torch(work):
            raise CannotRun(f"{expected}, not of PyTorch's Function.")
        kind = f"the class {work.__name__}" if isinstance(work, type) else f"of type {type(work).__name__}"
        raise CannotRun(f"{expected}, but it is {kind}.")

    @cached_property
    def _recorded(self) -> type[Any]:
        return recording_subclass(self._backend, self._work, lambda: self._record)

    @cached_property
    def _autograd_in_code(self) -> str:
        with student_errors({}, "forward"):  # an odd class may raise
            return self._backend.autograd_in_code(self._work)
        return ""

    @cached_property
    def _named(self) -> set[str]:
        names: set[str] = set()
        with student_errors({}, "forward"):
            names |= {name for own in own_code(self._work) for name in own.code.co_names}
        return names

    def _call(
        self,
        arguments: Inputs,
        requires: Flags | None = None,
        layout: answers.Layout = "",
        same: Sequence[int] = (),
    ) -> Call:
        return Call(self._backend, arguments, requires, self._modifies, layout, same)

    def _copied(self, tensors: Sequence[Any]) -> list[Any]:
        return with_copies(tensors, self._modifies)

    def _called(self, arguments: Inputs) -> Call:
        call = self._call(arguments)
        call.apply(self._work)
        return call

    def _changed(self, tensors: Sequence[Any], originals: Inputs) -> list[int]:
        return changed(self._backend, tensors, originals)

    def _cotangents(self, arrays: Inputs, requires_grad: bool = False) -> list[Any]:
        return as_cotangents(self._backend, arrays, requires_grad)

    def _state(self, tensor: Any) -> tuple[int, bytes]:
        """Return the values that change when a tensor is written to."""
        return self._backend.version(tensor), self._backend.array(tensor).tobytes()

    def _places_changed(
        self, tensors: Sequence[Any], before: Sequence[tuple[int, bytes] | None]
    ) -> list[int]:
        """Return the places of tensors that were written to since `before`."""
        after = enumerate(zip(tensors, before, strict=True))
        return [place for place, (tensor, state) in after if state and self._state(tensor) != state]

    def _places(self, values: Sequence[Any]) -> list[Any]:
        """Return the memory of each tensor among the arguments."""
        tensor = self._backend.tensor_class
        return [self._backend.memory(each) if isinstance(each, tensor) else None for each in values]

    def forward(self, arguments: Inputs, layout: answers.Layout = "") -> answers.Forward:
        """Return the outputs of apply and the arguments that it changed.

        `layout` is the memory layout of the arguments.
        """
        answer = answers.blank(answers.Forward)
        with student_errors(answer, "forward"), self._backend.no_grad():
            call = self._call(arguments, [False] * len(arguments), layout)
            before = self._places(call.inputs)
            returned = call.apply(self._work)
            answer["wrapped"] = isinstance(returned, tuple) and self._backend.only_tensors
            answer["dtypes"] = [dtype_name(output) for output in call.outputs]
            answer["outputs"] = [self._backend.array(output) for output in call.outputs]
            answer["changed"] = self._changed(call.inputs, arguments)
            pairs = zip(before, self._places(call.inputs), strict=True)
            answer["moved"] = [position for position, (one, other) in enumerate(pairs) if one != other]
            known = [*call.inputs, *filter(self._backend.is_view, call.outputs)]
            own = [y for y in call.outputs if not any(y is each for each in known)]
            held = [self._backend.memory(output) for output in own]
            answer["shared"] = [
                position for position, one in enumerate(before) if any(shared(one, other) for other in held)
            ]
        return answer

    def vjp(
        self,
        arguments: Inputs,
        requires: Flags,
        cotangents: Inputs,
        all_needed: bool = False,
        layout: answers.Layout = "",
    ) -> answers.Pullback:
        """Return the gradients for the arguments marked in `requires`, and the return value of backward.

        If a cotangent is None, its output is unused. With `all_needed`, ctx.needs_input_grad is true for
        every input. `layout` is the memory layout of inputs and cotangents.
        """
        record = self._record = Record(all_needed=all_needed)
        answer = answers.blank(answers.Pullback)
        answer["gradients"] = [None] * len(arguments)
        seeds = [c if c is None else self._backend.laid_out(c, layout) for c in self._cotangents(cotangents)]
        call = self._call(arguments, requires, layout)
        with watched(answer["disturbed"], **call.named):
            with student_errors(answer, "forward"):
                call.apply(self._recorded)
            if "error" in answer:
                return answer
            before = [self._state(output) for output in call.outputs]
            self._backend.draw(call.inputs)
            generators = self._backend.random_states(call.inputs)
            with student_errors(answer, "backward"):
                answer["gradients"] = call.gradients(seeds)
        answer["saves"], answer["arrived"] = record.saves, record.arrived or []
        # reading an odd tensor may raise; an error of the engine takes precedence
        with student_errors(answer, "backward"):
            if record.returned is not None:
                pairs = zip_longest(record.returned, arguments[: len(record.returned)])
                answer["returned"] = [described(self._backend, value, argument) for value, argument in pairs]
            drawn = self._backend.random_states(call.inputs)
            answer["inputs_changed"] = self._changed(call.tensors, arguments)
            answer["inputs_changed"] += [place for place in drawn if drawn[place] != generators[place]]
            answer["outputs_changed"] = self._places_changed(call.outputs, before)
            answer["cotangents_changed"] = sorted({*self._changed(seeds, cotangents), *record.written})
        return answer

    def gradients(
        self, arguments: Inputs, requires: Flags, cotangents: Inputs, same: Sequence[int] = ()
    ) -> answers.Gradients:
        """Return the gradients only; `vjp` also records the other effects of a call.

        The arguments at the positions `same` are one tensor; each of them gets its whole gradient.
        """
        self._record = Record()
        answer: answers.Gradients = {"gradients": [None] * len(arguments)}
        call = self._call(arguments, requires, same=same)
        with student_errors(answer, "forward"):
            call.apply(self._recorded)
        if "error" not in answer:
            with student_errors(answer, "backward"):
                answer["gradients"] = call.gradients(self._cotangents(cotangents))
        return answer

    def flops(self, arguments: Inputs, requires: Flags, cotangents: Inputs) -> int:
        """Return the number of operations in the matrix products, convolutions and sums of backward."""
        self._record = Record()
        call = self._call(arguments, requires)
        with student_errors({}, "backward"):
            call.apply(self._recorded)
            with self._backend.flops() as flops:
                call.gradients(self._cotangents(cotangents))
            return flops()
        return 0

    def inspect(self, arguments: Inputs, cotangents: Inputs) -> answers.Inspection:
        """Return the facts about a call: see `Inspection`."""
        answer = answers.blank(answers.Inspection)
        with student_errors({}, "forward"):
            self._look_behind(answer, arguments, cotangents)
        with student_errors({}, "forward"):
            answer["leaks"] = leaks(self._backend, lambda: self._called(arguments), self._work)
        if self._autograd_in_code and not answer["autograd"]:
            answer["autograd"] = [self._autograd_in_code]
        return answer

    def intermediates(self, arguments: Inputs, nearby: Inputs) -> list[str]:
        """Return the places on ctx of values that depend on the inputs and are neither input nor output.

        They change after a small step of the arguments to `nearby`.
        """
        with student_errors({}, "forward"):
            once, again, near = (
                others_kept(self._backend, self._called(values), self._work)
                for values in (arguments, arguments, nearby)
            )
            return intermediates(once, again, near)
        return []

    def _look_behind(self, answer: answers.Inspection, arguments: Inputs, cotangents: Inputs) -> None:
        backend = self._backend
        record = self._record = Record(watch=True)
        try:
            call = self._call(arguments)
            states = backend.random_states(call.inputs)
            # before apply: an argument that forward modifies in place gets a new node in the graph
            below = [*call.leaves, *(getattr(g, "grad_fn", None) for g in call.inputs)]
            held = held_outside(backend, self._work, self._named)
            with backend.captured([*call.tensors, *call.inputs]) as captured:
                call.apply(self._recorded)
            drawn = backend.random_states(call.inputs)
            if drawn:  # a second call detects a Function that resets the generator to one state
                call.apply(self._work)
            answer["draws"] = states != drawn != backend.random_states(call.inputs)
            outside = held_outside(backend, self._work, self._named)
            answer["captured"] = [w for w, item, _ in outside.objects if any(item is c for c in captured)]
            answer["requires_grad"] = [output.requires_grad for output in call.outputs]
            answer["same_objects"] = [
                p for p, g in enumerate(call.inputs) if any(g is output for output in call.outputs)
            ]
            answer["foreign_nodes"] = foreign_nodes(backend, call.outputs, self._work, below)
            node = node_of(backend, call.outputs, self._work)
            if node is not None:
                answer["objects_on_ctx"] = objects_on_ctx(backend, node, call.inputs)
                sort_kept(backend, answer, kept_by(backend, node), call)
            count_outside(backend, answer, held, outside, call)
            call.gradients(self._cotangents(cotangents))
        finally:
            answer["autograd"] = list(record.autograd)
            if not backend.inputs_may_be_returned:
                answer["inputs_returned"] = record.inputs_returned
            answer["listed"] = record.listed
            answer["listed_in_backward"] = next(iter(record.lists), "")

    def interleaved(
        self, arguments: Inputs, others: Sequence[Inputs], cotangents: Inputs
    ) -> answers.Interleaved:
        """Run two backward passes over the graph of one call, after later calls on `others`.

        This detects work that stores state elsewhere than on the ctx of the call, removes state from ctx, or
        returns memory that the next call uses again.
        """
        answer = answers.blank(answers.Interleaved)
        with student_errors(answer, "forward"):
            call = self._called(arguments)
            before = [self._state(output) for output in call.outputs]
            for other in others:
                self._called(other)
            answer["outputs_overwritten"] = self._places_changed(call.outputs, before)
        if "error" in answer:
            return answer
        with student_errors(answer, "backward after another call"):
            held = call.gradient_tensors(self._cotangents(cotangents), retain_graph=True)
            answer["first"] = call.spread(held)
        if "error" not in answer:
            with student_errors(answer, "a second backward over the same graph"):
                answer["second"] = call.gradients(self._cotangents(cotangents), retain_graph=True)
        if "error" not in answer:
            with student_errors(answer, "another call of the same kind"):
                opposite = [None if c is None else -2.0 * np.asarray(c) for c in cotangents]
                places = spread_tensors(held, call.requires)
                states = [None if gradient is None else self._state(gradient) for gradient in places]
                self._called(arguments).gradients(self._cotangents(opposite))
                answer["gradients_overwritten"] = self._places_changed(places, states)
        return answer

    def after_a_step(self, arguments: Inputs, later: Inputs, cotangents: Inputs) -> answers.AfterAStep:
        """Return the results of a second call on the same tensors, which then hold the values `later`.

        An optimiser changes its parameters in this way. A value that a call stored for a tensor is then
        outdated.
        """
        answer = answers.blank(answers.AfterAStep)
        answer["gradients"] = [None] * len(arguments)
        with student_errors(answer, "forward"):
            with generators_watched(answer["generators"]):
                call = self._called(arguments)
                call.gradients(self._cotangents(cotangents))
            call.overwrite(later)
            call.apply(self._work)
            answer["outputs"] = [self._backend.array(output) for output in call.outputs]
        if "error" not in answer:
            with student_errors(answer, "backward"):
                answer["gradients"] = call.gradients(self._cotangents(cotangents))
        return answer

    def higher_vjp(
        self,
        arguments: Inputs,
        requires: Flags,
        cotangents: Inputs,
        directions: Sequence[Inputs],
        supposition: answers.Supposition = "",
    ) -> answers.HigherPullback:
        """Differentiate the pullback once per direction; a direction has one entry per argument.

        A supposition is a change to the student's backward, or one of these: all tensors are "strided" (see
        `vjpcheck.ask.answers.Layout`); another call, differentiated as often, comes "between" the
        derivatives; or the cotangents are "constant", as behind `y.sum()`: they do not require grad.
        """
        answer, scratch = answers.blank(answers.HigherPullback), answers.blank(answers.HigherPullback)
        answer["for_arguments"], answer["for_cotangents"] = [None] * len(arguments), [None] * len(cotangents)
        seeds = self._cotangents(cotangents, requires_grad=supposition != "constant")
        # once_differentiable checks whether the cotangents require grad
        along = [self._cotangents(direction, requires_grad=True) for direction in directions]
        pull = pull_of(self._backend, self._work, self._copied, supposition, answer)
        with student_errors(answer, "backward, differentiated a second time"):
            tensors = as_tensors(self._backend, arguments, requires)
            if supposition == "strided":
                tensors, seeds, *along = (
                    [t if t is None else self._backend.laid_out(t, "strided") for t in each]
                    for each in (tensors, seeds, *along)
                )

            def another() -> None:
                near = [np.asarray(0.99 * cast(np.ndarray, a)) if differentiable(a) else a for a in arguments]
                others = as_tensors(self._backend, near, requires)
                refused: dict[str, Any] = {}
                with student_errors(refused, "forward"):
                    self._backend.apply(self._work, *self._copied(others))
                if not refused:  # a Function without a specification may refuse these numbers
                    differentiate(self._backend, pull, others, requires, seeds, along, scratch)

            between = another if supposition == "between" else None
            differentiate(self._backend, pull, tensors, requires, seeds, along, answer, supposition, between)
            pairs = [(tensors, arguments), (seeds, cotangents), *zip(along, directions, strict=True)]
            answer["written"] = any(self._changed(held, plain) for held, plain in pairs)
        return answer

    def without_cotangent(self, arguments: Inputs) -> answers.WithoutCotangent:
        """Run a backward pass in which no output has a cotangent, as gradcheck does at its end."""
        answer = answers.blank(answers.WithoutCotangent)
        with student_errors(answer, "backward without a cotangent"):
            call = self._called(arguments)
            gradients = call.spread(self._backend.grad_without_cotangents(call.outputs, call.leaves))
            for position, gradient in enumerate(gradients):
                if gradient is not None:
                    found = answer["arrives" if gradient.any() else "zeros"]
                    (found if np.isfinite(gradient).all() else answer["not_finite"]).append(position)
        return answer

    def descend(self, arguments: Inputs, position: int, target: np.ndarray, steps: int) -> answers.Descent:
        """Run steps of gradient descent in one argument, towards a target for the first output."""
        requires = [place == position for place in range(len(arguments))]
        answer: answers.Descent = {"end": np.array(arguments[position])}
        here = [*arguments]
        with student_errors(answer, "a step of gradient descent"):
            for _ in range(steps):
                call = self._call(here, requires)
                call.apply(self._work)
                away = self._backend.array(call.outputs[0]) - target
                squared_error = self._cotangents([2 * away / away.size])  # the mean's gradient
                gradient = call.gradients(squared_error)[position]
                answer["end"] = here[position] = answer["end"] - (0.0 if gradient is None else gradient)
        return answer

    def declared(self) -> answers.Declared:
        """Return the static methods that the Function itself defines."""
        library = self._backend.function_class

        def own(name: str) -> bool:
            return getattr(self._work, name, None) is not getattr(library, name, None)

        return {
            "setup_context": own("setup_context"),
            "generate_vmap_rule": bool(getattr(self._work, "generate_vmap_rule", False)),
            "vmap": own("vmap"),
            "vmap_calls_forward": _calls_forward(getattr(self._work, "vmap", None)),
            "jvp": own("jvp"),
        }

    def signature(self) -> answers.Signature:
        """Return the parameters of forward without ctx; nothing if Python cannot determine them."""
        answer: answers.Signature = answers.blank(answers.Signature) | {"further": "input"}
        with student_errors({}, "forward"):
            parameters = [*inspect.signature(self._work.forward).parameters.values()]
            own = self._work.setup_context is not self._backend.function_class.setup_context
            positional = [p for p in parameters[0 if own else 1 :] if p.kind is not p.KEYWORD_ONLY]
            single = [p for p in positional if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
            answer["names"] = [p.name for p in single]
            answer["required"] = sum(p.default is p.empty for p in single)
            answer["further"] = next((p.name for p in positional if p.kind is p.VAR_POSITIONAL), "")
        return answer

    def transform(
        self, name: str, point: Sequence[np.ndarray], layout: answers.Layout = ""
    ) -> answers.Transformed:
        """Return the result of a transform of the first output: see `vjpcheck.probe.transforms`."""
        answer = answers.blank(answers.Transformed)
        with student_errors(answer, name):
            function = partial(self._backend.apply, self._work)
            answer["output"] = self._backend.transform(name, function, point, layout)
        return answer

    def tangents(self, arguments: Inputs, directions: Inputs) -> answers.Tangents:
        """Return the tangents of all outputs, computed with dual numbers.

        Each direction is the tangent of an argument, or None.
        """
        answer = answers.blank(answers.Tangents)
        with student_errors(answer, "jvp"):
            point = self._copied(as_tensors(self._backend, arguments, [False] * len(arguments)))
            along = self._cotangents(directions)
            answer["outputs"] = self._backend.tangents(partial(self._backend.apply, self._work), point, along)
            answer["written"] = self._changed(along, directions)
        return answer


def defines_apply(work: type, function: type) -> bool:
    """Return whether a subclass of the library's Function, or its metaclass, defines apply."""
    below = [owner for owner in work.__mro__ if owner not in function.__mro__]
    metaclass: Any = type(work)
    return any("apply" in vars(owner) for owner in (*below, *metaclass.__mro__))


def _calls_forward(method: Any) -> bool:
    names = _names(getattr(method, "__code__", None))
    return "forward" in names and "apply" not in names


def _names(code: Any) -> set[str]:
    """Return the names in code and in what it contains, as a comprehension before Python 3.12."""
    if not isinstance(code, CodeType):
        return set()
    return {*code.co_names}.union(*map(_names, code.co_consts))


def _is_of_torch(work: type) -> bool:
    return any(base.__module__.startswith("torch.") for base in work.__mro__)

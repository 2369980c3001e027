"""Derivatives of a student's pullback, and what they would be if nothing had left the graph.

Runs beside the student's code and knows no truth. The suppositions are for naming a cause: they are
tried only once the derivatives are known to be wrong.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, Literal, NotRequired, TypedDict

import numpy as np
import torch
from torch.autograd import Function
from torch.overrides import TorchFunctionMode

from autograder.errors import StudentError
from autograder.function import engine_runs
from autograder.function.tensors import Flags, spread, spread_tensors

Tensors = Sequence[torch.Tensor | None]
Pull = Callable[[Sequence[Any], Flags, Tensors], Tensors]
Given = Callable[[Sequence[Any]], list[Any]]
Supposition = Literal["", "nothing detached", "forward recorded"]

# of the calls in backward that leave the graph, how a student would write them
DETACHING: dict[Any, str] = {
    torch.Tensor.detach: ".detach()",
    torch.detach: ".detach()",
    torch.Tensor.detach_: ".detach_()",
    vars(torch.Tensor.__base__)["data"].__get__: ".data",
}
TO_NUMPY: set[Any] = {torch.Tensor.numpy, torch.Tensor.__array__}

_OURS = str(Path(__file__).parents[1])
_TORCH = str(Path(torch.__file__).parent)
_APPLY = Function.apply.__func__.__code__  # type: ignore[attr-defined]


class HigherPullback(TypedDict):
    """The gradient of the last inner product, for every argument and every cotangent.

    `declared_once` says that backward is marked `once_differentiable`. Under a supposition, `detaching` are
    the calls in backward that would have left the graph, `numpy` says whether a tensor went to NumPy there,
    and `kept` names what forward left for backward that is neither an input nor an output. `written` says
    that the arguments or the cotangents have other values afterwards.
    """

    for_arguments: list[np.ndarray | None]
    for_cotangents: list[np.ndarray | None]
    declared_once: bool
    detaching: list[str]
    numpy: bool
    kept: list[str]
    written: bool
    error: NotRequired[StudentError]


def differentiate(
    pull: Pull,
    tensors: Sequence[Any],
    requires: Flags,
    given: Tensors,
    directions: Sequence[Tensors],
    answer: HigherPullback,
) -> None:
    """Differentiate the inner product of the pullback with the first directions, and so on; fill the answer.

    The error node of `once_differentiable` is looked for in the graph, as `allow_unused` walks past it.
    """
    wanted = [tensor for tensor, flag in zip(tensors, requires, strict=True) if flag]
    flags = [cotangent is not None for cotangent in given]
    targets = [*wanted, *(cotangent for cotangent in given if cotangent is not None)]
    gradients = pull(tensors, requires, given)
    for order, direction in enumerate(directions, start=2):
        live = [
            (gradient, along)
            for gradient, along in zip(gradients, direction, strict=True)
            if gradient is not None and gradient.requires_grad and along is not None
        ]
        answer["declared_once"] = any(has_error_node(gradient) for gradient, _ in live)
        if not live or answer["declared_once"]:
            return
        last = order == len(directions) + 1
        found = engine_runs.grad(
            [gradient for gradient, _ in live],
            targets,
            [along for _, along in live],
            create_graph=not last,
            allow_unused=True,
        )
        gradients = spread_tensors(found[: len(wanted)], requires)
    answer["for_arguments"] = spread(found[: len(wanted)], requires)
    answer["for_cotangents"] = spread(found[len(wanted) :], flags)


def has_error_node(gradient: torch.Tensor) -> bool:
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


def pull_of(work: type[Function], given_for: Given, supposition: Supposition, answer: HigherPullback) -> Pull:
    """Return the pullback of the student's Function, as it is or under a supposition.

    `given_for` says what apply is called with for given leaves.
    """
    if supposition == "forward recorded":
        return _recorded(work, given_for, answer)
    function = _attached(work, answer) if supposition else work

    def pull(tensors: Sequence[Any], requires: Flags, given: Tensors) -> Tensors:
        returned = function.apply(*given_for(tensors))
        outputs = returned if isinstance(returned, tuple) else (returned,)
        used = [(y, c) for y, c in zip(outputs, given, strict=False) if c is not None]
        wanted = [tensor for tensor, flag in zip(tensors, requires, strict=True) if flag]
        found = engine_runs.grad(
            [y for y, _ in used], wanted, [c for _, c in used], create_graph=True, allow_unused=True
        )
        return spread_tensors(found, requires)

    return pull


class _Attached(TorchFunctionMode):
    """Lets nothing that the student's own lines do leave the graph, and notes what would have."""

    def __init__(self, answer: HigherPullback) -> None:
        super().__init__()
        self._answer = answer

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        known = func in DETACHING or func in TO_NUMPY or func is torch._C._set_grad_enabled
        if not known or not _called_by_the_student(sys._getframe(1)):
            return func(*args, **(kwargs or {}))
        if func in TO_NUMPY:
            self._answer["numpy"] = True
            return func(args[0].detach(), *args[1:], **(kwargs or {}))
        if func in DETACHING:
            self._answer["detaching"].append(DETACHING[func])
            return args[0].clone()
        if args[0]:
            return func(*args)
        self._answer["detaching"].append("no_grad")
        return None


def _called_by_the_student(frame: FrameType | None) -> bool:
    """Return whether a line of the student's asks for it, outside any other Function's forward."""
    nearest = ""
    while frame is not None:
        filename = frame.f_code.co_filename
        if frame.f_code is _APPLY:
            return False  # inside forward, autograd records nothing anyway
        if filename == __file__:
            break
        if not nearest and not filename.startswith(_TORCH):
            nearest = filename
        frame = frame.f_back
    return not nearest.startswith(_OURS)  # nothing in between: a decorator of PyTorch's on backward itself


@contextmanager
def _nothing_detached(answer: HigherPullback) -> Iterator[None]:
    with torch.set_grad_enabled(torch.is_grad_enabled()), _Attached(answer):
        yield


def _attached(work: type[Function], answer: HigherPullback) -> type[Function]:
    name, original = _backward(work)

    def attached(ctx: Any, *cotangents: Any) -> Any:
        with _nothing_detached(answer):
            return original(ctx, *cotangents)

    subclass: type[Function] = types.new_class(
        work.__name__, (work,), exec_body=lambda body: body.update({name: staticmethod(attached)})
    )
    return subclass


def _backward(work: type[Function]) -> tuple[str, Callable[..., Any]]:
    name = "backward" if work.vjp is Function.vjp else "vjp"  # PyTorch allows either name
    return name, getattr(work, name)


class _Context:
    """Stands for ctx where forward is recorded by autograd like any other code."""

    def __init__(self, needs_input_grad: tuple[bool, ...]) -> None:
        self.needs_input_grad = needs_input_grad
        self.saved_tensors: tuple[Any, ...] = ()
        self.materialize = True

    def save_for_backward(self, *tensors: Any) -> None:
        self.saved_tensors = tensors

    def set_materialize_grads(self, value: bool) -> None:
        self.materialize = value

    def save_for_forward(self, *tensors: Any) -> None:
        pass

    mark_dirty = mark_non_differentiable = save_for_forward


def _recorded(work: type[Function], given_for: Given, answer: HigherPullback) -> Pull:
    """Return the pullback in which backward knows how forward computed what it left on ctx."""
    _, backward = _backward(work)

    def pull(tensors: Sequence[Any], requires: Flags, given: Tensors) -> Tensors:
        ctx = _Context(tuple(requires))
        with _nothing_detached(answer):
            arguments = given_for(tensors)
            if work.setup_context is Function.setup_context:
                returned: Any = work.forward(ctx, *arguments)
            else:
                returned = work.forward(*arguments)
                work.setup_context(ctx, tuple(arguments), returned)
            outputs = returned if isinstance(returned, tuple) else (returned,)
            answer["kept"] = list(_kept(ctx, [*arguments, *outputs]))
            cotangents = [*given, *[None] * len(outputs)][: len(outputs)]
            if ctx.materialize:
                cotangents = [
                    torch.zeros_like(y) if c is None else c for y, c in zip(outputs, cotangents, strict=True)
                ]
            found = backward(ctx, *cotangents)
        gradients = found if isinstance(found, tuple) else (found,)
        return [g if flag else None for g, flag in zip(gradients, requires, strict=False)]

    return pull


def _kept(ctx: _Context, known: Sequence[Any]) -> Iterator[str]:
    for name, value in vars(ctx).items():
        held = value if isinstance(value, (tuple, list)) else (value,)
        if any(
            isinstance(t, torch.Tensor) and t.requires_grad and all(t is not other for other in known)
            for t in held
        ):
            yield name

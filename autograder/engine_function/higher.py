"""Derivatives of a student's pullback, and what they would be if nothing had left the engine's graph."""

from __future__ import annotations

import functools
import sys
import types
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from autograder.engine_function.tensors import Flags, spread, spread_tensors
from autograder.errors import is_students
from course.engine import Function, Node, Tensor, grad, node, once_differentiable
from course.engine.node import recording

if TYPE_CHECKING:
    from autograder.function.higher import HigherPullback


def differentiate(
    work: type[Function],
    tensors: Sequence[Any],
    requires: Flags,
    cotangent: Tensor,
    directions: Sequence[Sequence[Tensor | None]],
    answer: HigherPullback,
) -> None:
    """Differentiate the inner product of the pullback with the first directions, and so on."""
    wanted = [tensor for tensor, flag in zip(tensors, requires, strict=True) if flag]
    output = work.apply(*tensors)
    output = output[0] if isinstance(output, tuple) else output
    found = grad(output, wanted, cotangent, create_graph=True, allow_unused=True)
    gradients = spread_tensors(found, requires)
    for order, direction in enumerate(directions, start=2):
        live = [
            (gradient, along)
            for gradient, along in zip(gradients, direction, strict=True)
            if gradient is not None and gradient.requires_grad and along is not None
        ]
        answer["declared_once"] = any(_declared_once(gradient) for gradient, _ in live)
        if not live or answer["declared_once"]:
            return
        found = grad(
            [gradient for gradient, _ in live],
            [*wanted, cotangent],
            [along for _, along in live],
            create_graph=order <= len(directions),
            allow_unused=True,
        )
        gradients = spread_tensors(found[: len(wanted)], requires)
    answer["for_arguments"] = spread(found[: len(wanted)], requires)
    answer["for_cotangents"] = spread(found[len(wanted) :], [True])


class _Declared(Function):
    """A Function whose backward is declared once differentiable, to learn what that looks like in a graph."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Any:
        return x * 1.0

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> Tensor:
        return gradient


@functools.cache
def _error_node() -> type[Node]:
    """Return the class of the node that `once_differentiable` puts above a gradient."""
    x = Tensor(1.0, requires_grad=True)
    (gradient,) = grad(_Declared.apply(x), x, create_graph=True)
    assert gradient is not None
    return type(gradient.grad_fn)


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


def attached(work: type[Function], answer: HigherPullback) -> type[Function]:
    """Return the Function with a backward in which no line of the student leaves the graph."""
    original: Callable[..., Any] = work.backward

    def backward(ctx: Any, *cotangents: Any) -> Any:
        with _nothing_detached(answer):
            return original(ctx, *cotangents)

    subclass: Any = types.new_class(work.__name__, (work,))
    subclass.backward = staticmethod(backward)
    attached_class: type[Function] = subclass
    return attached_class


@contextmanager
def _nothing_detached(answer: HigherPullback) -> Iterator[None]:
    """Note what leaves the graph, detach() and no_grad() being without effect and `.data` being read."""
    data: Any = vars(Tensor)["data"]
    detach, no_record = Tensor.detach, node.recording

    def kept(tensor: Tensor) -> Any:
        if not is_students(sys._getframe(1)):
            return detach(tensor)
        answer["detaching"].append(".detach()")
        return tensor * 1.0

    def still_recording(on: bool) -> Any:  # what no_grad() calls
        if not on:
            answer["detaching"].append("no_grad")
        return no_record(True)

    def read(tensor: Tensor) -> Any:
        if is_students(sys._getframe(1)):
            answer["numpy"] = True
        return data.__get__(tensor)

    with recording(node.mode.recording):
        setattr(Tensor, "detach", kept)  # noqa: B010 - a method of the engine, for the time of one backward
        setattr(Tensor, "data", property(read, data.__set__))  # noqa: B010
        setattr(node, "recording", still_recording)  # noqa: B010
        try:
            yield
        finally:
            setattr(Tensor, "detach", detach)  # noqa: B010
            setattr(Tensor, "data", data)  # noqa: B010
            setattr(node, "recording", no_record)  # noqa: B010

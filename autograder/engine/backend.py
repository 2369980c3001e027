"""The course's engine as a backend of vjpcheck: the only module of a check that reads its internals."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from types import FrameType
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np

from course.engine import Function, Node, Tensor, grad, once_differentiable
from course.engine import recording as recorder
from course.engine.core import propagate
from course.engine.function import Context, FunctionNode
from vjpcheck.arguments import floating
from vjpcheck.errors import is_students, students_line
from vjpcheck.probe.saved_state import array_memory

if TYPE_CHECKING:
    from vjpcheck.arguments import Argument
    from vjpcheck.ask.answers import HigherPullback, Layout
    from vjpcheck.probe.backend import Memory

_APPLY: Callable[..., Any] = vars(Function)["apply"].__func__


class EngineBackend:
    """`vjpcheck.probe.backend.Backend` for course.engine.Function.

    The engine is written in Python, so a profiler sees each of its backward passes.
    """

    name = "course.engine.Function"
    function_class: type[Any] = Function
    context_class: type[Any] = Context
    tensor_class: type[Any] = Tensor
    only_tensors = True
    inputs_may_be_returned = True

    def __init__(self) -> None:
        self._observed: WeakKeyDictionary[type[Any], Callable[..., Any]] = WeakKeyDictionary()

    def argument(self, value: Argument, requires_grad: bool = False) -> Any:
        """Return a Tensor for an array of floats; an array of integers stays an array, as it is an index."""
        if floating(value):
            return Tensor(value, requires_grad=requires_grad)
        return value.copy() if isinstance(value, np.ndarray) else value

    def laid_out(self, value: Any, layout: Layout) -> Any:
        """Return a leaf whose array has gaps and columns in memory order, like a transposed and sliced one.

        Its `ravel` or `reshape` returns a copy.
        """
        if layout != "strided" or not isinstance(value, Tensor) or np.ndim(value.data) == 0:
            return value
        turned = [*reversed(range(value.ndim)), value.ndim]
        doubled = np.stack([value.data + 1, value.data], -1).transpose(turned)
        placed = Tensor(value.data, requires_grad=value.requires_grad)
        placed.data = np.ascontiguousarray(doubled).transpose(turned)[..., 1]
        return placed

    def array(self, tensor: Tensor) -> np.ndarray:
        """Return a copy of the values."""
        return np.array(tensor.data)

    def write(self, tensor: Tensor, array: np.ndarray) -> None:
        """Replace the data of a tensor, as `w.data -= step` does for a number."""
        tensor.data = Tensor(array).data

    def version(self, tensor: Tensor) -> int:
        """Return 0: the engine does not count writes to `.data`."""
        return 0

    def is_view(self, tensor: Tensor) -> bool:
        """Return True: the engine knows no views, so that sharing memory is no mistake."""
        return True

    def memory(self, value: Any) -> Memory | None:
        """Return the buffer of an array; a number has its object's id, as it cannot be changed."""
        data = value.data if isinstance(value, Tensor) else value
        return array_memory(data) if isinstance(data, np.ndarray) else (id(data), 8)

    def random_states(self, arguments: Sequence[Any]) -> dict[int, bytes]:
        """Return an empty dict: the engine has no generators."""
        return {}

    def draw(self, arguments: Sequence[Any]) -> None:
        """Do nothing."""

    def no_grad(self) -> AbstractContextManager[None]:
        """Record nothing inside a `with` block."""
        return recorder.recording(False)

    def grad(
        self,
        outputs: Sequence[Any],
        inputs: Sequence[Any],
        cotangents: Sequence[Any],
        create_graph: bool = False,
        retain_graph: bool | None = None,
    ) -> Sequence[Any]:
        """Run the engine's backward pass."""
        return grad(outputs, inputs, cotangents, retain_graph, create_graph, allow_unused=True)

    def grad_without_cotangents(self, outputs: Sequence[Any], inputs: Sequence[Any]) -> Sequence[Any]:
        """Return None for each input: the engine runs no node without a cotangent."""
        return [None] * len(inputs)

    def backward_name(self, work: type[Any]) -> str:
        """Return `backward`, the only name."""
        return "backward"

    def function_of(self, node: Node) -> type[Any] | None:
        """Return the Function that made a node."""
        return node.operation if isinstance(node, FunctionNode) else None

    def attributes(self, node: FunctionNode) -> dict[str, Any]:
        """Return the dict of the node's ctx."""
        return vars(node.ctx)

    def is_error_node(self, node: Node) -> bool:
        """Return whether a node is of the class that `once_differentiable` puts into a graph."""
        return isinstance(node, _error_node())

    def apply(self, work: Any, *arguments: Any) -> Any:
        """Call the engine's apply, or the observed one after `observe_context`."""
        return self._observed.get(work, _APPLY)(work, *arguments)

    def observe_context(
        self,
        work: Any,
        on_save: Callable[[], None],
        on_mark_dirty: Callable[[Sequence[Any]], None],
        all_needed: Callable[[], bool],
    ) -> None:
        """Replace a method of Context while apply runs, as all Functions share that class."""
        backward: Callable[..., Any] = work.backward
        save = Context.save_for_backward

        def saving(ctx: Any, *tensors: Any) -> None:
            on_save()
            save(ctx, *tensors)

        def observed_apply(cls: Any, *arguments: Any) -> Any:
            setattr(Context, "save_for_backward", saving)  # noqa: B010 - a method of the engine
            try:
                return _APPLY(cls, *arguments)
            finally:
                setattr(Context, "save_for_backward", save)  # noqa: B010

        def observed_backward(ctx: Any, *cotangents: Any) -> Any:
            needed = ctx.needs_input_grad
            ctx.needs_input_grad = (True,) * len(needed) if all_needed() else needed
            try:
                return backward(ctx, *cotangents)
            finally:
                ctx.needs_input_grad = needed

        self._observed[work], work.backward = observed_apply, staticmethod(observed_backward)

    @contextmanager
    def captured(self, arguments: Sequence[Any]) -> Iterator[list[Any]]:
        """Yield an empty list: the engine captures no tensors."""
        yield []

    @contextmanager
    def nothing_detached(self, answer: HigherPullback) -> Iterator[None]:
        """Disable detach() and no_grad(), and note reads of `.data`."""
        data: Any = vars(Tensor)["data"]
        detach, recording = Tensor.detach, recorder.recording

        def attached(tensor: Tensor) -> Any:
            if not is_students(sys._getframe(1)):
                return detach(tensor)
            answer["detaching"].append(".detach()")
            return tensor * 1.0

        def still_recording(on: bool) -> Any:  # no_grad() calls it
            if not on:
                answer["detaching"].append("no_grad")
            return recording(True)

        def read(tensor: Tensor) -> Any:
            # forward of another Function may use NumPy, as it records nothing
            if recorder.mode.recording and is_students(sys._getframe(1)):
                answer["numpy"] = True
            return data.__get__(tensor)

        with recording(recorder.mode.recording):
            setattr(Tensor, "detach", attached)  # noqa: B010 - a method of the engine, for one backward
            setattr(Tensor, "data", property(read, data.__set__))  # noqa: B010
            setattr(recorder, "recording", still_recording)  # noqa: B010
            try:
                yield
            finally:
                setattr(Tensor, "detach", detach)  # noqa: B010
                setattr(Tensor, "data", data)  # noqa: B010
                setattr(recorder, "recording", recording)  # noqa: B010

    def inputs_moved(self, inputs: Sequence[Any]) -> AbstractContextManager[None]:
        """Do nothing: no exercise for the engine asks for it."""
        return nullcontext()

    @contextmanager
    def flops(self) -> Iterator[Callable[[], int]]:
        """Yield a function that returns 0: the engine does not count operations."""
        yield int

    def functions_called(self, names: list[str]) -> AbstractContextManager[None]:
        """Note nothing: no exercise for the engine asks for it."""
        return nullcontext()

    def autograd_in_code(self, work: type[Any]) -> str:
        """Return '': no backward pass of the engine can hide from `watching`."""
        return ""

    @contextmanager
    def watching(self, lines: list[str], lists: list[str], inputs: Sequence[Any] = ()) -> Iterator[None]:
        """Profile the block for backward passes, of a graph or of a single node."""
        derived = {propagate.__code__, Node.__call__.__code__}

        def notice(frame: FrameType, event: str, _: Any) -> None:
            if event == "call" and frame.f_code in derived:
                lines.append(students_line(frame))

        profiler = sys.getprofile()
        sys.setprofile(notice)
        try:
            yield
        finally:
            sys.setprofile(profiler)

    def transform(
        self, name: str, function: Callable[[Any], Any], point: Sequence[np.ndarray], layout: Layout = ""
    ) -> np.ndarray:
        """Raise KeyError: the engine has no transforms."""
        raise KeyError(name)

    def tangents(
        self, function: Callable[..., Any], tensors: Sequence[Any], directions: Sequence[Any]
    ) -> list[np.ndarray | None]:
        """Raise NotImplementedError: the engine has no forward mode."""
        raise NotImplementedError


class _Declared(Function):
    """A Function whose backward is once differentiable: its graph shows the class of the error node."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Any:
        return x * 1.0

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> Tensor:
        return gradient


@functools.cache
def _error_node() -> type[Node]:
    x = Tensor(1.0, requires_grad=True)
    (gradient,) = grad(_Declared.apply(x), x, create_graph=True)
    assert gradient is not None
    return type(gradient.grad_fn)


BACKEND = EngineBackend()

"""Differentiates a student's pullback, also under suppositions such as that nothing is detached.

It runs the student's code and has no access to the truth. The suppositions serve to name a cause: they are
used only if the derivatives are wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from typing import Any
from unittest.mock import patch

from vjpcheck.ask.answers import HigherPullback, Supposition
from vjpcheck.probe.backend import Backend
from vjpcheck.probe.conversion import Flags, spread, spread_tensors, used_outputs, zeros_like

Tensors = Sequence[Any]  # or None
Pull = Callable[[Sequence[Any], Flags, Tensors], Tensors]
Prepare = Callable[[Sequence[Any]], list[Any]]


def differentiate(
    backend: Backend,
    pull: Pull,
    tensors: Sequence[Any],
    requires: Flags,
    cotangents: Tensors,
    directions: Sequence[Tensors],
    answer: HigherPullback,
    supposition: Supposition = "",
    between: Callable[[], None] | None = None,
) -> None:
    """Differentiate the inner products of the pullback with each direction in turn, and fill the answer.

    `between` is called after each differentiation except the last, which then runs twice over the same graph.

    With "inputs moved", the elementary functions are recorded. "nothing detached" also holds for further
    Functions that backward calls. The error node of `once_differentiable` is searched for in the graph,
    because autograd with `allow_unused` skips it.
    """
    leaves = [tensor for tensor, flag in zip(tensors, requires, strict=True) if flag]
    flags = [cotangent is not None for cotangent in cotangents]
    live_cotangents = [c for c in cotangents if c is not None and c.requires_grad]
    targets = [*leaves, *live_cotangents]
    gradients = pull(tensors, requires, cotangents)
    if between is not None:
        between()
    for order, direction in enumerate(directions, start=2):
        live = [
            (gradient, along)
            for gradient, along in zip(gradients, direction, strict=True)
            if gradient is not None and gradient.requires_grad and along is not None
        ]
        nodes = _nodes([gradient for gradient, _ in live])
        answer["declared_once"] = any(map(backend.is_error_node, nodes))
        if not live or answer["declared_once"]:
            return
        functions = {function for node in nodes if (function := backend.function_of(node)) is not None}
        answer["functions_behind"] = sorted({function.__name__ for function in functions})
        last = order == len(directions) + 1
        with _supposed(backend, supposition, functions, answer):
            ends, seeds = [gradient for gradient, _ in live], [along for _, along in live]
            if last and between is not None:
                backend.grad(ends, targets, seeds, retain_graph=True)
            grads = backend.grad(ends, targets, seeds, create_graph=not last)
        gradients = spread_tensors(grads[: len(leaves)], requires)
        if not last and between is not None:
            between()
    answer["for_arguments"] = spread(backend, grads[: len(leaves)], requires)
    if live_cotangents:
        answer["for_cotangents"] = spread(backend, grads[len(leaves) :], flags)


def has_error_node(backend: Backend, gradient: Any) -> bool:
    """Return whether the graph of a gradient contains the error node of `once_differentiable`."""
    return any(map(backend.is_error_node, _nodes([gradient])))


def _nodes(gradients: Sequence[Any]) -> set[Any]:
    """Return all nodes in the graph of some gradients."""
    nodes = {gradient.grad_fn for gradient in gradients} - {None}
    waiting = [*nodes]
    while waiting:
        for node, _ in waiting.pop().next_functions:
            if node is not None and node not in nodes:
                nodes.add(node)
                waiting.append(node)
    return nodes


def pull_of(
    backend: Backend, work: type[Any], prepare: Prepare, supposition: Supposition, answer: HigherPullback
) -> Pull:
    """Return the pullback of the student's Function, as it is or under a supposition.

    `prepare` returns what apply is called with for some leaves.
    """
    if supposition == "forward recorded":
        return _recorded(backend, work, prepare, answer)
    moved = supposition == "inputs moved"

    def pull(tensors: Sequence[Any], requires: Flags, seeds: Tensors) -> Tensors:
        arguments = prepare(tensors)
        with backend.inputs_moved(arguments) if moved else nullcontext():
            returned = backend.apply(work, *arguments)
        outputs = returned if isinstance(returned, tuple) else (returned,)
        used, cotangents = used_outputs(outputs, seeds)
        leaves = [tensor for tensor, flag in zip(tensors, requires, strict=True) if flag]
        with _supposed(backend, supposition, [work], answer):
            grads = backend.grad(used, leaves, cotangents, create_graph=True)
        return spread_tensors(grads, requires)

    return pull


def _supposed(
    backend: Backend, supposition: Supposition, functions: Collection[type[Any]], answer: HigherPullback
) -> AbstractContextManager[None]:
    """Return the context of a supposition for a derivative through these Functions."""
    if supposition == "inputs moved":
        return backend.functions_called(answer["functions"])
    if supposition == "nothing detached":
        return _attached(backend, functions, answer)
    return nullcontext()


@contextmanager
def _attached(backend: Backend, functions: Collection[type[Any]], answer: HigherPullback) -> Iterator[None]:
    """Let the backward of these Functions detach nothing."""

    def attached(original: Callable[..., Any]) -> Any:
        def backward(ctx: Any, *cotangents: Any) -> Any:
            with backend.nothing_detached(answer):
                return original(ctx, *cotangents)

        return staticmethod(backward)

    with ExitStack() as changed:
        for function in functions:
            name = backend.backward_name(function)
            changed.enter_context(patch.object(function, name, attached(getattr(function, name))))
        yield


class _Context:
    """Replaces ctx when autograd records forward like any other code."""

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


def _recorded(backend: Backend, work: type[Any], prepare: Prepare, answer: HigherPullback) -> Pull:
    """Return the pullback for which the graph contains the computation of the values on ctx."""
    backward: Callable[..., Any] = getattr(work, backend.backward_name(work))

    def pull(tensors: Sequence[Any], requires: Flags, seeds: Tensors) -> Tensors:
        ctx = _Context(tuple(requires))
        with backend.nothing_detached(answer):
            arguments = prepare(tensors)
            if work.setup_context is backend.function_class.setup_context:
                returned: Any = work.forward(ctx, *arguments)
            else:
                returned = work.forward(*arguments)
                work.setup_context(ctx, tuple(arguments), returned)
            outputs = returned if isinstance(returned, tuple) else (returned,)
            answer["kept"] = list(_kept(backend, ctx, [*arguments, *outputs]))
            cotangents = [*seeds, *[None] * len(outputs)][: len(outputs)]
            if ctx.materialize:
                cotangents = [
                    zeros_like(backend, y) if c is None else c
                    for y, c in zip(outputs, cotangents, strict=True)
                ]
            grads = backward(ctx, *cotangents)
        gradients = grads if isinstance(grads, tuple) else (grads,)
        return [g if flag else None for g, flag in zip(gradients, requires, strict=False)]

    return pull


def _kept(backend: Backend, ctx: _Context, known: Sequence[Any]) -> Iterator[str]:
    for name, value in vars(ctx).items():
        held = value if isinstance(value, (tuple, list)) else (value,)
        if any(
            isinstance(t, backend.tensor_class) and t.requires_grad and all(t is not other for other in known)
            for t in held
        ):
            yield name

"""Reverse accumulation: adjoints travel from the outputs to the leaves, each node visited once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from operator import attrgetter
from typing import Any

import numpy as np

from course.engine.node import Node, mode, recording
from course.engine.operation import BinaryNode
from course.engine.saved import FREED, changes, check_unchanged
from course.engine.tensor import Tensor, adjoint_of, attach, tensor_of
from course.engine.values import ieee


def propagate(
    seeds: Sequence[tuple[Node, Any]], wanted: Collection[Node] | None, retain_graph: bool
) -> dict[Node, Any]:
    """Send adjoints down from the seeds; return those of nodes wanted, or fill all leaves' `.grad`.

    A node runs when all that used its output have run: in falling order of creation that is always so.
    Adjoints are plain values, or Tensors while mode.recording is on: then the pass itself leaves a graph.
    """
    waiting = object()  # the adjoint of a node that this pass will visit and that nothing has reached yet
    caught: dict[Node, Any] = {}
    order: list[Node] = []
    sums: set[Node] = set()  # whose adjoints are arrays made here, into which more can be added in place
    try:
        collect([node for node, _ in seeds], waiting, order)
        if wanted is not None:
            for node in order:  # operands come before what uses them
                if node not in wanted and not leads_on(node):
                    node.adjoint = None
        for node, seed in seeds:
            if node.adjoint is not None:
                node.adjoint = seed if node.adjoint is waiting else node.adjoint + seed
        while order:
            node = order.pop()
            adjoint, node.adjoint = node.adjoint, None
            if adjoint is waiting or adjoint is None:
                continue
            if node.hooks is not None:
                adjoint = call_before(node, adjoint)
            if wanted is not None and node in wanted:
                caught[node] = adjoint
                if not leads_on(node):
                    continue
            for parent, gradient in contributions(node, adjoint):
                if parent is None or gradient is None or parent.adjoint is None:
                    continue  # a constant, or nothing that is wanted lies there
                like = parent.output
                plain = gradient.data if type(gradient) is Tensor else gradient
                if type(plain) is np.ndarray:
                    fits = type(like) is tuple and like == (plain.shape, plain.dtype)
                else:
                    fits = type(plain) is type(like) is float
                if not fits:
                    gradient = parent.fit(gradient)
                if parent.adjoint is waiting:
                    parent.adjoint = gradient
                elif parent in sums:
                    parent.adjoint += gradient
                else:
                    parent.adjoint = parent.adjoint + gradient
                    if type(gradient) is np.ndarray:
                        sums.add(parent)
            if node.saved and not retain_graph:
                node.saved = None
    finally:
        for node in order:
            node.adjoint = None
    return caught


def contributions(node: Node, adjoint: Any) -> Iterable[tuple[Node | None, Any]]:
    """Return a node's parents, each with the gradient that it gets from here."""
    if changes:
        check_unchanged(node)
    saved: Any = node.saved_tensors if mode.recording else node.saved
    try:
        if type(node) is BinaryNode and node.hooks is None:  # as below, unrolled for speed
            a, b = saved or (None, None)
            by_a, by_b = node.operation.vjps
            left, right = node.left, node.right
            return (left, left and by_a(adjoint, a, b)), (right, right and by_b(adjoint, a, b))
        gradients = node.vjp(adjoint, saved)
    except ArithmeticError:  # Python's floats refuse 1 / 0, and NumPy's answer inf
        gradients = node.vjp(ieee(adjoint), tuple(map(ieee, saved)))
    if node.hooks is not None:
        gradients = call_after(node, gradients, adjoint)
    return zip(node.edges, gradients)  # noqa: B905  strict costs time


def collect(roots: Iterable[Node], waiting: object, order: list[Node]) -> None:
    """Append every node that the roots lead to, once, and mark it as waiting."""
    stack: list[Node | None] = [*roots]
    while stack:
        node = stack.pop()
        if node is None or node.adjoint is waiting:
            continue
        if node.adjoint is not None:
            raise RuntimeError(f"{node.name()} is at work in another backward pass, which called this one")
        if node.saved is None:
            raise RuntimeError(FREED)
        node.adjoint = waiting
        order.append(node)
        edges = node.edges
        if edges:
            stack += edges
        else:
            node.look()
    order.sort(key=attrgetter("number"))


def leads_on(node: Node) -> bool:
    """Say whether one of a node's parents still waits for a gradient in this pass."""
    for edge in node.edges:  # noqa: SIM110  a generator costs time
        if edge is not None and edge.adjoint is not None:
            return True
    return False


def call_before(node: Node, adjoint: Any) -> Any:
    """Call the hooks of the node's output and fill its Tensor's `.grad` if it asked for that."""
    hooks = node.own_hooks()
    for hook in tuple(hooks.before.values()):
        changed = hook(tensor_of(adjoint))
        adjoint = adjoint if changed is None else node.fit(adjoint_of(changed))
    tensor = hooks.retain()
    if tensor is not None:
        gradient = tensor_of(adjoint)
        tensor.grad = gradient if tensor.grad is None else tensor.grad + gradient
    return adjoint


def call_after(node: Node, gradients: tuple[Any, ...], adjoint: Any) -> tuple[Any, ...]:
    """Call the node's own hooks with the gradients it gave and those it was given."""
    outputs = tuple(tensor_of(g) for g in (adjoint if isinstance(adjoint, tuple) else (adjoint,)))
    for hook in tuple(node.own_hooks().after.values()):
        changed = hook(tuple(tensor_of(g) for g in gradients), outputs)
        if changed is not None:
            gradients = tuple(adjoint_of(g) for g in (changed if isinstance(changed, tuple) else (changed,)))
    return gradients


def seed_for(output: Tensor, gradient: Tensor | None) -> tuple[Node, Any]:
    """Return the node and the adjoint that a pass starts from: 1 for a single entry, else the one given."""
    if output.node is None:
        raise RuntimeError("this Tensor does not require a gradient: no leaf that it was computed from does")
    if gradient is None:
        if output.size != 1:
            raise RuntimeError(
                f"a gradient can be created only for a single entry; for shape {output.shape} say "
                "what each entry's adjoint is, with backward(gradient) or grad(…, grad_outputs=…)"
            )
        gradient = attach(1.0 if type(output.data) is float else np.ones_like(output.data))
    elif not isinstance(gradient, Tensor):
        raise TypeError(f"gradients are given as Tensors, not as {type(gradient).__name__}")
    if gradient.shape != output.shape:
        raise RuntimeError(f"the gradient given has shape {gradient.shape}, and the output {output.shape}")
    return output.node, output.node.fit(adjoint_of(gradient))


def backward(
    tensor: Tensor,
    gradient: Tensor | None = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
) -> None:
    """Add to the `.grad` of each leaf the derivative of the tensor, or of its product with `gradient`.

    Raises RuntimeError if the tensor has several entries and no gradient is given, or no graph (any more).
    """
    with recording(create_graph):
        seeds = [seed_for(tensor, gradient)]
        propagate(seeds, None, create_graph if retain_graph is None else retain_graph)


def grad(
    outputs: Tensor | Sequence[Tensor],
    inputs: Tensor | Sequence[Tensor],
    grad_outputs: Tensor | Sequence[Tensor | None] | None = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    allow_unused: bool = False,
) -> tuple[Any, ...]:
    """Return the derivatives of the outputs' sum with respect to each input; no `.grad` is touched.

    Each output may have an adjoint in `grad_outputs`; a single entry's is 1. Runs only the nodes that lead to
    the inputs. Raises RuntimeError for an input that was not used, unless allow_unused: then it gets None.
    """
    outputs = [outputs] if isinstance(outputs, Tensor) else [*outputs]
    inputs = [inputs] if isinstance(inputs, Tensor) else [*inputs]
    if grad_outputs is None or isinstance(grad_outputs, Tensor):
        grad_outputs = [grad_outputs] * len(outputs)
    if len(grad_outputs) != len(outputs):
        raise RuntimeError(
            f"{len(outputs)} outputs have {len(grad_outputs)} grad_outputs: one for each is needed"
        )
    nodes = [x.node for x in inputs if x.node is not None]
    if len(nodes) < len(inputs):
        raise RuntimeError("one of the inputs does not require a gradient: make it with requires_grad=True")
    with recording(create_graph):
        seeds = [seed_for(y, g) for y, g in zip(outputs, grad_outputs, strict=True)]
        caught = propagate(seeds, {*nodes}, create_graph if retain_graph is None else retain_graph)
    if not allow_unused and not caught.keys() >= {*nodes}:
        raise RuntimeError(
            "one of the inputs was not used for the outputs; say allow_unused=True to get None for it"
        )
    return tuple(tensor_of(caught.get(node)) for node in nodes)

"""Whether a Function is right, decided without the autograder's probes and verdicts.

By torch's own gradcheck and gradgradcheck on the Function itself: its forward is taken as right. Where the
gradient is chosen by hand, by comparison with the exercise's pullback. And by the engine's refusals, by
what backward returns before the engine repairs it, and by passes that other calls interrupt.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np
import torch

from autograder.exercise import FunctionExercise
from vjpcheck.arguments import Arguments, differentiable
from vjpcheck.probe.torch_tensors import as_tensors
from vjpcheck.samples import compared_once, drawn


def is_right(exercise: FunctionExercise, work: Any) -> bool:
    """Try every sample with every choice of inputs that require grad; whatever raises is not right."""
    generator = np.random.default_rng(99)
    samples, between = drawn(exercise, generator)
    further = [] if exercise.observe else [a for _, a in compared_once(exercise, generator)]
    try:
        return (
            all(_agrees_once(exercise, work, arguments) for arguments in further)
            and all(
                _agrees(exercise, work, arguments, requires)
                for arguments in samples
                for requires in _choices(arguments)
            )
            and all(
                _stands_alone(work, arguments, [other, *(s for s in samples if s is not arguments)])
                for arguments, other in zip(samples, between, strict=True)
            )
        )
    except Exception:
        return False


def _agrees_once(exercise: FunctionExercise, work: Any, arguments: Arguments) -> bool:
    """Compare the first gradient with that of autograd through forward, or with the pullback."""
    requires = [differentiable(a) for a in arguments]
    if exercise.pullback is not None:
        return _by_pullback(exercise, work, arguments, requires)
    of_work, of_truth = _tensors(arguments, requires), _tensors(arguments, requires)
    truths = _outputs(exercise.forward(*of_truth[0]))
    outputs = _outputs(work.apply(*of_work[0]))[: len(truths)]
    near = {"rtol": exercise.tolerance, "atol": exercise.tolerance}
    if not all(torch.allclose(y, truth, **near) for y, truth in zip(outputs, truths, strict=True)):
        return False
    flows = [place for place, truth in enumerate(truths) if truth.requires_grad]
    along = [torch.randn_like(truths[place]) for place in flows]
    found = torch.autograd.grad([outputs[place] for place in flows], of_work[1], along)
    true = torch.autograd.grad([truths[place] for place in flows], of_truth[1], along)
    return all(torch.allclose(one, other, **near) for one, other in zip(found, true, strict=True))


def _stands_alone(work: Any, arguments: Arguments, between: Sequence[Arguments]) -> bool:
    """Compare the gradient with that of a pass which begins before other calls and ends after them."""
    requires = [differentiable(a) for a in arguments]
    found = []
    for calls in ([], between):
        given, leaves = _tensors(arguments, requires)
        outputs = _outputs(work.apply(*given))
        for other in calls:
            work.apply(*_tensors(other, [differentiable(a) for a in other])[0])
        ones = [torch.ones_like(y) for y in outputs]
        found.append(torch.autograd.grad(outputs, leaves, ones, allow_unused=True))
    return all(map(_equal, *found))


def _choices(arguments: Arguments) -> Iterator[tuple[bool, ...]]:
    choices = product(*[(True, False) if differentiable(a) else (False,) for a in arguments])
    return (choice for choice in choices if any(choice))


def _agrees(exercise: FunctionExercise, work: Any, arguments: Arguments, requires: Sequence[bool]) -> bool:
    if not _keeps_the_contract(exercise, work, arguments, requires):
        return False
    if exercise.pullback is not None:
        return _by_pullback(exercise, work, arguments, requires)
    everything = all(flag == differentiable(a) for a, flag in zip(arguments, requires, strict=True))
    # each choice is compared with autograd; gradcheck, which takes most of the time, looks at the whole
    return _to_all_digits(exercise, work, arguments, requires) and (
        not everything or _by_gradcheck(exercise, work, arguments, requires)
    )


def _to_all_digits(
    exercise: FunctionExercise, work: Any, arguments: Arguments, requires: Sequence[bool]
) -> bool:
    """Compare both derivatives with autograd through the exercise's forward: gradcheck sees five digits."""
    given, leaves = _tensors(arguments, requires)
    true_given, true_leaves = _tensors(_observed(exercise, work, arguments), requires)
    true_outputs = _outputs(exercise.forward(*true_given))
    cotangents = [torch.randn_like(y) for y in true_outputs]

    def pull(function: Any) -> Any:
        def pulled(given: Any, live: Any, cotangents: Any) -> Any:
            outputs = _outputs(function(*given))[: len(cotangents)]
            return torch.autograd.grad(outputs, live, cotangents, create_graph=True, allow_unused=True)

        return pulled

    mine, theirs = pull(work.apply), pull(exercise.forward)
    found, true = mine(given, leaves, cotangents), theirs(true_given, true_leaves, cotangents)
    if not all(_within(exercise.tolerance, *pair) for pair in zip(found, true, strict=True)):
        return False
    if _declared_once(work, arguments, requires):
        return True
    found = _second_order(mine, arguments, requires, cotangents)
    true = _second_order(theirs, _observed(exercise, work, arguments), requires, cotangents)
    tolerance = exercise.second_order_tolerance
    return all(_within(tolerance, *pair) for pair in zip(found, true, strict=True))


def _observed(exercise: FunctionExercise, work: Any, arguments: Arguments) -> Arguments:
    """Return the arguments of the exercise's forward; what the work draws is seen where no input is 0."""
    if exercise.observe is None:
        return arguments
    ones = tuple(np.ones_like(a) if isinstance(a, np.ndarray) else a for a in arguments)
    drawn = work.apply(*_tensors(ones, [False] * len(ones))[0])
    return exercise.observe(arguments, [drawn.numpy(force=True)])


def _within(tolerance: float, found: torch.Tensor | None, true: torch.Tensor | None) -> bool:
    some = next((t for t in (found, true) if t is not None and t.numel()), None)
    if some is None:
        return True
    found, true = (torch.zeros_like(some) if t is None else t.detach() for t in (found, true))
    return bool((found - true).abs().max() <= tolerance * max(1.0, float(true.abs().max())))


def _tensors(arguments: Arguments, requires: Sequence[bool]) -> tuple[list[Any], list[torch.Tensor]]:
    tensors = as_tensors(arguments, requires)
    leaves = [t for t, flag in zip(tensors, requires, strict=True) if flag]
    # an in-place Function cannot be called on a leaf
    given = [t.clone() if flag else t for t, flag in zip(tensors, requires, strict=True)]
    return given, leaves


def _outputs(returned: Any) -> list[torch.Tensor]:
    outputs = returned if isinstance(returned, tuple) else (returned,)
    return [y for y in outputs if y.requires_grad]


def _by_gradcheck(
    exercise: FunctionExercise, work: Any, arguments: Arguments, requires: Sequence[bool]
) -> bool:
    _, leaves = _tensors(arguments, requires)

    def function(*inputs: torch.Tensor) -> Any:
        remaining = iter(inputs)
        fresh = as_tensors(arguments, [False] * len(arguments))  # a generator is drawn from anew
        called = [next(remaining).clone() if flag else t for t, flag in zip(fresh, requires, strict=True)]
        outputs = work.apply(*called)
        return tuple(_outputs(outputs)) or outputs

    def together(*inputs: torch.Tensor) -> torch.Tensor:
        """Return one number in which all outputs have a part: gradcheck asks for one output at a time."""
        returned = function(*inputs)
        outputs = returned if isinstance(returned, tuple) else (returned,)
        weighted = [(y * torch.linspace(1, 2, y.numel()).reshape(y.shape)).sum() for y in outputs]
        return torch.stack(weighted).sum()

    torch.autograd.gradcheck(function, leaves, atol=1e-6)
    torch.autograd.gradcheck(together, leaves, atol=1e-6)
    if not _declared_once(work, arguments, requires):
        outputs = _outputs(function(*leaves))
        cotangents = [torch.randn_like(y.detach()).requires_grad_() for y in outputs]
        torch.autograd.gradgradcheck(function, leaves, cotangents, atol=1e-6)
    if "third order" in exercise.points:
        torch.autograd.gradgradcheck(_slope(together), leaves, atol=1e-6)
    return _under_transforms(exercise, work, leaves)


def _slope(function: Any) -> Any:
    def slope(*inputs: torch.Tensor) -> Any:
        return torch.autograd.grad(function(*inputs), inputs, create_graph=True)

    return slope


def _under_transforms(exercise: FunctionExercise, work: Any, leaves: Sequence[torch.Tensor]) -> bool:
    """Compare torch.func's transforms of the Function with those of the exercise's forward."""
    if "transforms" not in exercise.points and "vmap" not in exercise.points:
        return True
    (x,) = [leaf.detach() for leaf in leaves]
    stack = torch.stack([x * k + k for k in range(1, 8)])  # as many as no axis of x has entries

    def results(function: Any) -> Iterator[torch.Tensor]:
        yield torch.func.vmap(function)(stack)
        yield torch.func.vmap(function, in_dims=1, out_dims=1)(stack.transpose(0, 1))
        live = stack.clone().requires_grad_()
        yield from torch.autograd.grad((torch.func.vmap(function)(live) * stack.sin()).sum(), live)
        if "transforms" in exercise.points:
            yield from (torch.func.jacrev(function)(x), torch.func.jacfwd(function)(x))
            yield torch.func.vmap(torch.func.jacrev(function))(stack)
        if "hessian" in exercise.points:
            yield torch.func.hessian(lambda x: function(x).sum())(x)

    return all(map(_equal, results(lambda x: _first(work.apply(x))), results(exercise.forward)))


def _first(returned: Any) -> torch.Tensor:
    """Return the output that counts: further ones may carry what vmap or a second derivative needs."""
    output: torch.Tensor = returned[0] if isinstance(returned, tuple) else returned
    return output


def _by_pullback(
    exercise: FunctionExercise, work: Any, arguments: Arguments, requires: Sequence[bool]
) -> bool:
    assert exercise.pullback is not None
    given, leaves = _tensors(arguments, requires)
    outputs = _outputs(work.apply(*given))
    cotangents = [torch.randn_like(y) * 3 for y in outputs]
    found = torch.autograd.grad(outputs, leaves, cotangents, allow_unused=True)
    plain = as_tensors(arguments, [False] * len(arguments))
    asked = [g for g, flag in zip(exercise.pullback(plain, cotangents), requires, strict=True) if flag]
    right = all(_within(exercise.tolerance, *pair) for pair in zip(found, asked, strict=True))
    if not right or _declared_once(work, arguments, requires):
        return right
    mine, theirs = (
        _second_order(pull, arguments, requires, cotangents)
        for pull in (
            lambda given, live, c: torch.autograd.grad(
                _outputs(work.apply(*given)), live, c, create_graph=True, allow_unused=True
            ),
            lambda given, live, c: [
                g for g, flag in zip(exercise.pullback(given, c), requires, strict=True) if flag
            ],
        )
    )
    return all(_within(exercise.second_order_tolerance, *p) for p in zip(mine, theirs, strict=True))


def _second_order(pull: Any, arguments: Arguments, requires: Sequence[bool], cotangents: Any) -> Any:
    """Differentiate a weighted sum of a pullback's gradients by the inputs and by the cotangents.

    Raises RuntimeError if the weights, which are cotangents of this derivative, are written into.
    """
    given, leaves = _tensors(arguments, requires)
    live = [c.detach().clone().requires_grad_() for c in cotangents]
    gradients = pull(given, leaves, live)
    # no number of float32: what rounds them has to show
    weights = [torch.linspace(1.1, 2.3, x.numel(), dtype=x.dtype).reshape(x.shape) for x in leaves]
    ends = [(g, w) for g, w in zip(gradients, weights, strict=True) if g is not None and g.requires_grad]
    outputs, cotangents_of_ends = ([pair[i] for pair in ends] for i in range(2))
    found = torch.autograd.grad(outputs, [*leaves, *live], cotangents_of_ends, allow_unused=True)
    if any(w._version for w in weights):
        raise RuntimeError("a cotangent of the second derivative is written into")
    return found


def _equal(one: torch.Tensor | None, other: torch.Tensor | None) -> bool:
    some = next((t for t in (one, other) if t is not None), None)
    if some is None:
        return True
    one, other = (torch.zeros_like(some) if t is None else t for t in (one, other))
    return one.shape == other.shape and torch.allclose(one, other, atol=1e-6)


def _declared_once(work: Any, arguments: Arguments, requires: Sequence[bool]) -> bool:
    given, leaves = _tensors(arguments, requires)
    outputs = _outputs(work.apply(*given))
    cotangents = [torch.ones_like(y).requires_grad_() for y in outputs]
    first = torch.autograd.grad(outputs, leaves, cotangents, create_graph=True, allow_unused=True)
    waiting, seen = [g.grad_fn for g in first if g is not None], set()
    while waiting:
        node = waiting.pop()
        if node is None or node in seen:
            continue
        if node.name() == "torch::autograd::Error":  # what once_differentiable puts there
            return True
        seen.add(node)
        waiting.extend(parent for parent, _ in node.next_functions)
    return False


def _keeps_the_contract(
    exercise: FunctionExercise, work: Any, arguments: Arguments, requires: Sequence[bool]
) -> bool:
    """Call backward by hand, for all outputs and for each alone; look at what the engine would repair."""
    given, _ = _tensors(arguments, requires)
    returned = work.apply(*given)
    outputs = returned if isinstance(returned, tuple) else (returned,)
    node = next(y.grad_fn for y in outputs if y.requires_grad)
    cotangents = [torch.randn_like(y) if y.requires_grad else None for y in outputs]
    before = [c if c is None else c.clone() for c in cotangents]
    back = node.apply(*cotangents)
    if any(c is not None and not torch.equal(c, b) for c, b in zip(cotangents, before, strict=True)):
        return False
    for argument, flag, gradient in zip(
        arguments, requires, back if isinstance(back, tuple) else (back,), strict=False
    ):
        if gradient is None or not isinstance(argument, np.ndarray):
            continue
        if flag and tuple(gradient.shape) != argument.shape:
            return False
        if not flag and "frozen inputs" in exercise.points:
            return False
    live = [y for y in outputs if y.requires_grad]
    for y in live if len(live) > 1 else []:
        alone = torch.randn_like(y)
        kept = alone.clone()
        y.backward(alone, retain_graph=True)
        if not torch.equal(alone, kept):
            return False
    for y in live:
        _Stop.apply(y).sum().backward(retain_graph=True)
    return True


class _Stop(torch.autograd.Function):
    """Passes no gradient on: what is before it is called with None, or with the zeros made of it."""

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
        return x.clone()

    @staticmethod
    def backward(ctx: Any, grad_output: torch.Tensor) -> None:
        return None

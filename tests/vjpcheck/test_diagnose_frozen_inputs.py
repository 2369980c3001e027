"""`diagnose` on Functions whose inputs do not all require grad, and on outputs that backward ignores."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch.autograd import Function
from torch.autograd.function import once_differentiable

from vjpcheck import diagnose

RANDOM = torch.Generator().manual_seed(1)


def normal(*shape: int) -> torch.Tensor:
    return torch.randn(*shape, generator=RANDOM, dtype=torch.float64)


def saving(
    forward: Callable[..., Any], backward: Callable[..., Any], keep: Callable[..., Any] | None = None
) -> type[Function]:
    """Return a Function that saves its inputs and what `keep` computes of them; backward receives both."""

    class Named(Function):
        @staticmethod
        def forward(ctx, *inputs):
            ctx.save_for_backward(*inputs, *(keep(*inputs) if keep else ()))
            return forward(*inputs)

        @staticmethod
        @once_differentiable
        def backward(ctx, *cotangents):
            return backward(ctx.needs_input_grad, ctx.saved_tensors, *cotangents)

    return Named


def needed(needs, *gradients):
    return tuple(gradient if need else None for need, gradient in zip(needs, gradients, strict=True))


def standardized(x):
    deviation = (x.var(0, unbiased=False) + 1e-5).rsqrt()
    return (x - x.mean(0)) * deviation, deviation


def batch_norm(x, weight, bias):
    return standardized(x)[0] * weight + bias


def batch_norm_backward(needs, saved, g):
    """Both sums are part of the gradient for x."""
    _, weight, _, hat, deviation = saved
    of_bias, of_weight = g.sum(0), (g * hat).sum(0)
    of_x = weight * deviation * (g - of_bias / len(g) - hat * of_weight / len(g)) if needs[0] else None
    return needed(needs, of_x, of_weight, of_bias)


def weight_norm(v, size):
    return v * (size / v.norm(dim=1, keepdim=True))


def weight_norm_backward(needs, saved, g):
    """The sum is part of both gradients."""
    v, size, norm = saved
    of_size = (g * v).sum(1, keepdim=True) / norm
    of_v = size / norm * g - size * of_size / norm**2 * v if needs[0] else None
    return needed(needs, of_v, of_size)


def normed_linear(x, v, size):
    return x @ weight_norm(v, size).t()


def normed_linear_backward(needs, saved, g):
    """A matrix product is part of two gradients."""
    x, v, size, norm = saved
    of_x = g @ weight_norm(v, size) if needs[0] else None
    of_v = of_size = None
    if needs[1] or needs[2]:
        of_v, of_size = weight_norm_backward((needs[1], True), (v, size, norm), g.t() @ x)
    return needed(needs, of_x, of_v, of_size)


def solution(a, b):
    return torch.linalg.solve(a, b)


def solution_backward(needs, saved, g):
    """The gradient for a is a product with that for b."""
    _, _, inverse, y = saved
    of_b = inverse.t() @ g
    return (-of_b @ y.t() if needs[0] else None), (of_b if needs[1] else None)


def norm(v, _):
    return (v.norm(dim=1, keepdim=True),)


RIGHT = {
    "batch norm": (
        batch_norm,
        saving(batch_norm, batch_norm_backward, lambda x, *_: standardized(x)),
        (normal(5, 3), normal(3), normal(3)),
    ),
    "weight norm": (
        weight_norm,
        saving(weight_norm, weight_norm_backward, norm),
        (normal(5, 3), normal(5, 1)),
    ),
    "a linear layer with weight norm": (
        normed_linear,
        saving(normed_linear, normed_linear_backward, lambda _, v, size: norm(v, size)),
        (normal(3, 4), normal(5, 4), normal(5, 1)),
    ),
    "a linear system": (
        solution,
        saving(solution, solution_backward, lambda a, b: (torch.linalg.inv(a), solution(a, b))),
        (3 * torch.eye(3, dtype=torch.float64) + 0.3 * normal(3, 3), normal(3, 2)),
    ),
}


@pytest.mark.parametrize("with_like", [True, False])
@pytest.mark.parametrize(("like", "function", "inputs"), RIGHT.values(), ids=RIGHT)
def test_work_that_two_gradients_share_is_not_needless(like, function, inputs, with_like):
    result = diagnose(function, *inputs, like=like if with_like else None)
    assert result.passed, result.findings


def linear_backward(needs, saved, g):
    x, weight, _ = saved
    return needed(needs, g @ weight, g.t() @ x, g.sum(0))


def linear_with_one_product_too_many(needs, saved, g):
    x, weight, _ = saved
    of_weight = g.t() @ x
    return (
        g @ weight if needs[0] else None,
        of_weight if needs[1] else None,
        g.sum(0) if needs[2] else None,
    )


def scaled_backward(needs, saved, g):
    x, scale = saved
    return needed(needs, g * scale, (g * x).sum(0))


LINEAR = (normal(3, 4), normal(5, 4), normal(5))
THROWN_AWAY = {
    "all products": (torch.nn.functional.linear, linear_backward, LINEAR, "x, weight"),
    "one product": (torch.nn.functional.linear, linear_with_one_product_too_many, LINEAR, "weight"),
    "a sum": (torch.mul, scaled_backward, (normal(3, 4), normal(4)), "scale"),
}


@pytest.mark.parametrize("with_like", [True, False])
@pytest.mark.parametrize(("like", "backward", "inputs", "told"), THROWN_AWAY.values(), ids=THROWN_AWAY)
def test_work_that_is_thrown_away_is_needless(like, backward, inputs, told, with_like):
    names = {3: ("x", "weight", "bias"), 2: ("x", "scale")}[len(inputs)]
    function = saving(like, backward)
    result = diagnose(function, *inputs, like=like if with_like else None)
    (finding,) = result.findings
    told = ", ".join(f"inputs[{names.index(name)}]" for name in told.split(", "))
    assert finding.mistake == "needless-work"
    assert f"computes as much without a gradient for {told} as with it." in finding.message


def two(x, y):
    return x.sin() * y, x * y


def three(x, y):
    return x.sin() * y, x * y, x.cos() * y


def two_guarded(needs, saved, a, _):
    x, y = saved
    return (a * x.cos() * y if needs[0] else None), (a * x.sin() if needs[1] else None)


def two_unguarded(_, saved, a, __):
    x, y = saved
    return a * x.cos() * y, a * x.sin()


def three_guarded(needs, saved, a, _, c):
    x, y = saved
    return needed(needs, a * x.cos() * y - c * x.sin() * y, a * x.sin() + c * x.cos())


ONLY_THE_FIRST = "contains only the term from output 0."
IGNORED = {
    "guarded": (two, two_guarded, ONLY_THE_FIRST),
    "unguarded": (two, two_unguarded, ONLY_THE_FIRST),
    "of three": (three, three_guarded, "lacks the term from output 1."),
}


@pytest.mark.parametrize("with_like", [True, False])
@pytest.mark.parametrize(("like", "backward", "told"), IGNORED.values(), ids=IGNORED)
def test_an_ignored_output_is_not_blamed_on_a_frozen_input(like, backward, told, with_like):
    function, inputs = saving(like, backward), (normal(3, 4), normal(3, 4))
    result = diagnose(function, *inputs, like=like if with_like else None)
    assert {finding.mistake for finding in result.findings} == {"outputs-left-out"}
    assert told in result.findings[0].message


def with_one_term_by_the_wrong_entry(needs, saved, a, b):
    """The term from output 1 comes only where y requires grad too."""
    x, y = saved
    of_x = a * x.cos() * y + b * y if needs[1] else a * x.cos() * y
    return needed(needs, of_x, a * x.sin() + b * x)


def with_both_entries_swapped(needs, saved, a, b):
    x, y = saved
    return needed(needs[::-1], a * x.cos() * y + b * y, a * x.sin() + b * x)


@pytest.mark.parametrize(
    ("mistake", "backward"),
    [
        ("missing-gradient", with_one_term_by_the_wrong_entry),
        ("wrong-needs-input-grad-index", with_both_entries_swapped),
    ],
)
def test_a_wrong_guard_is_found_beside_several_outputs(mistake, backward):
    result = diagnose(saving(two, backward), normal(3, 4), normal(3, 4), like=two)
    assert result.findings[0].mistake == mistake
    assert "is missing if not all inputs require grad." in result.findings[0].message

"""diagnose compares the tangents of a Function's own jvp with the true ones."""

import pytest
import torch
from torch.autograd import Function

from vjpcheck import diagnose

X, W = torch.linspace(-1, 2, 12, dtype=torch.float64).reshape(3, 4), torch.arange(1.0, 5, dtype=torch.float64)


def products(x, w):
    return x * w, x + w.sum()


class Products(Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        ctx.save_for_forward(x, w)
        return products(x, w)

    @staticmethod
    def backward(ctx, g, h):
        x, w = ctx.saved_tensors
        needs = ctx.needs_input_grad
        return g * w + h if needs[0] else None, (g * x).sum(0) + h.sum() if needs[1] else None

    @staticmethod
    def jvp(ctx, x_tangent, w_tangent):
        x, w = ctx.saved_tensors
        return x_tangent * w + x * w_tangent, x_tangent + w_tangent.sum()


class LacksATerm(Products):
    @staticmethod
    def jvp(ctx, x_tangent, w_tangent):
        _, w = ctx.saved_tensors
        return x_tangent * w, x_tangent + w_tangent.sum()


class SubtractsATerm(Products):
    @staticmethod
    def jvp(ctx, x_tangent, w_tangent):
        x, w = ctx.saved_tensors
        return x_tangent * w - x * w_tangent, x_tangent + w_tangent.sum()


class Half(Products):
    @staticmethod
    def jvp(ctx, x_tangent, w_tangent):
        x, w = ctx.saved_tensors
        return x_tangent * w + x * w_tangent, (x_tangent + w_tangent.sum()) / 2


class Opposite(Products):
    @staticmethod
    def jvp(ctx, x_tangent, w_tangent):
        x, w = ctx.saved_tensors
        return -(x_tangent * w + x * w_tangent), x_tangent + w_tangent.sum()


class Zeros(Products):
    @staticmethod
    def jvp(ctx, x_tangent, w_tangent):
        return torch.zeros_like(x_tangent), x_tangent + w_tangent.sum()


class WritesIntoTheTangent(Products):
    @staticmethod
    def jvp(ctx, x_tangent, w_tangent):
        x, w = ctx.saved_tensors
        second = x_tangent + w_tangent.sum()
        return x_tangent.mul_(w) + x * w_tangent, second


class NothingSaved(Products):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return products(x, w)


class Squares(Products):
    @staticmethod
    def jvp(ctx, x_tangent, w_tangent):
        x, w = ctx.saved_tensors
        return x_tangent * w**2 + x * w_tangent, x_tangent + w_tangent.sum()


@pytest.mark.parametrize("like", [products, None])
def test_a_right_jvp_has_a_row_and_no_finding(like):
    result = diagnose(Products, X, W, like=like)
    assert result.passed, str(result)
    assert "✓ forward mode" in str(result)


def test_without_a_jvp_there_is_no_such_row():
    class WithoutJvp(Function):
        forward, backward = staticmethod(Products.forward), staticmethod(Products.backward)

    result = diagnose(WithoutJvp, X, W, like=products)
    assert result.passed, str(result)
    assert "forward mode" not in str(result)


@pytest.mark.parametrize("like", [products, None])
@pytest.mark.parametrize(
    ("function", "mistake"),
    [
        (LacksATerm, "missing-term"),
        (SubtractsATerm, "wrong-sign-of-a-term"),
        (Half, "wrong-factor"),
        (Opposite, "wrong-sign"),
        (Zeros, "missing-tangent"),
        (WritesIntoTheTangent, "mutates-input"),
        (NothingSaved, "no-jvp"),
        (Squares, None),
    ],
    ids=lambda given: getattr(given, "__name__", ""),
)
def test_a_wrong_jvp_is_found_and_named(function, mistake, like):
    result = diagnose(function, X, W, like=like)
    assert [(finding.check, finding.mistake) for finding in result.findings] == [("forward mode", mistake)]

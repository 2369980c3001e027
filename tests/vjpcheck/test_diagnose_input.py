"""What `diagnose` says of works and inputs that it does not take, and how far it goes to name a mistake."""

import shlex

import pytest
import torch
from torch.autograd import Function
from torch.autograd.function import once_differentiable

from vjpcheck import diagnose
from vjpcheck.cli import main

RANDOM = torch.Generator().manual_seed(1)


def normal(*shape):
    return torch.randn(*shape, generator=RANDOM, dtype=torch.float64)


class Square(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return 2 * g * x


SINGLE_ALONE = """
import torch

class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        assert x.dtype in (torch.float16, torch.bfloat16, torch.float32), "unsupported dtype"
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, g):
        return 2 * g * ctx.saved_tensors[0]
"""


class Nowhere(Function):
    """A kernel for another device than the CPU."""

    @staticmethod
    def forward(ctx, x):
        raise RuntimeError("x must be on a GPU")

    @staticmethod
    def backward(ctx, g):
        return g


def test_on_the_command_line_a_forward_that_takes_float32_alone_is_judged(tmp_path, capsys):
    file = tmp_path / "ops.py"
    file.write_text(SINGLE_ALONE)
    assert main(shlex.split(f"{shlex.quote(str(file))}:Square --inputs 'randn(3).float()'")) == 0
    assert "it was given float32" in " ".join(capsys.readouterr().out.split())


def test_a_forward_that_raises_in_float32_too_is_told_as_before():
    result = diagnose(Nowhere, normal(3))
    assert not result.refusal
    assert "x must be on a GPU" in result.findings[0].message


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_an_instance_is_refused():
    assert diagnose(Square(), normal(3)).refusal == "Pass the class Square itself, not an instance of it."


def test_a_reference_that_is_a_function_class_is_refused():
    told = diagnose(Square, normal(3), like=Square).refusal
    assert told.startswith("like must be a function of the same inputs, but it is the class Square")
    assert "pass Square.apply" in told
    assert diagnose(Square, normal(3), like=Square.apply).passed


class Attention(Function):
    """Its backward forgets the causal mask, which has no name."""

    calls = 0

    @staticmethod
    def forward(ctx, q, k, v):
        Attention.calls += 1
        scores = q @ k.transpose(-1, -2) * q.shape[-1] ** -0.5
        scores = scores.masked_fill(torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1), float("-inf"))
        total = scores.logsumexp(-1, keepdim=True)
        out = (scores - total).exp() @ v
        ctx.save_for_backward(q, k, v, out, total)
        return out

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        q, k, v, out, total = ctx.saved_tensors
        p = (q @ k.transpose(-1, -2) * q.shape[-1] ** -0.5 - total).exp()
        s = p * (g @ v.transpose(-1, -2) - (g * out).sum(-1, keepdim=True)) * q.shape[-1] ** -0.5
        gradients = s @ k, s.transpose(-1, -2) @ q, p.transpose(-1, -2) @ g
        return tuple(g if n else None for g, n in zip(gradients, ctx.needs_input_grad, strict=True))


def test_guesses_at_a_mistake_call_forward_a_bounded_number_of_times():
    Attention.calls = 0
    result = diagnose(Attention, *(normal(2, 3, 4) for _ in range(3)))
    assert [finding.mistake for finding in result.findings] == [None] * 3
    assert "differs from the true one" in result.findings[0].message
    assert Attention.calls < 15_000  # it was 93,000


class SumsOfProducts(Function):
    """Its backward takes the cosine of the wrong tensor."""

    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        return (x.sin() * y * y).cumsum(0)

    @staticmethod
    def backward(ctx, g):
        x, y = ctx.saved_tensors
        later = g.flip(0).cumsum(0).flip(0)
        return later * y.cos() * y * y, 2 * later * x.sin() * y


@pytest.mark.parametrize("shape", [(3,), (5, 8)])
def test_a_mistake_that_is_guessed_has_a_name_without_like_too(shape):
    (finding,) = diagnose(SumsOfProducts, normal(*shape), normal(*shape)).findings
    assert finding.mistake == "wrong-operand"
    assert finding.message == "The gradient for x would be right with y instead of x."


def test_where_guesses_cost_too_much_the_mistake_has_no_name(monkeypatch):
    monkeypatch.setattr("vjpcheck.truth.differences.GUESSED_AT_MOST", 10)
    (finding,) = diagnose(SumsOfProducts, normal(3), normal(3)).findings
    assert finding.mistake is None
    assert "Jacobian for x differs from the true one" in finding.message


class Centred(Function):
    """Its output does not depend on what all entries have in common; rounding says otherwise."""

    @staticmethod
    def forward(ctx, x):
        return (x - x.mean()).sum() + x[0].sin()

    @staticmethod
    def backward(ctx, g):
        return g + torch.zeros(5)


def test_what_rounding_leaves_of_0_is_told_as_0():
    (finding,) = diagnose(Centred, normal(5)).findings
    assert not finding.jacobians.true[:, 1:].any()

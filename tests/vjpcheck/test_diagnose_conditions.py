"""`diagnose` on Functions whose inputs must meet a condition: an order, a sum, no axes, no gradient."""

import numpy as np
import pytest
import torch
from torch.autograd import Function
from torch.autograd.function import once_differentiable
from torch.nn import functional

from vjpcheck import diagnose

RANDOM = torch.Generator().manual_seed(1)


def normal(*shape):
    return torch.randn(*shape, generator=RANDOM, dtype=torch.float64)


class Times(Function):
    @staticmethod
    def forward(ctx, x, scale):
        ctx.save_for_backward(x, scale)
        return x * scale

    @staticmethod
    def backward(ctx, g):
        x, scale = ctx.saved_tensors
        return g * scale, (g * x).sum() if ctx.needs_input_grad[1] else None


class LogWidth(Function):
    """Of intervals; an upper end above the lower one is asked for."""

    @staticmethod
    def forward(ctx, low, high):
        if not (high > low).all():
            raise ValueError("high must be above low")
        ctx.save_for_backward(low, high)
        return (high - low).log()

    @staticmethod
    def backward(ctx, g):
        low, high = ctx.saved_tensors
        slope = g / (high - low)
        return -slope, slope


class Entropy(Function):
    @staticmethod
    def forward(ctx, p):
        if not torch.allclose(p.sum(-1), torch.ones_like(p.sum(-1)), atol=1e-6):
            raise ValueError("p must sum to 1")
        ctx.save_for_backward(p)
        return -(p * p.log()).sum(-1)

    @staticmethod
    def backward(ctx, g):
        (p,) = ctx.saved_tensors
        return -g.unsqueeze(-1) * (p.log() + 1)


class Distillation(Function):
    """The gradient for the logits is right where the teacher's probabilities sum to 1."""

    @staticmethod
    def forward(ctx, z, p):
        logs = z.log_softmax(-1)
        ctx.save_for_backward(logs, p)
        return (p * (p.log() - logs)).sum()

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        logs, p = ctx.saved_tensors
        return g * (logs.exp() - p), g * (p.log() - logs + 1) if ctx.needs_input_grad[1] else None


class Joined(Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.rows = [len(a), len(b)]
        return torch.cat([a, b])

    @staticmethod
    def backward(ctx, g):
        return g.split(ctx.rows)


class TwiceForX(Function):
    """Wrong for x alone."""

    @staticmethod
    def forward(ctx, x, weight):
        ctx.save_for_backward(x, weight)
        return functional.linear(x, weight)

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        needed = ctx.needs_input_grad
        return 2 * g @ weight if needed[0] else None, g.t() @ x if needed[1] else None


class RightForSmallNumbers(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return torch.where(x.abs() <= 1, 2 * x * g, g)


class WithANumber(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.sin(), 3

    @staticmethod
    def backward(ctx, g, _):
        (x,) = ctx.saved_tensors
        return g * x.cos()


LOW = torch.tensor([0.1, 1.0, 2.0, 3.0])
TEACHER = normal(3, 4).softmax(-1)


@pytest.mark.parametrize(
    ("function", "inputs", "like"),
    [
        (Times, (normal(3), torch.tensor(0.5)), torch.mul),
        (Times, (torch.tensor(0.3), torch.tensor(0.5)), None),
        (LogWidth, (LOW, LOW + 0.4), None),
        (LogWidth, (LOW, LOW + 0.4), lambda low, high: (high - low).log()),
        (Entropy, (TEACHER,), lambda p: -(p * p.log()).sum(-1)),
        (Distillation, (normal(3, 4), TEACHER), lambda z, p: (p * (p.log() - z.log_softmax(-1))).sum()),
        (Joined, (normal(3, 4), normal(2, 4)), None),
    ],
)
def test_a_right_function_is_right_at_inputs_that_meet_its_condition(function, inputs, like):
    result = diagnose(function, *inputs, like=like)
    assert result.passed, result


def test_what_forward_raises_close_to_the_inputs_is_told():
    assert "forward raises ValueError (p must sum to 1)" in diagnose(Entropy, TEACHER).refusal


def test_the_card_says_which_inputs_are_constants():
    weight = torch.nn.Parameter(normal(5, 4))
    result = diagnose(TwiceForX, normal(3, 4), weight, like=functional.linear)
    assert result.passed
    assert "x does not require grad and other inputs do" in result.truth
    found = diagnose(TwiceForX, normal(3, 4), weight.data, like=functional.linear)
    assert [finding.mistake for finding in found.findings] == ["wrong-factor"]


def test_what_is_wrong_at_other_inputs_alone_is_told_so():
    result = diagnose(RightForSmallNumbers, torch.tensor([1.0, -1.0, 0.99]), like=torch.square)
    assert not result.passed
    assert "For your inputs everything is right." in result.truth
    result = diagnose(RightForSmallNumbers, torch.tensor([3.0, -1.0]), like=torch.square)
    assert "everything is right" not in result.truth


class ShareAndGreatest(Function):
    """Marks its second output as non-differentiable."""

    @staticmethod
    def forward(ctx, x):
        greatest, y = x.max(-1).values, x.softmax(-1)
        ctx.save_for_backward(y)
        ctx.mark_non_differentiable(greatest)
        return y, greatest

    @staticmethod
    def backward(ctx, g, _):
        (y,) = ctx.saved_tensors
        return y * (g - (g * y).sum(-1, keepdim=True))


def test_an_output_that_is_marked_although_it_has_a_derivative_is_named():
    def like(x):
        return x.softmax(-1), x.max(-1).values

    (finding,) = diagnose(ShareAndGreatest, normal(3, 4), like=like).findings
    assert finding.message == "Output 1 of apply has a derivative, but it does not require grad."


class HalfAlone(Function):
    @staticmethod
    def forward(ctx, x):
        if x.dtype not in (torch.float16, torch.bfloat16):
            raise TypeError("only 16 bits")
        return x.sin()

    @staticmethod
    def backward(ctx, g):
        return g


def test_a_forward_that_takes_float16_alone_needs_a_reference():
    assert "pass a reference (like)" in diagnose(HalfAlone, normal(3)).refusal
    (finding,) = diagnose(HalfAlone, normal(3), like=torch.sin).findings
    assert finding.mistake == "cotangent-passed-on"


class TimesNumber(Function):
    @staticmethod
    def forward(ctx, x, number):
        ctx.number = number
        return x * number

    @staticmethod
    def backward(ctx, g):
        return g * ctx.number, None


@pytest.mark.parametrize("number", [np.int64(3), np.float32(0.5), np.float64(-2.0)])
def test_numpys_numbers_are_numbers(number):
    assert diagnose(TimesNumber, normal(3), number, like=torch.mul).passed


def test_outputs_beside_tensors_have_no_gradient():
    assert diagnose(WithANumber, normal(3)).passed

"""`diagnose` on Functions that no exercise asks for, right and wrong, with a reference and without."""

import contextlib
import json
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from tiers import first_now, for_test_all
from torch.autograd import Function
from torch.autograd.function import once_differentiable

from vjpcheck import diagnose
from vjpcheck.cli import main
from vjpcheck.diagnosis.expression import evaluate
from vjpcheck.result import CannotRun

ROOT = Path(__file__).resolve().parents[2]
RANDOM = torch.Generator().manual_seed(1)


def normal(*shape: int) -> torch.Tensor:
    return torch.randn(*shape, generator=RANDOM, dtype=torch.float64)


def positive(*shape: int) -> torch.Tensor:
    return torch.rand(*shape, generator=RANDOM, dtype=torch.float64) + 0.5


class Sine(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.sin()

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * x.cos()


class Log(Function):
    """Defined for positive numbers alone."""

    @staticmethod
    def forward(x):
        return x.log()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g / x


class Affine(Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        return x @ weight.t() if bias is None else x @ weight.t() + bias

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        needs = [*ctx.needs_input_grad, False][:3]
        return (
            g @ weight if needs[0] else None,
            g.t() @ x if needs[1] else None,
            g.sum(0) if needs[2] else None,
        )


class Scale(Function):
    """A product with broadcasting: (n, m) times (m,)."""

    @staticmethod
    def forward(ctx, x, scale):
        ctx.save_for_backward(x, scale)
        return x * scale

    @staticmethod
    def backward(ctx, g):
        x, scale = ctx.saved_tensors
        return (
            g * scale if ctx.needs_input_grad[0] else None,
            (g * x).sum(0) if ctx.needs_input_grad[1] else None,
        )


class Mean(Function):
    """A reduction over axes that come as a tuple."""

    @staticmethod
    def forward(ctx, x, axes, keepdim):
        ctx.shape, ctx.axes, ctx.keepdim = x.shape, axes, keepdim
        return x.mean(axes, keepdim)

    @staticmethod
    def backward(ctx, g):
        count = 1
        assert isinstance(ctx.axes, tuple)
        for axis in ctx.axes:
            count *= ctx.shape[axis]
            g = g if ctx.keepdim else g.unsqueeze(axis)
        return g.expand(ctx.shape) / count, None, None


class Total(Function):
    """All entries to one number."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return (x**3).sum()

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * 3 * x**2


class Polar(Function):
    """Two outputs."""

    @staticmethod
    def forward(ctx, radius, angle):
        ctx.save_for_backward(radius, angle)
        return radius * angle.cos(), radius * angle.sin()

    @staticmethod
    def backward(ctx, g_x, g_y):
        radius, angle = ctx.saved_tensors
        along = g_x * angle.cos() + g_y * angle.sin() if ctx.needs_input_grad[0] else None
        around = radius * (g_y * angle.cos() - g_x * angle.sin()) if ctx.needs_input_grad[1] else None
        return along, around


class Take(Function):
    """An integer argument and a tensor of integers."""

    @staticmethod
    def forward(ctx, x, axis, index):
        ctx.axis, ctx.shape = axis, x.shape
        ctx.save_for_backward(index)
        return x.index_select(axis, index)

    @staticmethod
    def backward(ctx, g):
        (index,) = ctx.saved_tensors
        return g.new_zeros(ctx.shape).index_add(ctx.axis, index, g), None, None


class Largest(Function):
    """The largest entry of each row, and a mask of floats that has no gradient."""

    @staticmethod
    def forward(ctx, x):
        values, places = x.max(1)
        mask = torch.zeros_like(x).scatter(1, places[:, None], 1.0)
        ctx.mark_non_differentiable(mask)
        ctx.save_for_backward(mask)
        return values, mask

    @staticmethod
    def backward(ctx, g, _):
        (mask,) = ctx.saved_tensors
        return g[:, None] * mask


class Sorted(Function):
    """With NumPy, and says so."""

    @staticmethod
    def forward(ctx, x):
        ctx.order = np.argsort(x.numpy(force=True))
        return torch.as_tensor(x.numpy(force=True)[ctx.order])

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        found = np.zeros(len(ctx.order))
        found[ctx.order] = g.numpy()
        return torch.as_tensor(found, dtype=g.dtype)


class ReluInPlace(Function):
    @staticmethod
    def forward(ctx, x):
        x.clamp_(min=0)
        ctx.mark_dirty(x)
        ctx.save_for_backward(x)
        return x

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return g * (y > 0)


class Checkpointed(Function):
    """Leaves its gradient to native autograd, as those that save memory do."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return (x.sin() * x).sum(1)

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        again = x.detach().requires_grad_()
        with torch.enable_grad():
            y = (again.sin() * again).sum(1)
        return torch.autograd.grad(y, again, g)[0]


class LogDeterminant(Function):
    """Defined for positive definite matrices."""

    @staticmethod
    def forward(ctx, a):
        ctx.save_for_backward(a)
        return torch.linalg.cholesky((a + a.t()) / 2).diagonal().log().sum() * 2

    @staticmethod
    def backward(ctx, g):
        (a,) = ctx.saved_tensors
        return g * torch.linalg.inv((a + a.t()) / 2)


class Summed(Function):
    """Any number of inputs."""

    @staticmethod
    def forward(ctx, *terms):
        return torch.stack(terms).sum(0)

    @staticmethod
    def backward(ctx, g):
        return tuple(g if needed else None for needed in ctx.needs_input_grad)


class Kind(NamedTuple):
    function: type[Function]
    like: Callable[..., Any]
    inputs: tuple[Any, ...]


def in_place(x):
    return x.clamp_(min=0)


def mask_of(x):
    values, places = x.max(1)
    return values, torch.zeros_like(x).scatter(1, places[:, None], 1.0)


def log_determinant(a):
    return torch.logdet((a + a.t()) / 2)


RIGHT = [
    Kind(Sine, torch.sin, (normal(3, 4),)),
    Kind(Sine, torch.sin, (torch.tensor(0.3),)),
    Kind(Sine, torch.sin, (torch.zeros(3),)),
    Kind(Sine, torch.sin, (1000 * normal(3),)),
    Kind(Sine, torch.sin, (normal(3, 4).t(),)),
    Kind(Sine, torch.sin, (torch.tensor([1.0]).expand(4),)),
    Kind(Log, torch.log, (1e-4 * positive(2, 3),)),
    Kind(Affine, torch.nn.functional.linear, (normal(3, 4), normal(5, 4), normal(5))),
    Kind(Affine, torch.nn.functional.linear, (normal(3, 4), normal(5, 4), None)),
    Kind(Affine, torch.nn.functional.linear, (normal(3, 4), normal(5, 4))),
    Kind(Scale, torch.mul, (normal(3, 4), normal(4))),
    Kind(Mean, torch.mean, (normal(2, 3, 4), (0, 2), True)),
    Kind(Total, lambda x: (x**3).sum(), (normal(3, 2),)),
    Kind(Polar, lambda r, a: (r * a.cos(), r * a.sin()), (positive(3), normal(3))),
    Kind(Take, torch.index_select, (normal(4, 3), 0, torch.tensor([2, 0, 2]))),
    Kind(Largest, mask_of, (normal(3, 4),)),
    Kind(Sorted, lambda x: x.sort()[0], (normal(5),)),
    Kind(ReluInPlace, torch.relu, (normal(3, 4),)),
    Kind(ReluInPlace, in_place, (normal(3, 4),)),
    Kind(Checkpointed, lambda x: (x.sin() * x).sum(1), (normal(3, 4),)),
    Kind(LogDeterminant, log_determinant, (torch.eye(3) * 2 + 0.3,)),
    Kind(Summed, lambda *terms: sum(terms), (normal(3), normal(3))),
]


@pytest.mark.parametrize("with_like", [True, False])
@pytest.mark.parametrize("kind", RIGHT, ids=lambda kind: kind.function.__name__)
def test_a_right_function_is_all_right(kind, with_like):
    result = diagnose(kind.function, *kind.inputs, like=kind.like if with_like else None)
    assert result.passed, result
    assert [outcome.check for outcome in result.outcomes] == [*result.points]
    assert "points" not in repr(result)


def with_backward(base: type[Function], backward: Callable[..., Any]) -> type[Function]:
    return type(base.__name__, (base,), {"backward": staticmethod(backward)})


def with_forward(base: type[Function], forward: Callable[..., Any]) -> type[Function]:
    return type(base.__name__, (base,), {"forward": staticmethod(forward)})


def _saved(ctx):
    return ctx.saved_tensors


def _needed(ctx, place, gradient):
    return gradient if ctx.needs_input_grad[place] else None


def _on_ctx(ctx, x):
    ctx.x = x
    return x.sin()


def _on_class(ctx, x):
    Sine.kept = x
    return x.sin()


def _writes(ctx, g):
    (x,) = ctx.saved_tensors
    return g.mul_(x.cos())


def _scaled_intermediate(ctx, x):
    ctx.slope = x.cos()
    return x.sin()


class ByNumPy(Sorted):
    @staticmethod
    def backward(ctx, g):
        found = np.zeros(len(ctx.order))
        found[ctx.order] = g.numpy(force=True)
        return torch.as_tensor(found, dtype=g.dtype)


class RemembersTheOrder(Sorted):
    order = None

    @staticmethod
    def forward(ctx, x):
        RemembersTheOrder.order = np.argsort(x.numpy(force=True))
        return torch.as_tensor(x.numpy(force=True)[RemembersTheOrder.order])

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        found = np.zeros(len(RemembersTheOrder.order))
        found[RemembersTheOrder.order] = g.numpy()
        return torch.as_tensor(found, dtype=g.dtype)


class OneCotangent(Polar):
    @staticmethod
    def backward(ctx, g):
        return g, g


def _saves_a_number(ctx, x):
    ctx.save_for_backward(x, 2.0)
    return x.sin()


def _in_place_unmarked(ctx, x):
    x.clamp_(min=0)
    ctx.save_for_backward(x)
    return x.clone()


LINEAR = torch.nn.functional.linear
ALL = (normal(3, 4), normal(5, 4), normal(5))

WRONG = [
    ("wrong-sign", with_backward(Sine, lambda ctx, g: -g * _saved(ctx)[0].cos()), torch.sin, (normal(3, 4),)),
    (
        "wrong-factor",
        with_backward(Sine, lambda ctx, g: 3 * g * _saved(ctx)[0].cos()),
        torch.sin,
        (normal(5),),
    ),
    (
        "missing-grad-output",
        with_backward(Sine, lambda ctx, g: _saved(ctx)[0].cos()),
        torch.sin,
        (normal(5),),
    ),
    (
        "output-for-input",
        with_backward(Sine, lambda ctx, g: g * _saved(ctx)[0].sin().cos()),
        torch.sin,
        (normal(5),),
    ),
    (
        "missing-transpose",
        with_backward(Affine, lambda ctx, g: (g @ _saved(ctx)[1].t(), g.t() @ _saved(ctx)[0], g.sum(0))),
        LINEAR,
        ALL,
    ),
    (
        "missing-gradient",
        with_backward(Affine, lambda ctx, g: (g @ _saved(ctx)[1], None, g.sum(0))),
        LINEAR,
        ALL,
    ),
    (
        "needless-work",
        with_backward(Affine, lambda ctx, g: (g @ _saved(ctx)[1], g.t() @ _saved(ctx)[0], g.sum(0))),
        LINEAR,
        ALL,
    ),
    (
        "too-few-gradients",
        with_backward(Affine, lambda ctx, g: (g @ _saved(ctx)[1], g.t() @ _saved(ctx)[0])),
        LINEAR,
        ALL,
    ),
    (
        "missing-unbroadcast",
        with_backward(Scale, lambda ctx, g: (Scale.backward(ctx, g)[0], _needed(ctx, 1, g * _saved(ctx)[0]))),
        torch.mul,
        (normal(3, 4), normal(4)),
    ),
    (
        "one-grad-output-per-output",
        OneCotangent,
        lambda r, a: (r * a.cos(), r * a.sin()),
        (positive(3), normal(3)),
    ),
    (
        "input-kept-on-ctx",
        with_backward(with_forward(Sine, _on_ctx), lambda ctx, g: g * ctx.x.cos()),
        torch.sin,
        (normal(3),),
    ),
    (
        "state-on-class",
        with_backward(with_forward(Sine, _on_class), lambda ctx, g: g * Sine.kept.cos()),
        torch.sin,
        (normal(3),),
    ),
    ("state-on-class", RemembersTheOrder, lambda x: x.sort()[0], (normal(5),)),
    ("mutates-grad-output", with_backward(Sine, _writes), torch.sin, (normal(3),)),
    ("mutates-input", with_forward(ReluInPlace, _in_place_unmarked), torch.relu, (normal(5),)),
    (
        "intermediate-kept-on-ctx",
        with_backward(with_forward(Sine, _scaled_intermediate), lambda ctx, g: g * ctx.slope),
        torch.sin,
        (normal(3),),
    ),
    (
        "detached-in-backward",
        with_backward(Sine, lambda ctx, g: g * _saved(ctx)[0].detach().cos()),
        torch.sin,
        (normal(3),),
    ),
    ("numpy-in-backward", ByNumPy, lambda x: x.sort()[0], (normal(5),)),
    ("saved-a-non-tensor", with_forward(Sine, _saves_a_number), torch.sin, (normal(3),)),
    (
        "gradients-swapped",
        with_backward(Polar, lambda ctx, a, b: Polar.backward(ctx, a, b)[::-1]),
        lambda r, a: (r * a.cos(), r * a.sin()),
        (positive(3), normal(3)),
    ),
]


@pytest.mark.parametrize("with_like", [True, False])
@pytest.mark.parametrize(("mistake", "function", "like", "inputs"), WRONG, ids=[wrong[0] for wrong in WRONG])
def test_a_mistake_has_the_name_that_check_gives_it(mistake, function, like, inputs, with_like):
    result = diagnose(function, *inputs, like=like if with_like else None)
    assert result.passed == all(finding.warning for finding in result.findings)
    assert result.findings[0].mistake == mistake


class TimesRoundedPi(Function):
    """Rounds a constant of backward to float32, as torch.tensor(3.14…) does."""

    @staticmethod
    def forward(ctx, x):
        return x * np.pi

    @staticmethod
    def backward(ctx, g):
        return g * torch.tensor(np.pi)


def test_a_constant_in_float32_is_not_precise():
    result = diagnose(TimesRoundedPi, normal(3), like=lambda x: x * np.pi)
    assert result.findings[0].mistake == "not-precise"
    assert "right to only 7 digits" in result.findings[0].message


def test_what_only_a_reference_can_tell_is_told_by_it():
    assert diagnose(Sine, normal(3)).passed
    result = diagnose(Sine, normal(3), like=torch.cos)
    assert [finding.mistake for finding in result.findings] == ["forward-value"]


@pytest.mark.parametrize("size", first_now([1e3, 1e-3, 1.0]))
@settings(max_examples=10)
@given(st.integers(0, 2**32), st.integers(1, 5))
def test_no_right_polynomial_of_a_linear_map_is_accused_without_a_reference(size, seed, degree):
    random = torch.Generator().manual_seed(seed)
    coefficients = torch.randn(degree + 1, generator=random, dtype=torch.float64)
    matrix = torch.randn(3, 4, generator=random, dtype=torch.float64) / size

    def value(t, numbers):
        total = torch.zeros_like(t)
        for coefficient in reversed(numbers):
            total = total * t + coefficient
        return total

    slopes = coefficients[1:] * torch.arange(1, degree + 1)

    class Polynomial(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return value(matrix.to(x) @ x, coefficients)

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            return matrix.t().to(g) @ (g * value(matrix.to(x) @ x, slopes))

    x = size * torch.randn(4, generator=random, dtype=torch.float64)
    right = diagnose(Polynomial, x)
    assert right.passed, right

    def off_by_little(ctx, g):
        return Polynomial.backward(ctx, g) * (1 + 1e-4)

    wrong = diagnose(with_backward(Polynomial, off_by_little), x)
    if (matrix.t() @ value(matrix @ x, slopes)).abs().max() > 1e-2:  # what is tiny counts as zero
        assert not wrong.passed


class Abs(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return (x - 0.25).abs()

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * (x - 0.25).sign()


class Saw(Function):
    """Has a kink at every ten thousandth."""

    @staticmethod
    def forward(ctx, x):
        return (x * 3e4).sin().abs()

    @staticmethod
    def backward(ctx, g):
        return g


@pytest.mark.parametrize("distance", [0.0, 1e-9, 1e-6])
def test_inputs_at_a_kink_are_moved_away_from_it(distance):
    result = diagnose(Abs, torch.tensor([1.0, 0.25 + distance], dtype=torch.float64))
    assert result.passed
    assert "moved away" in result.truth


def test_where_no_differences_converge_the_entry_is_said():
    result = diagnose(Saw, torch.tensor([1.0, 0.25], dtype=torch.float64))
    assert not result.findings
    assert re.search(r"At x\[\d\] = \S+ the central differences of forward do not converge", result.refusal)
    assert "kink" in result.refusal


@pytest.mark.parametrize("distance", [0.01, 0.1, -0.1])
def test_a_point_beside_a_kink_is(distance):
    assert diagnose(Abs, torch.tensor([1.0, 0.25 + distance], dtype=torch.float64)).passed


def test_at_a_kink_another_derivative_than_that_of_the_reference_is_no_mistake():
    ones = with_backward(Abs, lambda ctx, g: g * torch.where(_saved(ctx)[0] >= 0.25, 1.0, -1.0))
    result = diagnose(ones, torch.tensor([0.25, 1.0]), like=lambda x: (x - 0.25).abs())
    assert not result.findings
    assert "both may be right" in result.refusal


class Noise(Function):
    @staticmethod
    def forward(ctx, x):
        return x + torch.rand_like(x)

    @staticmethod
    def backward(ctx, g):
        return g


class Integers(Function):
    @staticmethod
    def forward(ctx, x):
        return x.argmax()

    @staticmethod
    def backward(ctx, g):
        return None


def _raises(x):
    raise ValueError("not like this")


REFUSED = [
    (3, (normal(3),), None, "must be a subclass of torch.autograd.Function, a module or a function"),
    (torch.nn.ReLU, (normal(3),), None, "it is the class ReLU"),
    (Sine, (), None, "No input is a tensor of floats"),
    (Sine, (torch.arange(3),), None, "No input is a tensor of floats"),
    (Sine, (torch.zeros(0),), None, "No input is a tensor of floats"),
    (Sine, (normal(3), normal(3)), None, "Sine takes 1 input (x), but you passed 2."),
    (Affine, (normal(3),), None, "Affine takes 3 inputs (x, weight, bias), but you passed 1."),
    (Sine, ([normal(3)],), None, "Input 0 is a list of tensors"),
    (Sine, (torch.zeros(3, dtype=torch.complex64),), None, "Input 0 is complex"),
    (Sine, (torch.eye(2).to_sparse(),), None, "Input 0 is not a dense tensor"),
    (Sine, (np.zeros(3),), None, "No input is a tensor of floats"),
    (Sine, (normal(320),), None, "The inputs have 320 entries and the outputs 320, too many"),
    (Sine, (normal(1001),), torch.sin, "The inputs have 1001 entries and the outputs 1001, too many"),
    (Sine, (torch.tensor([1.0, torch.inf]),), None, "infinite or NaN"),
    (Sine, (normal(3),), 3, "like must be a function of the same inputs, but it is of type int."),
    (Sine, (normal(3),), _raises, "like raised ValueError"),
    (Sine, (normal(3),), lambda x: torch.from_numpy(x.numpy()), "like raised RuntimeError"),
    (Sine, (normal(3),), lambda x: 2.0, "like returns a float; it should return a tensor"),
    (Sine, (normal(3),), lambda x: x.sum(), "Sine returns a tensor of shape (3,), but like returns"),
    (Sine, (normal(3),), lambda x: (x.sin(), x), "like returns a tensor of shape (3,) and a tensor of"),
    (Sine, (normal(3),), lambda x: x.sin().detach(), "No output of like requires grad"),
    (Sine, (normal(3),), lambda x: x.sin().float(), "like returns float32 for float64 inputs"),
    (Noise, (normal(3),), None, "forward gives different outputs for the same inputs"),
    (Integers, (normal(3),), None, "No output of forward is a float tensor"),
]


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(
    ("function", "inputs", "like", "said"), REFUSED, ids=[refused[3] for refused in REFUSED]
)
def test_what_cannot_be_judged_is_refused_in_a_sentence(function, inputs, like, said):
    result = diagnose(function, *inputs, like=like)
    assert said in result.refusal
    assert not result.passed
    assert not result.findings
    assert "could not be judged" in repr(result)
    assert "could not be judged" in result._repr_html_()


class OnceOnly(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.sin()

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        return g * ctx.saved_tensors[0].cos()


def test_the_card_says_what_was_compared():
    assert "central differences of forward" in diagnose(Sine, normal(3)).truth
    result = diagnose(Sine, normal(3), like=torch.sin)
    assert "autograd through like" in result.truth
    assert result.truth in repr(result)
    assert result.truth in result._repr_html_()


def test_where_the_reference_has_no_second_derivative_none_is_compared():
    result = diagnose(Sine, normal(3), like=OnceOnly.apply)
    assert result.passed
    assert "second order" not in result.points
    assert "cannot be differentiated twice" in result.truth


def below_one(x, p):
    if not 0 < p < 1:
        raise ValueError("p must lie between 0 and 1")
    return x * p


class FactorsOfItsOwn(Function):
    @staticmethod
    def forward(ctx, x, p):
        return below_one(x, p)

    @staticmethod
    def backward(ctx, g):
        return g * torch.tensor([0.31, 0.77, 0.13], dtype=g.dtype), None


def test_a_reference_that_refuses_other_numbers_explains_nothing_and_is_no_obstacle():
    result = diagnose(FactorsOfItsOwn, normal(3), 0.5, like=below_one)
    assert [finding.check for finding in result.findings] == ["gradient"]


def test_a_forward_that_raises_is_told_with_its_line():
    result = diagnose(Affine, normal(3, 4), normal(5, 3))
    (finding,) = result.findings
    assert finding.check == "forward"
    assert "forward raised RuntimeError" in finding.message
    assert "x @ weight.t()" in finding.message


class NotRecorded(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.tanh()

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        x = ctx.saved_tensors[0].detach().requires_grad_()
        return torch.autograd.grad(x.tanh(), x, g)


def test_a_pass_inside_backward_without_a_graph_gets_a_hint_about_backward():
    (finding,) = diagnose(NotRecorded, normal(3), like=torch.tanh).findings
    assert "element 0 of tensors does not require grad" in finding.message
    assert finding.hint.endswith("Were the operations before it recorded?")


def test_what_the_caller_has_stays_as_it_is():
    x, start = normal(3, 4).requires_grad_(), torch.get_rng_state()
    before, version = x.detach().clone(), x._version
    with torch.no_grad():
        assert diagnose(ReluInPlace, x, like=in_place).passed
        assert not torch.is_grad_enabled()
    assert torch.equal(x, before)
    assert x.grad is None
    assert x._version == version
    assert torch.equal(torch.get_rng_state(), start)


def test_the_same_call_gives_the_same_card():
    function, inputs = with_backward(Sine, lambda ctx, g: 3 * g), (normal(3, 4),)
    assert repr(diagnose(function, *inputs)) == repr(diagnose(function, *inputs))


WORK = """
import torch
from torch.autograd import Function

print("loaded")

class Scaled(Function):
    @staticmethod
    def forward(ctx, x, scale, shape=None):
        ctx.scale = scale
        return x * scale

    @staticmethod
    def backward(ctx, g):
        return g * ctx.scale, None, None

class Wrong(Scaled):
    @staticmethod
    def backward(ctx, g):
        return -g * ctx.scale, None, None

class InPlace(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.mark_dirty(x)
        return x.mul_(3)

    @staticmethod
    def backward(ctx, g):
        return g * 3

class Exits(Scaled):
    @staticmethod
    def backward(ctx, g):
        import os
        os._exit(3)

def reference(x, scale, shape=None):
    return x * scale

def of_another_shape(x, scale, shape=None):
    return (x * scale).sum()

def once(x, scale):
    return Once.apply(x * scale)

class Once(Function):
    @staticmethod
    def forward(ctx, x):
        return x.clone()

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, g):
        return g.clone()

def triple(x):
    return x * 3

number = 3
"""


@pytest.fixture
def run(tmp_path, capsys):
    path = tmp_path / "my_ops.py"
    path.write_text(WORK)

    def run(name: str, inputs: str, *more: str) -> tuple[int, str, str]:
        named = [f"{path}:{other[1:]}" if other.startswith(":") else other for other in more]
        try:
            status = main([f"{path}:{name}", "--inputs", inputs, *named])
        except SystemExit as ended:  # argparse
            status = int(str(ended.code))
        said = capsys.readouterr()
        return status, said.out, said.err

    return run


@pytest.mark.parametrize(
    ("name", "inputs", "more"),
    [
        ("Scaled", "torch.rand(3).double() + 1, -2", ("--like", ":reference")),
        *for_test_all(
            [
                ("Scaled", "randn(3, 4), 2.5, (1, 2)", ()),
                ("InPlace", "randn(2)", ("--like", ":triple")),
                ("Scaled", "randn(2), 3.0", ("--like", ":once")),
            ]
        ),
    ],
)
def test_on_the_command_line_a_right_function_exits_with_0(run, name, inputs, more):
    status, said, error = run(name, inputs, *more)
    assert (status, error) == (0, "")
    assert f"{name}: all right\n" in said
    assert "loaded" in said


def test_on_the_command_line_a_wrong_function_exits_with_1_and_json_names_the_mistake(run):
    status, said, error = run("Wrong", "randn(3, 4), 2.5", "--like", ":reference", "--json")
    told = json.loads(said)
    assert (status, error) == (1, "")
    assert told["passed"] is False
    assert told["file"].endswith("my_ops.py:Wrong")
    assert [(finding["mistake"], finding["input"]) for finding in told["findings"]] == [("wrong-sign", "x")]


@pytest.mark.parametrize(
    ("name", "inputs", "more", "said"),
    [
        ("Missing", "randn(3)", (), "does not define Missing."),
        ("number", "randn(3)", (), "it is of type int"),
        ("Scaled", "randn(3", (), "--inputs cannot be parsed"),
        ("Scaled", "open('x'), 2", (), "--inputs may call randn,"),
        ("Scaled", "randn(3), 2", ("--like", ":of_another_shape"), "like must compute the same function."),
        *for_test_all(
            [
                (
                    "Scaled",
                    "randn(3), 2",
                    ("--like", ":number"),
                    "number must be a function of the same inputs",
                ),
                ("Scaled", "randn(3), 2", ("--like", ":nothing"), "does not define nothing."),
                ("Scaled", "randn(3), 2", ("--like", "no_such.py:nothing"), "There is no file no_such.py."),
                ("Exits", "randn(3), 2", (), "ended its own process (exit status 3)"),
            ]
        ),
    ],
)
def test_on_the_command_line_what_cannot_be_run_exits_with_2_and_a_sentence(run, name, inputs, more, said):
    status, told, error = run(name, inputs, *more)
    assert status == 2
    assert said in told
    assert error == ""
    assert len(told.strip().splitlines()) == 2


def test_what_cannot_be_run_is_told_in_json_too(run):
    status, told, _ = run("Scaled", "open('x'), 2", "--json")
    assert status == 2
    assert "--inputs may call randn," in json.loads(told)["error"]
    assert not json.loads(told)["passed"]


def test_the_readme_shows_what_its_command_prints(monkeypatch, capsys):
    commands = re.findall(r"^(?:\.venv/bin/)?vjpcheck .*$", (ROOT / "README.md").read_text(), re.MULTILINE)
    monkeypatch.chdir(ROOT)
    shown, compared = (shlex.split(command)[1:] for command in commands)
    assert main(shown) == 1
    place, *card = capsys.readouterr().out.strip().splitlines()
    assert place == shown[0]
    picture = ElementTree.parse(ROOT / "site" / "pictures" / "diagnose.svg")
    drawn = ["".join(text.itertext()) for text in picture.iterfind("{http://www.w3.org/2000/svg}text")]
    assert drawn == [f"$ {commands[0]}", *card], "make pictures draws it again"
    assert main([*compared, "--json"]) == 1
    (finding,) = json.loads(capsys.readouterr().out)["findings"]
    assert finding["mistake"] == "missing-normaliser-term"


def test_a_place_without_a_name_is_refused(capsys):
    with pytest.raises(SystemExit, match="2"):
        main(["my_ops.py", "--inputs", "randn(3)"])
    assert "is not FILE:NAME" in capsys.readouterr().err


ALLOWED = {
    "ones(2, 3), None, True, 'sum', -1.5": [torch.ones(2, 3), None, True, "sum", -1.5],
    "torch.arange(6).reshape(2, 3).t(), (1, 2), [3]": [torch.arange(6).reshape(2, 3).T, (1, 2), [3]],
    "eye(3, dtype=torch.float64) * 2 + full((3, 3), 0.5)": [torch.eye(3).double() * 2 + 0.5],
    "tensor([[1.0, 2.0]]).abs().mT": [torch.tensor([[1.0], [2.0]])],
    "linspace(0, 1, 3),": [torch.linspace(0, 1, 3)],
    "": [],
}


@pytest.mark.parametrize("text", ALLOWED)
def test_inputs_are_factories_and_literals(text):
    for found, expected in zip(evaluate(text), ALLOWED[text], strict=True):
        assert type(found) is type(expected)
        assert torch.equal(found, expected) if isinstance(found, torch.Tensor) else found == expected


def test_random_inputs_are_the_same_each_time_and_leave_the_generator_alone():
    before = torch.get_rng_state()
    one, other = evaluate("randn(3), randn(3)")
    assert torch.equal(one, evaluate("randn(3)")[0])
    assert not torch.equal(one, other)
    assert torch.equal(torch.get_rng_state(), before)


FORBIDDEN = [
    "__import__('os')",
    "torch.load('x')",
    "torch.hub.load('x')",
    "randn(3).numpy()",
    "randn(3).__class__",
    "(1).__class__",
    "'x'.join(['y'])",
    "[0] * 10**9",
    "(0,) * 1000000000",
    "2 ** 100",
    "lambda: 1",
    "[x for x in range(3)]",
    "x",
    "f'{1}'",
    "randn(*[3])",
    "randn(3)[0]",
    "randn(3",
    "1, 2] + [3",
    "randn(-1)",
    "b'x'",
    "-" * 10000 + "1",
]


@pytest.mark.parametrize("text", FORBIDDEN, ids=lambda text: text[:20])
def test_nothing_else_is_evaluated(text):
    with pytest.raises(CannotRun, match=r"--inputs.*\.$"):
        evaluate(text)


@given(st.text(max_size=30))
def test_any_text_is_inputs_or_is_refused(text):
    with contextlib.suppress(CannotRun):
        evaluate(text)


class ForwardStub(Function):
    @staticmethod
    def forward(ctx, x):
        raise NotImplementedError

    @staticmethod
    def backward(ctx, g):
        raise NotImplementedError


class BackwardStub(Sine):
    @staticmethod
    def backward(ctx, g):
        raise NotImplementedError


def typed_at_a_prompt():
    """Return a stub whose source Python cannot look up, as with code that was typed at a prompt."""
    names = {"Sine": Sine}
    body = "    @staticmethod\n    def backward(ctx, g):\n        raise NotImplementedError\n"
    exec(f"class Typed(Sine):\n{body}", names)
    return names["Typed"]


@pytest.mark.parametrize("like", [torch.sin, None])
@pytest.mark.parametrize(
    ("stub", "method"),
    [(ForwardStub, "forward"), (BackwardStub, "backward"), (typed_at_a_prompt(), "backward")],
)
def test_a_stub_is_not_started(stub, method, like):
    result = diagnose(stub, normal(3), like=like)
    (finding,) = result.findings
    assert finding.message == f"not started: {method} still raises NotImplementedError."
    assert str(result).startswith(f"{stub.__name__}: not started\n")


def test_an_operation_without_a_kernel_is_no_stub():
    class NoKernel(Sine):
        @staticmethod
        def backward(ctx, g):
            return torch.empty(3, device="meta").tolist()

    result = diagnose(NoKernel, normal(3), like=torch.sin)
    assert not result.not_started
    assert "backward raised NotImplementedError (line " in result.findings[0].message


class Masked(Function):
    """x where a tensor of booleans says so, else 0."""

    @staticmethod
    def forward(ctx, x, mask):
        ctx.save_for_backward(mask)
        return torch.where(mask, x, 0.0)

    @staticmethod
    def backward(ctx, g):
        (mask,) = ctx.saved_tensors
        return torch.where(mask, g, 0.0), None


class AwayFrom(Function):
    """Half the sum of the squares of x - target, where the target has no gradient."""

    @staticmethod
    def forward(ctx, x, target):
        ctx.save_for_backward(x, target)
        return (x - target).square().sum() / 2

    @staticmethod
    def backward(ctx, g):
        x, target = ctx.saved_tensors
        return g * (x - target), None


class SumTimesWeight(Function):
    """(a + b) @ weight: one product is the gradient of both summands."""

    @staticmethod
    def forward(ctx, a, b, weight):
        ctx.save_for_backward(a, b, weight)
        return (a + b) @ weight

    @staticmethod
    def backward(ctx, g):
        a, b, weight = ctx.saved_tensors
        needs_a, needs_b, needs_weight = ctx.needs_input_grad
        both = g @ weight.T if needs_a or needs_b else None
        of_weight = (a + b).T @ g if needs_weight else None
        return both if needs_a else None, both if needs_b else None, of_weight


class Returned(Function):
    """x itself, of which apply makes a tensor of its own; the gradient of the identity."""

    @staticmethod
    def forward(ctx, x):
        return x

    @staticmethod
    def backward(ctx, g):
        return g


class Added(Function):
    """x plus a bias, which may have no entries."""

    @staticmethod
    def forward(ctx, x, bias):
        ctx.has_bias = bias.numel() > 0
        return x + bias if ctx.has_bias else x.clone()

    @staticmethod
    def backward(ctx, g):
        return g, g.sum(0) if ctx.has_bias else None


@pytest.mark.parametrize("with_reference", [True, False])
@pytest.mark.parametrize(
    ("function", "inputs", "like"),
    [
        (Masked, (normal(3, 4), normal(3, 4) > 0), lambda x, mask: torch.where(mask, x, 0.0)),
        (
            AwayFrom,
            (normal(3).requires_grad_(), normal(3)),
            lambda x, target: (x - target).square().sum() / 2,
        ),
        (SumTimesWeight, (normal(3, 4), normal(3, 4), normal(4, 2)), lambda a, b, w: (a + b) @ w),
        (Returned, (normal(3),), lambda x: x * 1),
        (Added, (normal(2, 3), torch.empty(0)), lambda x, bias: x + 0 * bias.sum()),
        # as float32 holds them, they are farther apart than a right gradient may be off
        (Sine, (1e4 + normal(5),), torch.sin),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_what_real_functions_are_given_is_no_mistake(function, inputs, like, with_reference):
    result = diagnose(function, *inputs, like=like if with_reference else None)
    assert result.passed, str(result)


class ThreeWays(Function):
    """x, 2 x and 3 x; backward wants a cotangent for the first or the second."""

    @staticmethod
    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        return x * 1, x * 2, x * 3

    @staticmethod
    def backward(ctx, one, two, three):
        known = torch.zeros_like(two if one is None else one)
        one, two, three = (known if each is None else each for each in (one, two, three))
        return one + 2 * two + 3 * three


def test_each_output_is_also_used_alone():
    (finding,) = diagnose(ThreeWays, normal(3), like=lambda x: (x * 1, x * 2, x * 3)).findings
    assert finding.mistake == "none-gradient-unhandled"

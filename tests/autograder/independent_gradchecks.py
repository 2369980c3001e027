"""The exercises about gradcheck, judged by NumPy's differences, torch's Jacobians and torch's gradcheck."""

from __future__ import annotations

import sys
from collections.abc import Callable
from itertools import product
from types import CodeType
from typing import Any

import numpy as np
import torch
from left_alone import agree, left_alone
from torch import Tensor
from torch.autograd import Function, gradcheck
from torch.autograd.functional import jacobian


def draw(*shape: int, requires_grad: bool = True, transposed: bool = False) -> Tensor:
    drawn = torch.randn(shape[::-1] if transposed else shape, dtype=torch.float64)
    drawn = drawn.T if transposed else drawn
    return (drawn.sign() * (drawn.abs() + 0.3)).requires_grad_(requires_grad)


SEVERAL: list[tuple[Callable[..., Tensor], Callable[[], tuple[Tensor, ...]]]] = [
    (lambda x: x**5, lambda: (draw(4),)),
    (lambda x: x**5, lambda: (draw(4),)),
    (lambda x: torch.exp(x).sum(), lambda: (draw(2, 3),)),
    (lambda x: x * x * x, lambda: (draw(),)),
    (lambda x: (x**3).T.reshape(-1), lambda: (draw(3, 2, transposed=True),)),
    (lambda x: x.T, lambda: (draw(3, 2),)),
    (lambda x: x[1:], lambda: (draw(3, 2),)),
    (lambda x: x**3, lambda: (torch.zeros(3, dtype=torch.float64, requires_grad=True),)),
    (lambda a, b: a**3 @ torch.sin(b), lambda: (draw(2, 3), draw(3, 4))),
    (lambda a, b, c: a**4 + 0 * c.sum(), lambda: (draw(3), draw(2), draw(2, 2))),
    (lambda a, b, c: a * b.sum() ** 3 + torch.cos(c), lambda: (draw(), draw(1, 2), draw(2, 3))),
]


def numerical_jacobian(work: Any) -> bool:
    """Compare with differences of NumPy arrays, with several steps, for inputs that require grad or not."""
    kept: list[tuple[Any, Tensor]] = []
    for (fn, make), eps, flag in product(SEVERAL, (0.3, 0.02), (True, False)):
        inputs = tuple(x.detach().requires_grad_(flag) for x in make())
        same, found = left_alone(inputs, work, fn, inputs, eps)
        if not same or not isinstance(found, (tuple, list)) or len(found) != len(inputs):
            return False
        for position, matrix in enumerate(found):
            kept.append((matrix, torch.tensor(_measured(fn, inputs, position, eps))))
            if not agree(*kept[-1], 1e-11):
                return False
    return all(agree(matrix, truth, 1e-11) for matrix, truth in kept)


def _measured(fn: Callable[..., Tensor], inputs: tuple[Tensor, ...], position: int, eps: float) -> np.ndarray:
    columns = []
    for place in np.ndindex(*inputs[position].shape):
        ends = []
        for sign in (1, -1):
            arrays = [x.detach().numpy().copy() for x in inputs]
            arrays[position][place] += sign * eps
            ends.append(fn(*map(torch.tensor, arrays)).numpy().ravel())
        columns.append((ends[0] - ends[1]) / (2 * eps))
    return np.array(columns).T


class Odd(Function):
    """The product of two tensors, whose gradients are wrong: 3·g·b, and none for the second."""

    @staticmethod
    def forward(ctx: Any, a: Tensor, b: Tensor) -> Tensor:
        ctx.save_for_backward(b)
        return a * b

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> Any:
        return 3 * g * ctx.saved_tensors[0] + g.flip(0), None


def analytical_jacobian(work: Any) -> bool:
    """Compare with torch's own Jacobian, and count the passes through the output."""
    kept: list[tuple[Any, Tensor]] = []
    odd: Any = (Odd.apply, lambda: (draw(3), draw(3)))
    for fn, make in [*SEVERAL, odd, SEVERAL[0]]:
        inputs = make()
        passes: list[int] = []

        def counted(*given: Tensor, fn: Any = fn, passes: list[int] = passes) -> Tensor:
            output = fn(*given) * 1.0
            if output.requires_grad:
                output.register_hook(lambda _: passes.append(1))
            return output

        same, found = left_alone(inputs, work, counted, inputs)
        truth = jacobian(fn, inputs)
        rows = fn(*inputs).numel()
        if not same or not isinstance(found, (tuple, list)) or len(found) != len(inputs):
            return False
        kept += [(J, T.reshape(rows, -1)) for J, T in zip(found, truth, strict=True)]
        # those of earlier calls too
        if not all(agree(J, T, 1e-12) for J, T in kept) or len(passes) > rows * len(inputs):
            return False
    return True


def linear(true: Tensor, returned: Tensor) -> Callable[..., Tensor]:
    """Return x ↦ true @ x, whose backward takes another matrix for it."""

    class Linear(Function):
        @staticmethod
        def forward(ctx: Any, x: Tensor) -> Tensor:
            return true @ x

        @staticmethod
        def backward(ctx: Any, g: Tensor) -> Tensor:
            return g @ returned

    return Linear.apply


def my_gradcheck(work: Any) -> bool:
    """Ask about random matrices near the tolerances, and about inputs that are frozen."""
    generator = np.random.default_rng(8)
    for trial in range(60):
        atol, rtol = generator.choice([0.0, 1e-3, 0.3]), generator.choice([0.0, 1e-3, 0.4])
        true = torch.tensor(generator.integers(-3, 4, (3, 2)).astype(float))
        # in quarters of the tolerance, and never so near to it that rounding decides
        share = torch.tensor(generator.choice([0.0, 0.25, 0.5, 0.75, 0.9], (3, 2)))
        if trial % 2:
            share[generator.integers(3), generator.integers(2)] = generator.choice([1.1, 1.4, 2.5])
        sign = torch.tensor(generator.choice([-1.0, 1.0], (3, 2)))
        returned = true + sign * share * (atol + rtol * true.abs())
        fn = linear(true, returned)
        x = torch.tensor(generator.integers(-4, 5, 2).astype(float), requires_grad=True)
        if not _says_the_same(work, fn, (x,), (0.25, atol, rtol)):
            return False
    half, one = torch.tensor([[1.5]]).double(), torch.tensor([[1.0]]).double()
    on_the_boundary = torch.tensor([2.0], dtype=torch.float64, requires_grad=True)
    if not _says_the_same(work, linear(one, half), (on_the_boundary,), (0.25, 0.5, 0.0)):
        return False
    if not _says_the_same(work, lambda x: x[1:], (draw(3, 2),), (1e-6, 1e-5, 1e-3)):
        return False
    product_of: list[Callable[..., Tensor]] = [
        lambda a, b, c: Thrice.apply(a, b, c, (1.0, 1.0, 1.0)),
        lambda a, b, c: Thrice.apply(a, b, c, (1.1, 1.0, 1.0)),
        lambda a, b, c: Thrice.apply(a, b, c, (1.0, 1.1, 1.0)),
        lambda a, b, c: Thrice.apply(a, b, c, (1.0, 1.0, float("nan"))),
        lambda a, b, c: Thrice.apply(a, b, c, (1.0, 0.0, 1.0)),
        lambda a, b, c: a**3 * c + 0 * b.detach(),
    ]
    for fn, flags in product(product_of, product((True, False), repeat=3)):
        if not any(flags) or (fn is product_of[-1] and not (flags[0] or flags[2])):
            continue
        inputs = tuple(draw(2, 3, requires_grad=flag, transposed=flag) for flag in flags)
        if not _says_the_same(work, fn, inputs, (1e-6, 1e-5, 1e-3)):
            return False
    steep = (draw(3),)
    return all(
        _says_the_same(work, fn, steep, (eps, 1e-5, 1e-3))
        for fn, eps in product((lambda x: x**4, lambda x: (x * x).sum(), OneSided.apply), (0.25, 1e-5))
    )


class Thrice(Function):
    """a·b·c, each gradient times a number."""

    @staticmethod
    def forward(ctx: Any, a: Tensor, b: Tensor, c: Tensor, times: tuple[float, ...]) -> Tensor:
        ctx.save_for_backward(a, b, c)
        ctx.times = times
        return a * b * c

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> Any:
        a, b, c = ctx.saved_tensors
        k, m, n = ctx.times
        return k * g * b * c, (m * g * a * c if m else None), n * g * a * b, None


class OneSided(Function):
    """x², whose backward is the difference to the right by 0.25."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> Tensor:
        return g * (2 * ctx.saved_tensors[0] + 0.25)


def _says_the_same(work: Any, fn: Any, inputs: tuple[Tensor, ...], tolerances: tuple[float, ...]) -> bool:
    eps, atol, rtol = tolerances
    truth = gradcheck(fn, inputs, eps=eps, atol=atol, rtol=rtol, raise_exception=False)
    same, found = left_alone(inputs, work, fn, inputs, eps, atol, rtol)
    return same and bool(found) == truth and np.asarray(found).dtype == bool


def fool_gradcheck(work: Any) -> bool:
    """Ask gradcheck, then look for a wrong first derivative in many places and ways of use."""
    for shape in ((), (3,), (2, 5), (500,)):
        x = 50 * torch.randn(shape, dtype=torch.float64)
        if not torch.allclose(work.apply(x), x * x, rtol=1e-9):
            return False
    points = torch.tensor((1.0, 2.0, 3.0), dtype=torch.float64, requires_grad=True)
    if not gradcheck(work.apply, points, raise_exception=False):
        return False
    special = [0.0, 1.0, 2.0, 3.0, 1.5, 2.5, -1.0, -2.0, 4.0, 5.0, 10.0, 100.0, 1000.0]
    scales = 10.0 ** torch.linspace(-8, 8, 400, dtype=torch.float64)
    places = [
        torch.randn(s, dtype=torch.float64) * k
        for s in ((), *((n,) for n in range(2, 7)), (2, 5), (2, 3, 4))
        for k in (1, 30)
    ]
    places += [torch.tensor(special, dtype=torch.float64), torch.cat([scales, -scales])]
    every = [torch.rand(2, 3, dtype=torch.float64) + 1, torch.rand(3, 1, 2, 4, dtype=torch.float64)]
    places += [sign * times * each for each in every for sign in (1, -1) for times in (1.0, 30.0, 500.0)]
    places += [torch.linspace(-30, 30, 6001, dtype=torch.float64), points.detach(), points.detach().float()]
    written = [v for v in vars(sys.modules[work.__module__]).values() if isinstance(v, (int, float))]
    written += [number for method in (work.forward, work.backward) for number in _numbers(method.__code__)]
    beside = [sign * times * v for v in written for sign in (1, -1) for times in (0.5, 1.0, 2.0)]
    places.append(torch.tensor([0.0, *beside], dtype=torch.float64))
    cotangents = [None, 1.0, 1e6, 1e-8, 1e-30, *(10 * v for v in written if abs(v) > 1e6)]
    cotangents += [0.1 * v for v in written if 0 < abs(v) < 1]
    return any(_is_wrong(work, x, scale) for x in places for scale in cotangents)


def _numbers(code: CodeType) -> list[float]:
    """Return the numbers that are written in a function, and in those inside it."""
    inner = [number for c in code.co_consts if isinstance(c, CodeType) for number in _numbers(c)]
    return [float(c) for c in code.co_consts if isinstance(c, (int, float))] + inner


def _is_wrong(work: Any, x: Tensor, scale: float | None) -> bool:
    x = x.clone().requires_grad_()
    y = work.apply(x)
    g = torch.ones_like(y) if scale is None else scale * torch.randn_like(y)
    work.apply(x + 1)
    results = []
    for create_graph in (False, True):
        try:
            found = torch.autograd.grad(y, x, g, create_graph=create_graph, retain_graph=True)[0]
        except RuntimeError:
            continue
        relative, size = 1e-4 if x.dtype == torch.float32 else 1e-11, scale or 1.0
        results.append(not torch.allclose(found / size, 2 * x * g / size, rtol=relative))
    return any(results)

"""Random programs: expression graphs with fan-out, broadcasting, reductions and repeated indices."""

from __future__ import annotations

import numpy as np
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import course.engine as engine
from course.engine import Tensor

SHAPES = [(), (3,), (2, 1), (2, 3)]
UNARY = ["sin", "tanh", "exp_of_tanh", "square", "sigmoid", "neg", "sum_rows", "take", "half"]
BINARY = ["add", "sub", "mul", "div", "power"]

programs = st.lists(
    st.tuples(st.sampled_from(UNARY + BINARY), st.integers(0, 30), st.integers(0, 30)),
    min_size=1,
    max_size=14,
)
seeds = st.integers(0, 2**32 - 1)


def step(library, name, a, b):
    """Take one step of a program with either library."""
    if name == "exp_of_tanh":
        return library.exp(library.tanh(a))
    if name == "square":
        return a * a
    if name == "neg":
        return 1 - a
    if name == "half":
        return a / 2
    if name == "sum_rows":
        return library.sum(a, -1) if len(a.shape) else a + a
    if name == "take":
        return a[[0, 0, len(a.data) - 1]] if len(a.shape) else -a
    if name == "power":
        return (a * a + 0.5) ** library.tanh(b)
    if name == "div":
        return a / (b * b + 1)
    simple = {"add": lambda: a + b, "sub": lambda: a - b, "mul": lambda: library.sin(a) * b}
    if name in simple:
        return simple[name]()
    return getattr(library, name)(a)


def fits(a, b):
    """Say whether two shapes broadcast."""
    return all(n == m or 1 in (n, m) for n, m in zip(reversed(a.shape), reversed(b.shape), strict=False))


def run(library, program, leaves):
    """Run a program; each step takes its operands from all that there is so far."""
    values = [*leaves]
    for name, i, j in program:
        a, b = values[i % len(values)], values[j % len(values)]
        values.append(step(library, name, a, b if fits(a, b) else a))
    return values[-1]


def leaves_of(seed):
    """Return an array for each shape, the same for the same seed."""
    generator = np.random.default_rng(seed)
    return [generator.uniform(-1.5, 1.5, shape) for shape in SHAPES]


def derivatives(module, leaves, output, seed):
    """Return the gradients, and the gradients of the sum of sines of the gradients."""
    first = module.grad(output, leaves, seed, create_graph=True, allow_unused=True)
    sine = torch.sin if module is torch.autograd else engine.sin
    scalar = sum((sine(g).sum() for g in first if g is not None), 0)
    if isinstance(scalar, int) or not scalar.requires_grad:
        return first, [None] * len(leaves)
    return first, module.grad(scalar, leaves, allow_unused=True)


@settings(max_examples=200, deadline=None)
@given(programs, seeds)
def test_programs_agree_with_torch(program, seed):
    """Value, gradient, second derivative and the inputs that get None are torch's."""
    arrays = leaves_of(seed)
    ours = [Tensor(a, requires_grad=True) for a in arrays]
    theirs = [torch.tensor(a, requires_grad=True) for a in arrays]
    output, expected = run(engine, program, ours), run(torch, program, theirs)
    np.testing.assert_allclose(output.data, expected.detach().numpy(), rtol=1e-9, atol=1e-12)
    cotangent = np.cos(np.arange(1.0, output.size + 1)).reshape(output.shape)
    got = derivatives(engine, ours, output, Tensor(cotangent))
    want = derivatives(torch.autograd, theirs, expected, torch.tensor(cotangent))
    assert [g is None for g in got[0]] == [g is None for g in want[0]]
    for order, (mine, reference) in enumerate(zip(got, want, strict=True), start=1):
        for g, w, x in zip(mine, reference, arrays, strict=True):
            # A second derivative that is zero may be None here and zeros there: the same number.
            g = np.zeros(x.shape) if g is None else g.data
            w = np.zeros(x.shape) if w is None else w.detach().numpy()
            assert np.shape(g) == x.shape
            np.testing.assert_allclose(g, w, rtol=1e-7, atol=1e-9, err_msg=f"derivative of order {order}")


@settings(max_examples=50, deadline=None)
@given(programs, seeds)
def test_recorded_and_plain_passes_agree(program, seed):
    """With create_graph, where adjoints are Tensors, the gradients are those of the plain pass."""
    leaves = [Tensor(a, requires_grad=True) for a in leaves_of(seed)]
    output = engine.sum(run(engine, program, leaves))
    plain = engine.grad(output, leaves, retain_graph=True, allow_unused=True)
    recorded = engine.grad(output, leaves, create_graph=True, allow_unused=True)
    for p, r in zip(plain, recorded, strict=True):
        assert (p is None) == (r is None)
        if p is not None:
            np.testing.assert_allclose(p.data, r.data, rtol=1e-12, atol=1e-14)

"""Each operation gives torch's value, gradient and second derivative, in float64."""

from __future__ import annotations

import operator

import numpy as np
import pytest
import torch

import course.engine as engine
from course.engine import Tensor

A = np.array([[0.5, -1.25, 2.0], [1.5, 0.75, -0.5]])
POSITIVE = np.abs(A) + 0.25
ROW = np.array([0.3, -0.7, 1.1])
COLUMN = np.array([[0.4], [-1.3]])
STACK = np.linspace(-1.0, 1.0, 24).reshape(2, 3, 4)
SQUARES = np.linspace(-0.9, 1.2, 32).reshape(2, 4, 4)

OPERATIONS = {
    "add": (lambda a, b: a + b, lambda a, b: a + b, (A, ROW)),
    "add itself": (lambda a: a + a, lambda a: a + a, (A,)),
    "add a number": (lambda a: 2 + a + 3, lambda a: 2 + a + 3, (A,)),
    "sub": (lambda a, b: a - b, lambda a, b: a - b, (ROW, COLUMN)),
    "sub from a number": (lambda a: 1 - a, lambda a: 1 - a, (A,)),
    "mul": (lambda a, b: a * b, lambda a, b: a * b, (A, COLUMN)),
    "mul by itself": (lambda a: a * a, lambda a: a * a, (A,)),
    "mul by a scalar": (lambda a, b: a * b, lambda a, b: a * b, (A, np.array(1.5))),
    "div": (lambda a, b: a / b, lambda a, b: a / b, (A, COLUMN)),
    "div a number": (lambda a: 2 / a, lambda a: 2 / a, (A,)),
    "power": (lambda a, b: a**b, lambda a, b: a**b, (POSITIVE, ROW)),
    "power of a number": (lambda a: 2.0**a, lambda a: 2.0**a, (A,)),
    "cube": (lambda a: a**3, lambda a: a**3, (A,)),
    "power -0.5": (lambda a: a**-0.5, lambda a: a**-0.5, (POSITIVE,)),
    "power 0 at 0": (lambda a: a**0, lambda a: a**0, (np.array([0.0, 2.0]),)),
    "power 1 at 0": (lambda a: a**1, lambda a: a**1, (np.array([0.0, 2.0]),)),
    "power 2 at 0": (lambda a: a**2, lambda a: a**2, (np.array([0.0, 2.0]),)),
    "neg": (lambda a: -a, lambda a: -a, (A,)),
    "abs": (lambda a: abs(a), lambda a: abs(a), (np.array([-1.5, 0.0, 2.0]),)),
    "exp": (engine.exp, torch.exp, (A,)),
    "log": (engine.log, torch.log, (POSITIVE,)),
    "sin": (engine.sin, torch.sin, (A,)),
    "cos": (engine.cos, torch.cos, (A,)),
    "tanh": (engine.tanh, torch.tanh, (A,)),
    "sqrt": (engine.sqrt, torch.sqrt, (POSITIVE,)),
    "sigmoid": (engine.sigmoid, torch.sigmoid, (A,)),
    "sigmoid far out": (engine.sigmoid, torch.sigmoid, (np.array([-800.0, -40.0, 800.0]),)),
    "relu": (engine.relu, torch.relu, (np.array([-1.5, 0.0, 2.0]),)),
    "where": (
        lambda a, b: engine.where(a > 0, a * b, b),
        lambda a, b: torch.where(a > 0, a * b, b),
        (A, ROW),
    ),
    "sum": (lambda a: a.sum() ** 2, lambda a: a.sum() ** 2, (A,)),
    "sum axis": (lambda a: a.sum(1) ** 2, lambda a: a.sum(1) ** 2, (STACK,)),
    "sum axes": (lambda a: a.sum((0, -1)) ** 2, lambda a: a.sum((0, -1)) ** 2, (STACK,)),
    "sum keepdims": (lambda a: a.sum(-1, keepdims=True) * a, lambda a: a.sum(-1, keepdim=True) * a, (A,)),
    "mean": (lambda a: a.mean() ** 2, lambda a: a.mean() ** 2, (A,)),
    "mean axis": (lambda a: a.mean(0) ** 2, lambda a: a.mean(0) ** 2, (A,)),
    "matmul": (lambda a, b: a @ b, lambda a, b: a @ b, (A, A.T.copy())),
    "matmul in stacks": (lambda a, b: a @ b, lambda a, b: a @ b, (STACK, SQUARES)),
    "matmul broadcast": (lambda a, b: a @ b, lambda a, b: a @ b, (STACK[0], SQUARES)),
    "vector by matrix": (lambda a, b: a @ b, lambda a, b: a @ b, (ROW, A.T.copy())),
    "matrix by vector": (lambda a, b: a @ b, lambda a, b: a @ b, (A, ROW)),
    "vector by vector": (lambda a, b: a @ b, lambda a, b: a @ b, (ROW, ROW + 1)),
    "vector by stack": (lambda a, b: a @ b, lambda a, b: a @ b, (ROW, STACK)),
    "stack by vector": (lambda a, b: a @ b, lambda a, b: a @ b, (SQUARES, STACK[0, 0])),
    "transpose": (lambda a, b: a.T * b, lambda a, b: a.T * b, (A, COLUMN.T.copy())),
    "transpose axes": (lambda a: a.transpose(2, 0, 1) ** 2, lambda a: a.permute(2, 0, 1) ** 2, (STACK,)),
    "reshape": (lambda a: a.reshape(3, -1) ** 2, lambda a: a.reshape(3, -1) ** 2, (A,)),
    "broadcast_to": (
        lambda a: engine.broadcast_to(a, (4, 2, 3)) ** 2,
        lambda a: torch.broadcast_to(a, (4, 2, 3)) ** 2,
        (COLUMN,),
    ),
    "index": (lambda a: a[1] ** 2, lambda a: a[1] ** 2, (A,)),
    "index slice": (lambda a: a[:, 1:] ** 2, lambda a: a[:, 1:] ** 2, (A,)),
    "index entry": (lambda a: a[0, 1] ** 2, lambda a: a[0, 1] ** 2, (A,)),
    "index repeated": (lambda a: a[[0, 0, 1]] ** 2, lambda a: a[[0, 0, 1]] ** 2, (A,)),
    "index mask": (lambda a: a[A > 0] ** 2, lambda a: a[torch.tensor(A > 0)] ** 2, (A,)),
    "concatenate": (
        lambda a, b: engine.concatenate([a, b, a], axis=-1) ** 2,
        lambda a, b: torch.cat([a, b, a], -1) ** 2,
        (A, COLUMN),
    ),
}


def weights_like(values):
    """Give each entry another cotangent, so that none can stand in for another."""
    return np.cos(np.arange(1.0, values.size + 1)).reshape(values.shape)


def plain(x):
    """Return the entries of either library's Tensor as an array."""
    if x is None:
        return None
    return x.numpy(force=True) if isinstance(x, torch.Tensor) else np.asarray(x.data)


def first_and_second(module, make, function, arrays):
    """Return the value, the gradients, and the gradients of a function of the gradients, as arrays."""
    inputs = [make(a) for a in arrays]
    output = function(*inputs)
    value = plain(output)
    seed = make(weights_like(value)).detach()
    first = module.grad(output, inputs, seed, create_graph=True)
    scalar = sum((g * g).sum() for g in first)
    second = module.grad(scalar, inputs, allow_unused=True) if scalar.requires_grad else [None] * len(inputs)
    return value, [plain(g) for g in first], [plain(g) for g in second]


@pytest.mark.parametrize("name", OPERATIONS)
def test_value_gradient_and_second_derivative(name):
    """The three agree with torch's; where torch finds a second derivative to be zero, None will do."""
    ours, theirs, arrays = OPERATIONS[name]
    got = first_and_second(engine, lambda a: Tensor(a, requires_grad=True), ours, arrays)
    expected = first_and_second(torch.autograd, lambda a: torch.tensor(a, requires_grad=True), theirs, arrays)
    np.testing.assert_allclose(got[0], expected[0], rtol=1e-12)
    for g, e, x in zip(got[1], expected[1], arrays, strict=True):
        assert g.shape == x.shape
        np.testing.assert_allclose(g, e, rtol=1e-11, atol=1e-14)
    for g, e, x in zip(got[2], expected[2], arrays, strict=True):
        zero = np.zeros(x.shape)
        np.testing.assert_allclose(zero if g is None else g, zero if e is None else e, rtol=1e-10, atol=1e-13)


@pytest.mark.parametrize("name", ["exp", "log", "sin", "cos", "tanh", "sqrt", "sigmoid", "relu"])
@pytest.mark.parametrize("x", [0.3, 1.7])
def test_floats_stay_floats(name, x):
    """A number is a Python float before and after, and so is its gradient."""
    tensor = Tensor(x, requires_grad=True)
    output = getattr(engine, name)(tensor)
    output.backward()
    assert type(output.data) is float
    assert type(tensor.grad.data) is float
    reference = torch.tensor(x, dtype=torch.float64, requires_grad=True)
    getattr(torch, name)(reference).backward()
    assert tensor.grad.item() == pytest.approx(reference.grad.item(), rel=1e-14)


@pytest.mark.parametrize("name", ["add", "sub", "mul", "truediv", "pow", "matmul"])
def test_an_array_may_stand_on_the_left(name):
    """NumPy hands the operation over, whole, and the gradient is torch's."""
    left, right = POSITIVE[:, :2], POSITIVE[:, 1:]
    ours, theirs = Tensor(right, requires_grad=True), torch.tensor(right, requires_grad=True)
    function = getattr(operator, name)
    function(left, ours).sum().backward()
    function(torch.tensor(left), theirs).sum().backward()
    np.testing.assert_allclose(ours.grad.data, theirs.grad.numpy(), rtol=1e-12)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_dtype_is_kept(dtype):
    """Values and gradients have the dtype of the leaf, with numbers on either side."""
    x = Tensor(np.array([0.5, 1.5], dtype), requires_grad=True)
    y = (2.0 * engine.sigmoid(x) ** 2 + 1).sum()
    y.backward()
    assert y.dtype == dtype
    assert x.grad.dtype == dtype


def test_gradients_return_to_the_dtype_of_their_leaf():
    """A float32 leaf that met a float64 array has a float32 gradient."""
    x = Tensor(np.ones(3, np.float32), requires_grad=True)
    y = Tensor(np.ones(3), requires_grad=True)
    (x * y).sum().backward()
    assert (x.grad.dtype, y.grad.dtype) == (np.float32, np.float64)


def test_what_floats_refuse_is_infinite():
    """Where Python's floats raise, the answer is IEEE 754's, as in torch."""
    x = Tensor(0.0, requires_grad=True)
    with np.errstate(divide="ignore"):
        y = engine.log(x)
        y.backward()
    assert y.item() == -np.inf
    assert x.grad.item() == np.inf
    with np.errstate(over="ignore"):
        assert engine.exp(Tensor(1000.0)).item() == np.inf

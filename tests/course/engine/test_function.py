"""A Function keeps PyTorch's contract: the same class body, run by both, behaves alike."""

from __future__ import annotations

import gc
import weakref

import numpy as np
import pytest
import torch

import course.engine as engine
from course.engine import Tensor, grad, gradcheck, gradgradcheck


class Library:
    """The names that a class body uses, from one library or the other."""

    def __init__(self, function, once_differentiable, grad, leaf):
        self.Function, self.once_differentiable, self.grad, self.leaf = (
            function,
            once_differentiable,
            grad,
            leaf,
        )


OURS = Library(
    engine.Function, engine.once_differentiable, engine.grad, lambda x: Tensor(x, requires_grad=True)
)
THEIRS = Library(
    torch.autograd.Function,
    torch.autograd.function.once_differentiable,
    torch.autograd.grad,
    lambda x: torch.tensor(x, dtype=torch.float64, requires_grad=True),
)
BOTH = pytest.mark.parametrize("library", [OURS, THEIRS], ids=["engine", "torch"])
X = np.array([0.5, -1.5, 2.0])


def leaf(value=X):
    """Return an engine leaf."""
    return Tensor(value, requires_grad=True)


def exponential(library):
    """An operation that saves its own output."""

    class Exponential(library.Function):
        @staticmethod
        def forward(ctx, x):
            y = x.exp()
            ctx.save_for_backward(y)
            return y

        @staticmethod
        def backward(ctx, g):
            (y,) = ctx.saved_tensors
            return g * y

    return Exponential


def scale(library, options=lambda ctx: None):
    """x·n, where n is a number; `options` is called in forward."""

    class Scale(library.Function):
        @staticmethod
        def forward(ctx, x, n):
            ctx.n = n
            options(ctx)
            return x * n

        @staticmethod
        def backward(ctx, g):
            Scale.needed = ctx.needs_input_grad
            return g * ctx.n, None

    return Scale


@BOTH
def test_names_and_edges(library):
    """grad_fn is named after the class; edges stand for the Tensors among the arguments, in order."""
    x, y = library.leaf(X), library.leaf(X)
    z = x * y
    e = exponential(library).apply(z)
    assert e.grad_fn.name() == "ExponentialBackward"
    assert e.grad_fn.next_functions == ((z.grad_fn, 0),)
    assert (e * 2).grad_fn.next_functions == ((e.grad_fn, 0), (None, 0))
    assert [node.name().split("::")[-1] for node, _ in z.grad_fn.next_functions] == ["AccumulateGrad"] * 2
    assert z.grad_fn.next_functions[1][0].variable is y
    assert scale(library).apply(x, 3).grad_fn.next_functions == ((x * 1).grad_fn.next_functions[0],)


def test_a_saved_output_to_second_order():
    """It leads back to the node that saved it."""
    assert gradcheck(exponential(OURS).apply, leaf())
    assert gradgradcheck(exponential(OURS).apply, leaf())


@BOTH
def test_needs_input_grad(library):
    """One flag for each argument; a number's is False."""
    function = scale(library)
    function.apply(library.leaf(X), 2).sum().backward()
    assert function.needed == (True, False)


@BOTH
def test_setup_context(library):
    """forward without ctx, and what to keep in a function of its own."""

    class Cube(library.Function):
        @staticmethod
        def forward(x):
            return x * x * x

        @staticmethod
        def setup_context(ctx, inputs, output):
            (x,) = inputs
            ctx.save_for_backward(x, output)

        @staticmethod
        def backward(ctx, g):
            x, _ = ctx.saved_tensors
            return 3 * g * x * x

    x = library.leaf(X)
    (first,) = library.grad(Cube.apply(x).sum(), x, create_graph=True)
    (second,) = library.grad(first.sum(), x)
    np.testing.assert_allclose(np.asarray(first.detach().data), 3 * X**2)
    np.testing.assert_allclose(np.asarray(second.data), 6 * X)


@BOTH
def test_saved_tensors_know_where_they_came_from(library):
    """An input is saved as itself, an output with this very node, None as None."""

    class Saves(library.Function):
        @staticmethod
        def forward(ctx, x):
            y = x * 2
            ctx.save_for_backward(x, None, y)
            return y

        @staticmethod
        def backward(ctx, g):
            return g * 2

    x = library.leaf(X)
    y = Saves.apply(x)
    saved = y.grad_fn.saved_tensors
    assert saved[0] is x
    assert saved[1] is None
    assert saved[2].grad_fn is y.grad_fn


@BOTH
def test_freed_after_backward(library):
    """saved_tensors is refused once the pass has freed it."""
    e = exponential(library).apply(library.leaf(X))
    e.sum().backward()
    with pytest.raises(RuntimeError, match="second time"):
        _ = e.grad_fn.saved_tensors


@BOTH
def test_an_output_of_truth_values_requires_no_gradient(library):
    """Only floats have one."""

    class Positive(library.Function):
        @staticmethod
        def forward(ctx, x):
            return x > 0

        @staticmethod
        def backward(ctx, g):
            return g

    assert not Positive.apply(library.leaf(X)).requires_grad


@BOTH
def test_an_input_returned_as_it_is_becomes_an_output(library):
    """The result is another Tensor, with this node; the input keeps its own place."""

    class Same(library.Function):
        @staticmethod
        def forward(ctx, x):
            return x

        @staticmethod
        def backward(ctx, g):
            return 10 * g

    x = library.leaf(X)
    y = Same.apply(x)
    assert y is not x
    assert y.grad_fn.name() == "SameBackward"
    y.sum().backward()
    np.testing.assert_array_equal(np.asarray(x.grad.data), np.full(3, 10.0))


@BOTH
def test_once_differentiable(library):
    """The first derivative is right; asking for a second one raises."""

    class Square(library.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        @library.once_differentiable
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            return 2 * g * x

    x = library.leaf(X)
    y = (Square.apply(x) * x).sum()
    (first,) = library.grad(y, x, create_graph=True)
    np.testing.assert_allclose(np.asarray(first.detach().data), 3 * X**2)
    with pytest.raises(RuntimeError, match="twice"):
        first.sum().backward()


def returning(library, *gradients):
    """A Function of a Tensor and a number whose backward returns what is given."""

    class Wrong(library.Function):
        @staticmethod
        def forward(ctx, x, n):
            return x * n

        @staticmethod
        def backward(ctx, g):
            return tuple(make(g) if callable(make) else make for make in gradients)

    return Wrong


@BOTH
@pytest.mark.parametrize(
    ("gradients", "error"),
    [
        ((lambda g: g,), RuntimeError),
        ((lambda g: g, None, lambda g: g), RuntimeError),
        ((lambda g: g, lambda g: g), RuntimeError),
        ((lambda g: g.reshape(3, 1) * g, None), None),
        ((lambda g: g[:2], None), RuntimeError),
        ((lambda g: g.sum(), None), RuntimeError),
        ((2.0, None), RuntimeError),
        ((lambda g: g, None, None), None),
        ((None, None), None),
    ],
)
def test_mistakes_in_backward_raise_what_torch_raises(library, gradients, error):
    """A wrong number, a gradient for a number, a wrong shape, a float; trailing None are forgiven."""
    y = returning(library, *gradients).apply(library.leaf(X), 2).sum()
    if error is None:
        y.backward()
    else:
        with pytest.raises(error):
            y.backward()


@BOTH
def test_only_tensors_can_be_saved(library):
    """What is no Tensor belongs on ctx."""
    function = scale(library, lambda ctx: ctx.save_for_backward(3))
    with pytest.raises(TypeError, match="save_for_backward"):
        function.apply(library.leaf(X), 2).sum().backward()


@pytest.mark.parametrize("output", [3.0, (Tensor(1.0), 3.0)])
def test_forward_must_return_tensors(output):
    """It says what came instead."""

    class Other(engine.Function):
        @staticmethod
        def forward(ctx, x):
            return output

    with pytest.raises(TypeError, match="must return Tensors, not float"):
        Other.apply(leaf())


class SinCos(engine.Function):
    """Two outputs, both saved."""

    @staticmethod
    def forward(ctx, x):
        s, c = x.sin(), x.cos()
        ctx.save_for_backward(s, c)
        return s, c

    @staticmethod
    def backward(ctx, gs, gc):
        s, c = ctx.saved_tensors
        return gs * c - gc * s


def test_several_outputs_to_second_order():
    """What is saved of an own output leads back to this output."""
    assert gradcheck(SinCos.apply, leaf())
    assert gradgradcheck(SinCos.apply, leaf())


def test_each_of_several_outputs_may_be_unused():
    x = leaf()
    SinCos.apply(x)[1].sum().backward()
    np.testing.assert_allclose(x.grad.data, -np.sin(X))


def test_a_gradient_that_broadcasting_widened_is_summed_down():
    """As in torch, the engine does it for the Function."""

    class Widen(engine.Function):
        @staticmethod
        def forward(ctx, x, y):
            return x + y

        @staticmethod
        def backward(ctx, g):
            return g, g

    x, y = leaf(np.ones((2, 3))), leaf(1.0)
    Widen.apply(x, y).sum().backward()
    assert y.grad.item() == 6.0


def test_nothing_is_recorded_where_no_gradient_is_wanted():
    """Without a leaf that requires a gradient, or under no_grad, there is no node."""
    function = scale(OURS)
    assert function.apply(Tensor(X), 2).grad_fn is None
    with engine.no_grad():
        assert function.apply(leaf(), 2).grad_fn is None


def test_a_function_that_saves_its_output_is_freed_without_the_collector():
    """An own output is kept without the graph that would make it a cycle."""
    gc.disable()
    try:
        e = exponential(OURS).apply(leaf())
        (e * e).sum().backward()
        gone = weakref.ref(e)
        del e
        assert gone() is None
    finally:
        gc.enable()


def test_a_function_in_scalars():
    """Numbers stay Python floats through a Function of one's own."""

    class Square(engine.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            return 2 * g * x

    x = leaf(3.0)
    y = Square.apply(x)
    y.backward()
    assert (type(y.data), type(x.grad.data), x.grad.data) == (float, float, 6.0)
    assert grad(grad(Square.apply(x), x, create_graph=True)[0], x)[0].item() == 2.0


NAMES_OF_THE_ENGINES_OWN = [
    *("shape", "dtype", "value", "output", "outputs", "number", "saved", "edges", "hooks", "adjoint"),
    *(
        "places",
        "name",
        "fit",
        "vjp",
        "look",
        "kept",
        "source",
        "sources",
        "function",
        "ctx",
        "next_functions",
    ),
]


@pytest.mark.parametrize("name", NAMES_OF_THE_ENGINES_OWN)
def test_ctx_takes_attributes_of_any_name(name):
    class Summed(engine.Function):
        @staticmethod
        def forward(ctx, x):
            setattr(ctx, name, x.shape)
            ctx.save_for_backward(x)
            return (x * x).sum()

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            assert getattr(ctx, name) == (2, 3)
            return 2 * g * x

    setattr(Summed, name, staticmethod(lambda: "a helper of the class's own"))
    x = Tensor(np.arange(6.0).reshape(2, 3), requires_grad=True)
    y = Summed.apply(x)
    assert vars(y.grad_fn.ctx) == {name: (2, 3)}
    assert gradcheck(Summed.apply, x)
    assert gradgradcheck(Summed.apply, x)


def test_attributes_of_ctx_are_read_from_the_node_as_in_pytorch():
    class Scaled(engine.Function):
        @staticmethod
        def forward(ctx, x, scale):
            ctx.scale = scale
            return x * scale

        @staticmethod
        def backward(ctx, g):
            return g * ctx.scale, None

    y = Scaled.apply(Tensor(2.0, requires_grad=True), 3.0)
    assert y.grad_fn.scale == 3.0
    assert y.grad_fn.needs_input_grad == (True, False)
    with pytest.raises(AttributeError):
        _ = y.grad_fn.nothing_of_that_name

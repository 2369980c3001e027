"""The backward pass: every path counted, every node run once, nothing left behind."""

from __future__ import annotations

import gc
import weakref

import numpy as np
import pytest

from course.engine import Function, Tensor, grad, no_grad, sin, sum
from course.engine.core import Node


def leaf(value=2.0):
    """Return a leaf that requires a gradient."""
    return Tensor(value, requires_grad=True)


class Counted(Function):
    """x·x, counting its backwards."""

    runs = 0

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, g):
        Counted.runs += 1
        (x,) = ctx.saved_tensors
        return 2 * g * x


def test_the_same_operand_twice():
    """Both edges of x·x and a + a count."""
    x, a = leaf(3.0), leaf(5.0)
    (x * x).backward()
    (a + a).backward()
    assert (x.grad.item(), a.grad.item()) == (6.0, 2.0)


def test_a_second_backward_adds_to_the_leaf_and_to_nothing_else():
    """Intermediate adjoints start afresh: 12 twice is 24, where leftovers would make it 36."""
    x = leaf(2.0)
    z = x * x
    y = z * x
    y.backward(retain_graph=True)
    y.backward()
    assert x.grad.item() == 24.0


def test_backward_through_a_reused_intermediate():
    """Two graphs that share a node: 4·x, then another 4·x and 2 more from another path."""
    x = leaf(2.0)
    shared = x * x
    (shared * 3).backward(retain_graph=True)
    (shared + 2 * x).backward()
    assert x.grad.item() == 12.0 + 6.0


def test_data_replaced_before_backward():
    """A node saved the value that it computed with."""
    x = leaf(3.0)
    y = x * x
    x.data = 100.0
    y.backward()
    assert x.grad.item() == 6.0


def test_a_leaf_may_be_given_data_of_another_shape():
    """The next graph sees the leaf as it is then."""
    x = leaf(3.0)
    x.data = np.array([1.0, 2.0])
    (x * x).sum().backward()
    np.testing.assert_array_equal(x.grad.data, [2.0, 4.0])


def test_a_node_called_runs_its_own_backward_alone():
    """One gradient for each edge, summed down to the operand's shape; nothing is freed."""
    x, w = leaf(np.array([1.0, 2.0])), leaf(3.0)
    y = x * w
    gx, gw = y.grad_fn(Tensor(np.array([10.0, 20.0])))
    np.testing.assert_array_equal(gx.data, [30.0, 60.0])
    assert gw.item() == 50.0
    assert (x.grad, w.grad) == (None, None)
    y.sum().backward()
    assert w.grad.item() == 3.0
    accumulate, _ = y.grad_fn.next_functions[1]
    assert accumulate(Tensor(4.0)) == ()
    assert w.grad.item() == 7.0
    with pytest.raises(RuntimeError, match="second time"):
        y.grad_fn(Tensor(np.ones(2)))


def test_a_node_is_handed_a_tensor():
    x = leaf(3.0)
    y = x * x
    for node in (y.grad_fn, x.node):
        with pytest.raises(TypeError, match="a node takes a Tensor, but the gradient is of type float"):
            node(1.0)


@pytest.mark.parametrize("depth", [1, 15])
def test_a_tower_of_diamonds_runs_each_node_once(depth):
    """The paths double with each diamond; the visits do not."""
    x = leaf(1.0)
    y = x
    for _ in range(depth):
        y = Counted.apply(y) * 0.5 + y * 0.5
    Counted.runs = 0
    y.backward()
    assert Counted.runs == depth
    assert x.grad.item() == 1.5**depth


def test_a_node_reached_from_two_outputs():
    """One pass from both outputs gives the sum."""
    x = leaf(3.0)
    shared = Counted.apply(x)
    Counted.runs = 0
    (g,) = grad([shared * 2, sin(shared)], x)
    assert Counted.runs == 1
    assert g.item() == pytest.approx((2 + np.cos(9.0)) * 6.0)


def test_an_output_that_is_itself_an_input_of_another():
    """Its seed and what comes from above are added."""
    x = leaf(3.0)
    y = x * x
    gx, gy = grad([y, y * 5], [x, y])
    assert (gx.item(), gy.item()) == (36.0, 6.0)


def test_grad_of_intermediates_and_its_seed():
    """Any Tensor of the graph may be asked for; no .grad is touched."""
    x = leaf(3.0)
    y = x * x
    z = y * 2
    gy, gx, gz = grad(z, [y, x, z], Tensor(10.0))
    assert (gy.item(), gx.item(), gz.item()) == (20.0, 120.0, 10.0)
    assert x.grad is None


def test_grad_runs_only_what_leads_to_the_inputs():
    """The other branch is left alone: it is not run and not freed."""
    x, y = leaf(2.0), leaf(3.0)
    branch = Counted.apply(y)
    out = x * 4 + branch
    Counted.runs = 0
    assert grad(out, x, retain_graph=True)[0].item() == 4.0
    assert Counted.runs == 0
    branch.backward()
    assert y.grad.item() == 6.0


def test_grad_of_nothing_runs_nothing():
    """Without inputs there is nothing to catch, and no .grad is touched."""
    x = leaf(2.0)
    assert grad(Counted.apply(x), []) == ()
    assert x.grad is None


def test_third_order():
    """Derivatives of derivatives, with nothing special about them."""
    x = leaf(2.0)
    y = x**4
    for expected in (32.0, 48.0, 48.0, 24.0):
        (y,) = grad(y, x, create_graph=True)
        assert y.item() == pytest.approx(expected)


def test_backward_with_create_graph_leaves_a_grad_that_can_be_differentiated():
    """The .grad of a leaf is a Tensor with a graph then."""
    x = leaf(3.0)
    (x**3).backward(create_graph=True)
    first, x.grad = x.grad, None
    first.backward()
    assert (first.item(), x.grad.item()) == (27.0, 18.0)


def test_leaves_do_not_share_the_arrays_of_their_gradients():
    """Changing one's .grad does not change the other's."""
    a, b = leaf(np.ones(3)), leaf(np.ones(3))
    (a + b).backward(Tensor(np.ones(3)))
    a.grad.data[:] = 7
    np.testing.assert_array_equal(b.grad.data, np.ones(3))


def test_sums_in_place_change_no_array_that_somebody_holds():
    """Many paths meet in x and in y; seed, saved values, what hooks saw and what grad returned stay."""
    x, seed = leaf(np.ones(3)), Tensor(np.ones(3))
    y = x * 2
    seen = []
    y.grad_fn.register_hook(lambda _, outputs: seen.append((outputs[0], outputs[0].data.copy())))
    z = y + y + y + y * y + x + x + x
    gy, gz = grad(z, [y, z], seed, retain_graph=True)
    z.backward(seed)
    np.testing.assert_array_equal(x.grad.data, np.full(3, 2 * 7.0 + 3))
    np.testing.assert_array_equal([gy.data, gz.data, seed.data], [np.full(3, 7.0), np.ones(3), np.ones(3)])
    for gradient, then in seen:
        np.testing.assert_array_equal(gradient.data, then)


def test_a_chain_of_a_million_nodes():
    """No recursion in building, in the pass, or in freeing, which needs no cyclic collector."""
    x = leaf(1.0)
    gc.disable()
    try:
        y = x
        for _ in range(500_000):
            y = y * 1.0
            y = y + 0.0
        y.backward()
        assert x.grad.item() == 1.0
        before = nodes_alive()
        del y
        assert before - nodes_alive() >= 1_000_000
    finally:
        gc.enable()


def nodes_alive():
    """Count the nodes alive."""
    return len([o for o in gc.get_objects() if issubclass(type(o), Node)])


@pytest.mark.parametrize("name", ["exp", "tanh", "sqrt", "sigmoid", "relu", "sum"])
def test_an_operation_is_freed_without_the_collector(name):
    """What a node saves of its own output is no cycle, and neither is what its derivative remembers."""
    gc.disable()
    try:
        y = getattr(leaf(np.ones(3)), name)()
        gone = weakref.ref(y)
        nodes = nodes_alive()
        del y
        assert gone() is None
        assert nodes_alive() == nodes - 2  # the operation and the leaf's
    finally:
        gc.enable()


def test_a_failed_backward_leaves_the_graph_usable():
    """The next pass starts from nothing, as if there had been none before."""

    class Fails(Counted):
        broken = True

        @staticmethod
        def backward(ctx, g):
            if Fails.broken:
                raise ValueError("on purpose")
            return Counted.backward(ctx, g)

    x = leaf(3.0)
    y = Fails.apply(x * 2) + x
    with pytest.raises(ValueError, match="on purpose"):
        y.backward(retain_graph=True)
    Fails.broken = False
    x.grad = None
    y.backward()
    assert x.grad.item() == 25.0


def test_no_grad_and_detach_cut_the_graph():
    """What was computed without recording requires no gradient, also after an exception."""
    x = leaf(3.0)
    with pytest.raises(ZeroDivisionError), no_grad():
        raise ZeroDivisionError
    with no_grad():
        y = x * 2
    assert not y.requires_grad
    assert (x * 2).requires_grad
    (x * x.detach()).backward()
    assert x.grad.item() == 3.0


def test_unused_inputs():
    """None if allowed, an error in clear words if not."""
    x, y = leaf(), leaf()
    z = x * 3
    assert grad(z, [x, y], retain_graph=True, allow_unused=True)[1] is None
    with pytest.raises(RuntimeError, match="allow_unused"):
        grad(z, [x, y])


def test_a_second_backward_through_a_freed_graph():
    """Refused before any .grad has changed; a graph that saved nothing can be used again, as in torch."""
    x = leaf(3.0)
    y = x * x + x
    y.backward()
    with pytest.raises(RuntimeError, match="retain_graph=True"):
        y.backward()
    assert x.grad.item() == 7.0
    z = x + x
    z.backward()
    z.backward()


@pytest.mark.parametrize(
    ("mistake", "error", "words"),
    [
        (lambda: (leaf(np.ones(2)) * 2).backward(), RuntimeError, "single entry"),
        (lambda: Tensor(1.0).backward(), RuntimeError, "does not require"),
        (lambda: grad(leaf() * 1, Tensor(1.0)), RuntimeError, "requires_grad=True"),
        (lambda: (leaf(np.ones(2)) * 2).backward(Tensor(np.ones(3))), RuntimeError, r"\(3,\)"),
        (lambda: (leaf(np.ones(2)) * 2).backward(np.ones(2)), TypeError, "must be a Tensor"),
        (lambda: grad([leaf(), leaf()], leaf(), [Tensor(1.0)]), RuntimeError, "2 outputs need as many"),
        (lambda: Tensor(1, requires_grad=True), RuntimeError, "only floats"),
        (lambda: Tensor(1j), TypeError, "complex128"),
        (lambda: Tensor("1"), TypeError, "numbers"),
        (lambda: Tensor(Tensor(1.0)), TypeError, "already"),
        (lambda: Tensor([1.0, 2.0]).item(), RuntimeError, "exactly one"),
    ],
)
def test_mistakes_are_told_in_clear_words(mistake, error, words):
    """The kind of error is torch's."""
    with pytest.raises(error, match=words):
        mistake()


def test_integers_and_comparisons_have_no_gradient():
    """They are values to compute with, and no more."""
    x = leaf(np.array([1.0, -2.0]))
    mask = x > 0
    counts = Tensor([3, 4])
    assert (mask.dtype.kind, mask.requires_grad, counts.dtype.kind) == ("b", False, "i")
    sum(x * mask * counts).backward()
    np.testing.assert_array_equal(x.grad.data, [3.0, 0.0])


def test_a_comparison_decides_as_its_number_does():
    """`if x > 0` asks for the truth of one entry; several have none."""
    x = leaf(-1.5)
    assert not x > 0
    assert x < 0
    assert float(x) == -1.5
    with pytest.raises(RuntimeError, match="exactly one"):
        bool(leaf(np.ones(2)) > 0)


def test_a_backward_within_a_backward_over_the_same_nodes_is_refused():
    """The adjoints of the two would mix."""

    class Nested(Counted):
        @staticmethod
        def backward(ctx, g):
            inner.backward(retain_graph=True)
            return g

    x = leaf(2.0)
    inner = x * x
    with pytest.raises(RuntimeError, match="another backward pass"):
        (Nested.apply(inner) + inner).backward()

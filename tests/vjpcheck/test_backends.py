"""One probe for two libraries: the same Function, written for each, gets the same answers."""

import subprocess
import sys

import numpy as np
import pytest
import torch

from course import engine
from vjpcheck.probe.backends import backend_of
from vjpcheck.probe.function_probe import Probe
from vjpcheck.result import CannotRun

LIBRARIES = {"torch": torch.autograd.Function, "autograder.engine": engine.Function}
ONCE = {
    "torch": torch.autograd.function.once_differentiable,
    "autograder.engine": engine.once_differentiable,
}


def product(library, *, declared=False, keep="save_for_backward", detach=False):
    """Return x·x·y as a Function of a library, keeping its inputs in one place or another."""

    class Product(LIBRARIES[library]):
        @staticmethod
        def forward(ctx, x, y):
            z = x * x * y
            if keep == "ctx":
                ctx.x, ctx.y = x, y
            elif keep == "output":
                ctx.kept = {"inside": [z]}
            ctx.save_for_backward(x, y)
            return z

        @staticmethod
        def backward(ctx, g):
            x, y = ctx.saved_tensors
            x = x.detach() if detach else x
            return 2 * x * y * g, x * x * g

    if declared:
        Product.backward = staticmethod(ONCE[library](Product.backward))
    return Probe(Product, "Product", library=library)


@pytest.fixture(params=LIBRARIES)
def library(request):
    return request.param


@pytest.fixture
def arrays():
    return [np.random.default_rng(seed).standard_normal((2, 3)) for seed in range(5)]


def test_the_pullback_is_that_of_the_formula(library, arrays):
    x, y, g, *_ = arrays
    answer = product(library).vjp((x, y), (True, True), (g,))
    assert "error" not in answer
    np.testing.assert_allclose(answer["gradients"], [2 * x * y * g, x * x * g])
    assert [value["type"] for value in answer["returned"]] == ["Tensor", "Tensor"]
    assert (answer["arrived"], answer["saves"]) == ([True], 1)
    assert not answer["inputs_changed"]


def test_so_is_its_derivative(library, arrays):
    x, y, g, dx, dy = arrays
    answer = product(library).higher_vjp((x, y), (True, True), (g,), [(dx, dy)])
    assert "error" not in answer
    assert not answer["written"]
    along = [2 * y * g * dx + 2 * x * g * dy, 2 * x * g * dx]
    np.testing.assert_allclose(answer["for_arguments"], along)
    np.testing.assert_allclose(answer["for_cotangents"], [2 * x * y * dx + x * x * dy])


def test_a_declaration_is_seen_in_the_graph(library, arrays):
    x, y, g, *directions = arrays
    answer = product(library, declared=True).higher_vjp((x, y), (True, True), (g,), [directions])
    assert answer["declared_once"]


def test_what_leaves_the_graph_is_put_back_and_told(library, arrays):
    x, y, g, *directions = arrays
    question = (x, y), (True, True), (g,), [directions]
    true = product(library).higher_vjp(*question)
    probe = product(library, detach=True)
    wrong, supposed = probe.higher_vjp(*question), probe.higher_vjp(*question, "nothing detached")
    assert wrong["for_arguments"][0] is None
    np.testing.assert_allclose(supposed["for_arguments"], true["for_arguments"])
    assert supposed["detaching"] == [".detach()"]


def test_a_node_shows_what_it_keeps(library, arrays):
    x, y, g, *_ = arrays
    saved = product(library).inspect((x, y), (g,))
    assert saved["saved_inputs"] == [0, 1]
    assert saved["bytes_of_inputs"] == {"0": x.nbytes, "1": y.nbytes}
    assert (saved["inputs_on_ctx"], saved["leaks"], saved["autograd"]) == ({}, False, [])
    on_ctx = product(library, keep="ctx").inspect((x, y), (g,))
    assert on_ctx["inputs_on_ctx"] == {"ctx.x": 0, "ctx.y": 1}
    cycle = product(library, keep="output").inspect((x, y), (g,))
    assert cycle["outputs_on_ctx"] == ["ctx.kept['inside'][0]"]


def test_a_class_of_the_other_library_is_refused(library):
    (other,) = LIBRARIES.keys() - {library}
    with pytest.raises(CannotRun, match=f"must be a subclass of {backend_of(library).name}"):
        Probe(type("Work", (LIBRARIES[other],), {}), "Work", library=library)


@pytest.mark.parametrize(
    ("library", "other"), [("torch", "autograder.engine.backend"), ("autograder.engine", "torch")]
)
def test_a_probe_imports_its_own_library_alone(library, other):
    code = f"""
import sys
from vjpcheck.probe.function_probe import Probe
from vjpcheck.result import CannotRun
try:
    Probe(None, "Work", library={library!r})
except CannotRun:
    pass
assert {other!r} not in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True)

"""The reader's layer: a lesson runs with what is written, and its answers are right."""

import torch
from torch import nn
from torch.autograd import Function, grad, gradcheck, gradgradcheck
from torch.autograd.function import once_differentiable
from torch.nn import functional

from course.own_layer import OwnNorm, Recomputed, RmsNorm, whose, written


class Stub(Function):
    @staticmethod
    def forward(ctx, x):
        return x.clone()

    @staticmethod
    @once_differentiable
    def backward(ctx, grad_output):
        raise NotImplementedError


class StubModule(nn.Module):
    kind = Stub

    def forward(self, x):
        raise NotImplementedError


def stub(x):
    raise NotImplementedError


def test_what_is_not_written_is_replaced_by_the_answer():
    namespace = {"function": stub, "norm": Stub, "module": StubModule}
    assert [written(name, namespace, otherwise=abs) for name in (*namespace, "missing")] == [abs] * 4


def test_what_is_written_is_used():
    namespace = {
        "function": test_what_is_written_is_used,
        "norm": RmsNorm,
        "module": OwnNorm,
        "built in": sum,
    }
    assert [written(name, namespace, otherwise=stub) for name in namespace] == list(namespace.values())


def test_what_is_wrong_is_replaced_too():
    assert written("a", {"a": len}, abs, is_right=lambda found: found is abs) is abs
    assert written("a", {"a": len}, abs, is_right=lambda found: found is len) is len


def test_a_lesson_says_whose_code_runs_and_why():
    namespace = {"function": stub, "right": len, "wrong": len}
    assert whose("right", namespace, len) == "yours"
    assert "not written yet" in whose("function", namespace, abs)
    assert "not written yet" in whose("missing", namespace, abs)
    assert "found something" in whose("wrong", namespace, abs)


def test_the_norm_has_the_right_derivatives():
    x = torch.randn(2, 3, 4, dtype=torch.float64, requires_grad=True)
    layer = OwnNorm(4).double()
    assert torch.allclose(layer(x), functional.rms_norm(x, (4,), layer.weight, layer.eps))
    assert gradcheck(RmsNorm.apply, (x, layer.weight, 1e-5))
    assert gradgradcheck(RmsNorm.apply, (x, layer.weight, 1e-5))


def test_a_masked_column_is_zero_and_its_weight_does_not_learn():
    layer = OwnNorm(3)
    layer.mask[1] = 0
    y = layer(torch.randn(4, 3))
    (gradient,) = grad(y.square().sum(), layer.weight)
    assert y[:, 1].abs().max() == gradient[1] == 0
    assert str(layer) == "OwnNorm(3, eps=1e-05)"
    assert set(layer.state_dict()) == {"weight", "mask"}


def test_what_is_computed_again_has_the_same_gradient():
    x, weight = (torch.randn(3, 3, requires_grad=True) for _ in range(2))
    plain = grad((x @ weight).tanh().sum(), (x, weight))
    again = grad(Recomputed.apply(lambda x, w: (x @ w).tanh(), x, weight).sum(), (x, weight))
    assert all(map(torch.equal, plain, again))

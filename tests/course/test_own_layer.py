"""The reader's layer: a lesson runs with what is written, and its answers are right."""

import torch
from torch import nn
from torch.autograd import Function, grad, gradcheck, gradgradcheck
from torch.autograd.function import once_differentiable
from torch.nn import functional

from course.own_layer import Mended, NormWithJvp, OwnNorm, Recomputed, RmsNorm, recomputed, whose, written


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


def test_the_norm_with_a_jvp_is_right_in_both_modes_and_under_vmap():
    x = torch.randn(2, 4, dtype=torch.float64, requires_grad=True)
    weight = torch.rand(4, dtype=torch.float64, requires_grad=True)
    settings = {"check_forward_ad": True, "check_batched_grad": True, "check_batched_forward_grad": True}
    assert gradcheck(NormWithJvp.apply, (x, weight, 1e-5), **settings)
    rows = torch.func.vmap(NormWithJvp.apply, in_dims=(0, None, None))(x, weight, 1e-5)
    assert torch.allclose(rows, functional.rms_norm(x, (4,), weight, 1e-5))


def test_a_mended_checkpoint_of_a_module_gives_the_gradients_of_its_parameters():
    module = nn.Sequential(nn.Linear(3, 4), nn.Dropout(0.5), nn.Linear(4, 2))
    x = torch.randn(5, 3, requires_grad=True)
    found = []
    for call in (module, lambda x: recomputed(module, x, Mended.apply)):
        torch.manual_seed(0)
        gradients = grad(call(x).square().sum(), [x, *module.parameters()])
        found.append([*gradients, torch.rand(2)])
    assert all(map(torch.equal, *found))

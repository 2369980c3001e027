# %% double_backward expected: right
import torch


def hessian_vector_product(fn, x, v):
    (gradient,) = torch.autograd.grad(fn(x), x, create_graph=True)
    (product,) = torch.autograd.grad(gradient, x, v)
    return product


# %% double_vjp_trick expected: right
import torch


def hessian_vector_product(fn, x, v):
    """Forward over reverse by two backward passes: the pullback is linear in its cotangent."""
    x = x.detach().requires_grad_()
    (g,) = torch.autograd.grad(fn(x), x, create_graph=True)
    u = torch.zeros_like(g, requires_grad=True)
    (gu,) = torch.autograd.grad(g, x, u, create_graph=True)
    return torch.autograd.grad(gu, u, v)[0]


# %% forward_mode_dual_numbers expected: right
import torch
import torch.autograd.forward_ad as fwAD


def hessian_vector_product(fn, x, v):
    with fwAD.dual_level():
        dual = fwAD.make_dual(x.detach().requires_grad_(), v)
        (gradient,) = torch.autograd.grad(fn(dual), dual, create_graph=True)
        return fwAD.unpack_dual(gradient).tangent


# %% forward_over_reverse expected: right
from torch.func import grad, jvp


def hessian_vector_product(fn, x, v):
    return jvp(grad(fn), (x,), (v,))[1]


# %% inner_product_on_a_fresh_leaf expected: right
import torch


def hessian_vector_product(fn, x, v):
    leaf = x.detach().clone().requires_grad_(True)
    with torch.enable_grad():
        g = torch.autograd.grad(fn(leaf), leaf, create_graph=True)[0]
        s = torch.dot(g.flatten(), v.flatten())
    s.backward()
    return leaf.grad.clone()


# %% jacobian_of_the_gradient_along_v expected: right
import torch


def hessian_vector_product(fn, x, v):
    g = lambda y: torch.func.grad(fn)(y)
    _, tangent = torch.func.jvp(g, (x.detach(),), (v,))
    return tangent.detach()


# %% reverse_over_reverse_by_func expected: right
import torch

hessian_vector_product = lambda fn, x, v: torch.func.vjp(torch.func.grad(fn), x)[1](v)[0]


# %% bad_torchs_own_hvp expected: wrong
from torch.autograd.functional import hvp


def hessian_vector_product(fn, x, v):
    _, product = hvp(fn, x, v)
    return product


# %% bad_builds_it_by_jacobian expected: wrong
import torch


def hessian_vector_product(fn, x, v):
    def gradient(y):
        return torch.autograd.grad(fn(y), y, create_graph=True)[0]

    J = torch.autograd.functional.jacobian(gradient, x)
    return torch.einsum("ij,j->i", J.reshape(v.numel(), -1), v.reshape(-1)).reshape(v.shape)


# %% bad_builds_it_by_vmap expected: wrong
import torch


def hessian_vector_product(fn, x, v):
    x = x.detach()
    return (torch.func.hessian(fn)(x).reshape(x.numel(), -1) @ v.flatten()).reshape(x.shape)


# %% bad_builds_the_hessian expected: wrong
import torch


def hessian_vector_product(fn, x, v):
    x = x.detach()
    H = torch.autograd.functional.hessian(fn, x)
    return (H.reshape(x.numel(), -1) @ v.flatten()).reshape(x.shape)


# %% bad_coarse_difference expected: wrong
import torch


def hessian_vector_product(fn, x, v):
    def gradient(y):
        y = y.detach().requires_grad_()
        return torch.autograd.grad(fn(y), y)[0]

    return (gradient(x + 1e-3 * v) - gradient(x)) / 1e-3


# %% bad_column_by_column_differences expected: not-precise
import torch


def hessian_vector_product(fn, x, v):
    def gradient(y):
        y = y.detach().requires_grad_()
        return torch.autograd.grad(fn(y), y)[0]

    x = x.detach()
    total = torch.zeros_like(x)
    for j in range(x.numel()):
        e = torch.zeros(x.numel(), dtype=x.dtype)
        e[j] = 1e-5
        e = e.reshape(x.shape)
        total = total + (gradient(x + e) - gradient(x - e)) / 2e-5 * v.flatten()[j]
    return total


# %% bad_diagonal expected: diagonal-only
import torch


def hessian_vector_product(fn, x, v):
    x = x.detach()
    H = torch.autograd.functional.hessian(fn, x).reshape(x.numel(), -1)
    return (H.diagonal() * v.flatten()).reshape(x.shape)


# %% bad_directional_derivative expected: wrong
import torch


def hessian_vector_product(fn, x, v):
    (g,) = torch.autograd.grad(fn(x), x, create_graph=True)
    return (g * v).sum()


# %% bad_factor expected: wrong-factor
import torch


def hessian_vector_product(fn, x, v):
    (g,) = torch.autograd.grad(fn(x), x, create_graph=True)
    return 0.5 * torch.autograd.grad(g, x, v)[0]


# %% bad_flat expected: wrong-shape
import torch


def hessian_vector_product(fn, x, v):
    (g,) = torch.autograd.grad(fn(x), x, create_graph=True)
    return torch.autograd.grad(g, x, v)[0].flatten()


# %% bad_gradient expected: wrong
import torch


def hessian_vector_product(fn, x, v):
    return torch.autograd.grad(fn(x), x)[0]


# %% bad_gradient_detached expected: wrong
import torch


def hessian_vector_product(fn, x, v):
    (g,) = torch.autograd.grad(fn(x), x, create_graph=True)
    return torch.autograd.grad((g.detach() * v).sum(), x)[0]


# %% bad_gradient_times_v expected: wrong
import torch


def hessian_vector_product(fn, x, v):
    (g,) = torch.autograd.grad(fn(x), x)
    return g * v


# %% bad_no_create_graph expected: wrong
import torch


def hessian_vector_product(fn, x, v):
    (g,) = torch.autograd.grad(fn(x), x)
    return torch.autograd.grad((g * v).sum(), x)[0]


# %% bad_normalised_v expected: wrong-factor
import torch


def hessian_vector_product(fn, x, v):
    (g,) = torch.autograd.grad(fn(x), x, create_graph=True)
    return torch.autograd.grad(g, x, v / v.norm())[0]


# %% bad_quadratic_form expected: wrong
import torch


def hessian_vector_product(fn, x, v):
    (g,) = torch.autograd.grad(fn(x), x, create_graph=True)
    return (torch.autograd.grad(g, x, v)[0] * v).sum()


# %% bad_row_by_row expected: wrong
import torch


def hessian_vector_product(fn, x, v):
    (g,) = torch.autograd.grad(fn(x), x, create_graph=True)
    rows = [torch.autograd.grad(gi, x, retain_graph=True)[0] for gi in g.flatten()]
    return torch.stack([(row * v).sum() for row in rows]).reshape(x.shape)


# %% bad_row_sums expected: wrong
import torch


def hessian_vector_product(fn, x, v):
    (g,) = torch.autograd.grad(fn(x), x, create_graph=True)
    return torch.autograd.grad(g.sum(), x)[0]


# %% bad_row_sums_times_v expected: diagonal-only
import torch


def hessian_vector_product(fn, x, v):
    (g,) = torch.autograd.grad(fn(x), x, create_graph=True)
    return torch.autograd.grad(g.sum(), x)[0] * v


# %% bad_sign expected: wrong-sign
import torch


def hessian_vector_product(fn, x, v):
    (g,) = torch.autograd.grad(fn(x), x, create_graph=True)
    return -torch.autograd.grad(g, x, v)[0]


# %% bad_stub expected: wrong
import torch


def hessian_vector_product(fn, x, v):
    raise NotImplementedError


# %% bad_transposed_v expected: wrong
import torch


def hessian_vector_product(fn, x, v):
    (g,) = torch.autograd.grad(fn(x), x, create_graph=True)
    return torch.autograd.grad(g, x, v.flip(0))[0]


# %% bad_tuple expected: gradient-not-a-tensor
import torch


def hessian_vector_product(fn, x, v):
    (g,) = torch.autograd.grad(fn(x), x, create_graph=True)
    return torch.autograd.grad(g, x, v)


# %% bad_writes_into_v expected: mutates-input
import torch


def hessian_vector_product(fn, x, v):
    (g,) = torch.autograd.grad(fn(x), x, create_graph=True)
    return v.copy_(torch.autograd.grad(g, x, v)[0])


# %% bad_string expected: cannot run
hessian_vector_product = "H v"


# %% bad_difference_of_gradients expected: not-precise
import torch


def hessian_vector_product(fn, x, v):
    def gradient(at):
        leaf = at.detach().requires_grad_()
        return torch.autograd.grad(fn(leaf), leaf)[0]

    return (gradient(x + 1e-6 * v) - gradient(x - 1e-6 * v)) / 2e-6


# %% bad_five_points_of_gradients expected: not-precise
import torch


def hessian_vector_product(fn, x, v):
    def gradient(at):
        leaf = at.detach().requires_grad_()
        return torch.autograd.grad(fn(leaf), leaf)[0]

    h = 1e-3
    g = {k: gradient(x + k * h * v) for k in (-2, -1, 1, 2)}
    return (8 * (g[1] - g[-1]) - (g[2] - g[-2])) / (12 * h)


# %% bad_backward_on_the_callers_x expected: mutates-input
import torch


def hessian_vector_product(fn, x, v):
    (gradient,) = torch.autograd.grad(fn(x), x, create_graph=True)
    x.grad = None
    (gradient * v).sum().backward()
    return x.grad


# %% bad_torchs_own_vhp expected: wrong
import torch


def hessian_vector_product(fn, x, v):
    return torch.autograd.functional.vhp(fn, x, v)[1]


# %% bad_keeps_the_first_gradient expected: wrong
import torch


def hessian_vector_product(fn, x, v, graphs={}):
    if (fn, x.shape) not in graphs:
        leaf = x.detach().clone().requires_grad_()
        graphs[fn, x.shape] = leaf, torch.autograd.grad(fn(leaf), leaf, create_graph=True)[0]
    leaf, gradient = graphs[fn, x.shape]
    return torch.autograd.grad(gradient, leaf, v, retain_graph=True)[0]


# %% backward_and_the_callers_grad_put_back expected: right
import torch


def hessian_vector_product(fn, x, v):
    kept, x.grad = x.grad, None
    g = torch.autograd.grad(fn(x), x, create_graph=True)[0]
    torch.einsum("i,i->", g.reshape(-1), v.reshape(-1)).backward()
    product, x.grad = x.grad, kept
    return product


# %% v_in_the_graph expected: right
import torch


def hessian_vector_product(fn, x, v):
    """The derivative in t of the gradient at x + t v."""
    t = torch.zeros((), dtype=x.dtype, requires_grad=True)
    w = torch.zeros_like(x, requires_grad=True)
    y = fn(x.detach() + t * v + w)
    (slope,) = torch.autograd.grad(y, t, create_graph=True)
    return torch.autograd.grad(slope, w)[0]


# %% cotangent_v_on_a_copy expected: right
# v is the cotangent of the second pass; works on a leaf of its own, and gives zeros where the gradient does not depend on x.
import torch


class _Curvature:
    def __init__(self, fn, x):
        self.leaf = x.detach().clone().requires_grad_()
        with torch.enable_grad():
            (self.slope,) = torch.autograd.grad(fn(self.leaf), self.leaf, create_graph=True)

    def __matmul__(self, v):
        if not self.slope.requires_grad:
            return torch.zeros_like(v)
        return torch.autograd.grad([self.slope], [self.leaf], [v], materialize_grads=True)[0]


def hessian_vector_product(fn, x, v):
    return _Curvature(fn, x) @ v


# %% bad_dot_of_views expected: assumes-contiguous
# The gradient and v are flattened by view(-1), which raises if they are transposed or sliced.
import torch


def hessian_vector_product(fn, x, v):
    (g,) = torch.autograd.grad(fn(x), x, create_graph=True)
    directional = torch.dot(g.view(-1), v.view(-1))
    return torch.autograd.grad(directional, x)[0]


# %% bad_row_sums_times_v_otherwise expected: diagonal-only
# Differentiates the sum of the gradient and multiplies by v afterwards: right only where H is diagonal.
import torch
from torch.autograd import grad


def hessian_vector_product(fn, x, v):
    first = grad(fn(x), x, create_graph=True)[0]
    second = grad(first.sum(), x)[0]
    return second.mul(v)


# %% bad_mean_of_products expected: mean-instead-of-sum
from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function


def hessian_vector_product(fn, x, v):
    (slope,) = torch.autograd.grad(fn(x), x, create_graph=True)
    return torch.autograd.grad(torch.mean(slope * v), x)[0]


# %% bad_sum_first expected: diagonal-only
import torch


def hessian_vector_product(fn, x, v):
    (g,) = torch.autograd.grad(fn(x), x, create_graph=True)
    (rows,) = torch.autograd.grad(g.sum(), x)
    return rows * v


# %% bad_measured expected: not-precise
import torch


def hessian_vector_product(fn, x, v):
    def gradient(z):
        z = z.detach().requires_grad_()
        return torch.autograd.grad(fn(z), z)[0]

    h = 1e-5
    return (gradient(x + h * v) - gradient(x - h * v)) / (2 * h)


# %% bad_leaves_it_in_grad expected: mutates-input
# the second pass is a .backward() and leaves its result in x.grad
import torch


def hessian_vector_product(fn, x, v):
    before = x.grad
    x.grad = None
    (slope,) = torch.autograd.grad(fn(x), x, create_graph=True)
    (slope * v).sum().backward()
    result = x.grad
    if before is not None:
        x.grad = before
    return result


# %% bad_unit_direction expected: not-finite
# v is brought to length 1 and the result multiplied again: nan for v = 0.
from typing import Any
import functools
import numpy as np
import torch
from scipy import signal
from torch import Tensor, nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable
from torch.nn import functional


def hessian_vector_product(fn, x, v):
    length = v.norm()
    (g,) = torch.autograd.grad(fn(x), x, create_graph=True)
    return torch.autograd.grad((g * (v / length)).sum(), x)[0] * length

# %% backward_as_second_function expected: right
import torch
from torch.autograd import Function


class SoftmaxBackward(Function):
    @staticmethod
    def forward(ctx, g, y, dim):
        ctx.save_for_backward(g, y)
        ctx.dim = dim
        return y * (g - (g * y).sum(dim, keepdim=True))

    @staticmethod
    def backward(ctx, h):
        g, y = ctx.saved_tensors
        dim = ctx.dim
        dot = (g * y).sum(dim, keepdim=True)
        hy = (h * y).sum(dim, keepdim=True)
        for_g = y * h - y * hy
        for_y = h * (g - dot) - g * hy
        return for_g, for_y, None


class Softmax(Function):
    @staticmethod
    def forward(ctx, x, dim):
        y = torch.nn.functional.softmax(x, dim=dim)
        ctx.save_for_backward(y)
        ctx.dim = dim
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return SoftmaxBackward.apply(g, y, ctx.dim), None


# %% full_jacobian_by_einsum expected: right
import torch


class Softmax(torch.autograd.Function):
    """Builds diag(p) - p pT for every row."""

    @staticmethod
    def forward(ctx, x, dim):
        p = x.softmax(dim)
        ctx.save_for_backward(p)
        ctx.dim = dim
        return p

    @staticmethod
    def backward(ctx, grad_output):
        if not ctx.needs_input_grad[0]:
            return None, None
        p = ctx.saved_tensors[0].movedim(ctx.dim, -1)
        g = grad_output.movedim(ctx.dim, -1)
        jacobian = torch.diag_embed(p) - torch.einsum("...i,...j->...ij", p, p)
        return torch.einsum("...i,...ij->...j", g, jacobian).movedim(-1, ctx.dim), None


# %% log_space_without_shift expected: right
import torch


class Softmax(torch.autograd.Function):
    """Any base will do: here 2 ** (x log2 e)."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x, dim):
        powers = torch.exp2(x * 1.4426950408889634)
        return torch.div(powers, powers.sum(dim).unsqueeze(dim))

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(output)
        ctx.axis = inputs[1]

    @staticmethod
    def backward(ctx, *grads):
        (g,) = grads
        (s,) = ctx.saved_tensors
        weighted = torch.mul(s, g)
        return torch.addcmul(weighted, s, weighted.sum(ctx.axis, True), value=-1), None


# %% loop_over_rows expected: right
import torch
from torch.autograd.function import once_differentiable


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, dim):
        moved = x.transpose(dim, -1)
        rows = moved.reshape(-1, moved.shape[-1])
        out = torch.empty_like(rows)
        for i, row in enumerate(rows):
            e = (row - row.max()).exp()
            out[i] = e / e.sum()
        y = out.reshape(moved.shape).transpose(dim, -1)
        ctx.save_for_backward(y)
        ctx.dim = dim
        return y

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        dim = ctx.dim
        gradient = torch.zeros_like(y)
        yt, gt, out = y.transpose(dim, -1), g.transpose(dim, -1), gradient.transpose(dim, -1)
        n = yt.shape[-1]
        for i in range(n):
            for j in range(n):
                delta = 1.0 if i == j else 0.0
                out[..., i] += gt[..., j] * yt[..., j] * (delta - yt[..., i])
        return gradient, None, None


# %% output_saved expected: right
import torch
from torch.autograd import Function


class Softmax(Function):
    @staticmethod
    def forward(ctx, x, dim):
        y = torch.softmax(x, dim)
        ctx.save_for_backward(y)
        ctx.dim = dim
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return y * (g - (g * y).sum(ctx.dim, keepdim=True)), None


# %% permuted_two_dimensional_kernel expected: right
import torch
from torch.autograd import Function


def to_rows(t, dim):
    return t.movedim(dim, -1).reshape(-1, t.size(dim))


class Base(Function):
    @classmethod
    def rows_backward(cls, y, g):
        return y * g - y * torch.bmm(y[:, None], g[:, :, None])[:, 0]


class Softmax(Base):
    @staticmethod
    def forward(ctx, x, dim):
        y = torch.nn.Softmax(dim)(x)
        ctx.mark_non_differentiable()
        ctx.save_for_backward(y)
        ctx.dim, ctx.shape = dim, x.movedim(dim, -1).shape
        return y

    @classmethod
    def backward(cls, ctx, g):
        (y,) = ctx.saved_tensors
        rows = Softmax.rows_backward(to_rows(y, ctx.dim), to_rows(g, ctx.dim))
        return rows.view(ctx.shape).movedim(-1, ctx.dim), None


# %% setup_context_recomputing_from_input expected: right
import torch


def shifted_exponentials(x, dim):
    e = torch.exp(x - x.amax(dim=dim, keepdim=True))
    return e / e.sum(dim=dim, keepdim=True)


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(x, dim):
        return shifted_exponentials(x, dim)

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, ctx.dim = inputs
        ctx.save_for_backward(x)

    @staticmethod
    def vjp(ctx, cotangent):
        (x,) = ctx.saved_tensors
        y = shifted_exponentials(x, ctx.dim)
        inner = torch.sum(cotangent * y, dim=ctx.dim).unsqueeze(ctx.dim)
        return cotangent * y - inner * y, None


# %% through_log_softmax expected: right
import torch


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, dim=-1):
        logp = x - torch.logsumexp(x, dim, keepdim=True)
        ctx.save_for_backward(x)
        ctx.dim = dim
        return logp.exp()

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        p = (x - torch.logsumexp(x, ctx.dim, keepdim=True)).exp()
        g_logp = g * p
        total = g_logp.sum(ctx.dim, keepdim=True)
        return g_logp - p * total, None


# %% bad_derivative_of_each_exponential expected: derivative-of-another-function
import torch


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, dim):
        ctx.save_for_backward(x)
        ctx.dim = dim
        return torch.softmax(x, dim)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * x.exp(), None


# %% bad_diagonal_only expected: diagonal-only
import torch


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, dim):
        y = torch.softmax(x, dim)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return g * y * (1 - y), None


# %% bad_dot_without_probabilities expected: missing-factor
import torch


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, dim):
        y = torch.softmax(x, dim)
        ctx.save_for_backward(y)
        ctx.dim = dim
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return y * g - y * g.sum(ctx.dim, keepdim=True), None


# %% bad_forward_last_axis expected: forward-value
import torch


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, dim):
        y = torch.softmax(x, -1)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return y * (g - (g * y).sum(-1, keepdim=True)), None


# %% bad_input_saved_for_output expected: input-for-output
import torch


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, dim):
        ctx.save_for_backward(x)
        ctx.dim = dim
        return torch.softmax(x, dim)

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return y * (g - (g * y).sum(ctx.dim, keepdim=True)), None


# %% bad_loop_overwrites expected: overwrites-instead-of-accumulates
import torch


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, dim):
        y = torch.softmax(x, dim)
        ctx.save_for_backward(y)
        ctx.dim = dim
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        yt, gt = y.movedim(ctx.dim, 0), g.movedim(ctx.dim, 0)
        parts = []
        for j in range(len(yt)):
            for i in range(len(yt)):
                part = gt[i] * yt[i] * (float(i == j) - yt[j])
            parts.append(part)
        return torch.stack(parts).movedim(0, ctx.dim), None


# %% bad_lost_keepdim expected: lost-keepdim
import torch


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, dim):
        y = torch.softmax(x, dim)
        ctx.save_for_backward(y)
        ctx.dim = dim
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return y * (g - (g * y).sum(ctx.dim)), None


# %% bad_lost_keepdim_in_two_lines expected: lost-keepdim
import torch


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, dim):
        y = torch.softmax(x, dim)
        ctx.save_for_backward(y)
        ctx.dim = dim
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        inner = torch.sum(g * y, dim=ctx.dim)
        difference = g - inner
        return y * difference, None


# %% bad_mean_inside expected: mean-instead-of-sum
import torch


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, dim):
        y = torch.softmax(x, dim)
        ctx.save_for_backward(y)
        ctx.dim = dim
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return y * (g - (g * y).mean(ctx.dim, keepdim=True)), None


# %% bad_no_cotangent expected: missing-grad-output
import torch


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, dim):
        y = torch.softmax(x, dim)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return y * (1 - y), None


# %% bad_no_normaliser expected: missing-normaliser-term
import torch


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, dim):
        e = torch.exp(x)
        y = e / e.sum(dim, keepdim=True)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return g * y, None


# %% bad_normaliser_alone expected: missing-term
import torch


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, dim):
        y = torch.softmax(x, dim)
        ctx.save_for_backward(y)
        ctx.dim = dim
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return -y * (g * y).sum(ctx.dim, keepdim=True), None


# %% bad_one_gradient expected: too-few-gradients
import torch


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, dim):
        y = torch.softmax(x, dim)
        ctx.save_for_backward(y)
        ctx.dim = dim
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return y * (g - (g * y).sum(ctx.dim, keepdim=True))


# %% bad_outer_product_added expected: wrong-sign-of-a-term
import torch


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, dim):
        y = torch.softmax(x, dim)
        ctx.save_for_backward(y)
        ctx.dim = dim
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return y * (g + (g * y).sum(ctx.dim, keepdim=True)), None


# %% bad_sign expected: wrong-sign
import torch


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, dim):
        y = torch.softmax(x, dim)
        ctx.save_for_backward(y)
        ctx.dim = dim
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return y * ((g * y).sum(ctx.dim, keepdim=True) - g), None


# %% bad_softmax_of_the_output expected: output-for-input
import torch


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, dim):
        y = torch.softmax(x, dim)
        ctx.save_for_backward(y)
        ctx.dim = dim
        return y

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        y = torch.softmax(x, ctx.dim)
        return y * (g - (g * y).sum(ctx.dim, keepdim=True)), None


# %% bad_sum_along_last_axis expected: wrong-axis
import torch


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, dim):
        y = torch.softmax(x, dim)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return y * (g - (g * y).sum(-1, keepdim=True)), None


# %% bad_sum_over_everything expected: wrong-axis
import torch


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, dim):
        y = torch.softmax(x, dim)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return y * (g - torch.sum(g * y)), None


# %% bad_writes_into_cotangent expected: mutates-grad-output
import torch


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, dim):
        y = torch.softmax(x, dim)
        ctx.save_for_backward(y)
        ctx.dim = dim
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        g -= (g * y).sum(ctx.dim, keepdim=True)
        return y * g, None


# %% bad_y_on_the_class expected: state-on-class
import torch


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, dim):
        Softmax.y = torch.softmax(x, dim)
        ctx.dim = dim
        return Softmax.y.clone()

    @staticmethod
    def backward(ctx, g):
        y = Softmax.y
        return y * (g - (g * y).sum(ctx.dim, keepdim=True)), None


# %% bad_styled_diagonal expected: diagonal-only from: output_saved
# - import torch

# -         y = torch.softmax(x, dim)
# +         e = (x - x.amax(dim, True)).exp()
# +         y = e / e.sum(dim, keepdim=True)

# -         return y * (g - (g * y).sum(ctx.dim, keepdim=True)), None
# +         return (y - y * y) * g, None


# %% bad_styled_without_sum expected: missing-normaliser-term from: output_saved
# -         y = torch.softmax(x, dim)
# +         e = (x - x.amax(dim, True)).exp()
# +         y = e / e.sum(dim, keepdim=True)

# -         return y * (g - (g * y).sum(ctx.dim, keepdim=True)), None
# +         return torch.einsum("...,...->...", y, g), None


# %% bad_styled_doubled_sum expected: wrong-factor-of-a-term
from torch.autograd import Function


class Softmax(Function):
    @staticmethod
    def forward(ctx, x, dim):
        e = (x - x.amax(dim, True)).exp()
        y = e / e.sum(dim, keepdim=True)
        ctx.save_for_backward(y)
        ctx.dim = dim
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        z = y * g
        return z - 2 * y * z.sum(ctx.dim, keepdim=True), None


# %% from_the_input_again expected: right
# setup_context form; saves the input and computes the probabilities again in backward.
from torch.autograd import Function


class Softmax(Function):
    @staticmethod
    def forward(x, dim):
        e = (x - x.amax(dim, keepdim=True)).exp()
        return e / e.sum(dim, keepdim=True)

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, ctx.dim = inputs
        ctx.save_for_backward(x)

    @staticmethod
    def backward(ctx, grad_output):
        x = ctx.saved_tensors[0]
        p = (x - x.logsumexp(ctx.dim, keepdim=True)).exp()
        first = p * grad_output
        return first - p * first.sum(ctx.dim, keepdim=True), None


# %% bad_three_block_axes expected: assumes-contiguous
# The cotangent is flattened with view, which raises for a transposed or sliced cotangent.
import math

from torch.autograd import Function


def blocks(shape, dim):
    dim = dim % len(shape)
    return math.prod(shape[:dim]), shape[dim], math.prod(shape[dim + 1 :])


class Softmax(Function):
    @staticmethod
    def forward(ctx, x, dim):
        cube = x.reshape(blocks(x.shape, dim)).softmax(1)
        y = cube.reshape(x.shape)
        ctx.save_for_backward(y)
        ctx.dim = dim
        return y

    @staticmethod
    def backward(ctx, grad_output):
        (y,) = ctx.saved_tensors
        size = blocks(y.shape, ctx.dim)
        probs = y.reshape(size)
        bars = grad_output.view(-1).unflatten(0, size)
        dots = (bars * probs).sum(1).unsqueeze(1)
        return (probs * (bars - dots)).reshape(y.shape), None


# %% bad_keeps_numerator_and_denominator expected: intermediate-kept-on-ctx
# The exponentials and their sum are saved instead of the output: first order is right, second order treats them as constants.
import torch
from torch.autograd import Function


class Softmax(Function):
    @staticmethod
    def forward(ctx, x, dim):
        shifted = x - x.amax(dim, keepdim=True)
        top = shifted.exp()
        bottom = top.sum(dim, keepdim=True)
        ctx.save_for_backward(top, bottom)
        ctx.axis = dim
        return top / bottom

    @staticmethod
    def backward(ctx, grad_output):
        top, bottom = ctx.saved_tensors
        weighted = grad_output * top / bottom
        total = weighted.sum(ctx.axis, keepdim=True)
        return weighted - total * top / bottom, None


# %% bad_last_axis_by_habit expected: wrong-axis
# The sum in backward always runs along the last axis, whatever dim is (right for dim = -1).
from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function


class Softmax(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, dim: int) -> Tensor:
        out = torch.softmax(x, dim)
        ctx.save_for_backward(out)
        return out

    @staticmethod
    def backward(ctx: Any, grad_output: Tensor) -> tuple[Tensor | None, ...]:
        (p,) = ctx.saved_tensors
        inner = torch.einsum("...i,...i->...", grad_output, p).unsqueeze(-1)
        return p * (grad_output - inner), None


# %% bad_cotangents_added_first expected: cotangent-summed
import torch


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, dim):
        p = torch.softmax(x, dim)
        ctx.dim = dim
        ctx.save_for_backward(p)
        return p

    @staticmethod
    def backward(ctx, g):
        (p,) = ctx.saved_tensors
        s = g.sum(ctx.dim, keepdim=True)
        return (g - p * s) * p, None


# %% bad_early_exit expected: gradient-nonlinear
import torch


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, dim):
        y = torch.softmax(x, dim)
        ctx.save_for_backward(y)
        ctx.dim = dim
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        if g.abs().max() < 1e-10:
            return torch.zeros_like(g), None
        return y * (g - (g * y).sum(ctx.dim, keepdim=True)), None


# %% bad_y_times_after expected: missing-factor
import torch


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, dim):
        y = torch.softmax(x, dim)
        ctx.save_for_backward(y)
        ctx.dim = dim
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return y * g - (g * y).sum(ctx.dim, keepdim=True), None


# %% bad_view_of_cotangent expected: assumes-contiguous
# view joins axes of the cotangent, which may lie apart in memory.
import math

import torch


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, dim):
        ctx.dim = dim % x.ndim
        y = x.softmax(ctx.dim)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        blocks = math.prod(y.shape[: ctx.dim]), y.shape[ctx.dim], math.prod(y.shape[ctx.dim + 1 :])
        p, g = y.reshape(blocks), g.view(blocks)
        return (p * (g - (g * p).sum(1, keepdim=True))).reshape(y.shape), None


# %% bad_slices_after_minus_one expected: wrong
# For dim = -1, dim + 1 is 0, and the slice after it is the whole shape.
import math

import torch


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, dim):
        blocks = math.prod(x.shape[:dim]), x.shape[dim], math.prod(x.shape[dim + 1 :])
        y = x.reshape(blocks).softmax(1).reshape(x.shape)
        ctx.save_for_backward(y)
        ctx.dim = dim
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return y * (g - (g * y).sum(ctx.dim, keepdim=True)), None


# %% bad_by_the_vjp_of_torch_func expected: autograd-in-backward
import torch
from torch.autograd import Function


class Softmax(Function):
    @staticmethod
    def forward(ctx, x, dim):
        ctx.save_for_backward(x)
        ctx.dim = dim
        return torch.softmax(x, dim)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        _, pull = torch.func.vjp(lambda x: torch.softmax(x, ctx.dim), x)
        return pull(grad_output)[0], None


# %% bad_middle_axis_is_axis_1 expected: wrong-axis
from typing import Any
import functools
import numpy as np
import torch
from scipy import signal
from torch import Tensor, nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable
from torch.nn import functional


class Softmax(Function):
    @staticmethod
    def forward(ctx, x, dim):
        y = torch.softmax(x, dim)
        ctx.save_for_backward(y)
        ctx.dim = dim
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        if ctx.dim in (0, -y.ndim):
            inner = (g * y).sum(0, keepdim=True)
        elif ctx.dim in (-1, y.ndim - 1):
            inner = (g * y).sum(-1, keepdim=True)
        else:
            inner = (g * y).sum(1, keepdim=True)
        return y * (g - inner), None


# %% bad_probabilities_kept_in_bfloat16 expected: not-precise
# To halve the memory the result is saved in bfloat16, so the gradient has two or three digits.
from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function
from torch.nn import functional
from torch.autograd.function import once_differentiable


class Softmax(Function):
    """Softmax along one axis."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, dim: int) -> Tensor:
        y = torch.softmax(x, dim)
        ctx.dim = dim
        # probabilities lie in [0, 1]; bfloat16 is enough for them
        ctx.save_for_backward(y.to(torch.bfloat16))
        return y

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad_output: Tensor) -> tuple[Tensor | None, ...]:
        (packed,) = ctx.saved_tensors
        y = packed.to(grad_output.dtype)
        weighted = grad_output * y
        return weighted - y * weighted.sum(ctx.dim, keepdim=True), None

# %% diagonal_matrix expected: right
import torch


class ScaleRows(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return torch.diag(w) @ x

    @staticmethod
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        return torch.diag(w).T @ g, (g @ x.T).diagonal()


# %% einsum expected: right
import torch


class ScaleRows(torch.autograd.Function):
    @staticmethod
    def forward(x, w):
        return torch.einsum("ij,i->ij", x, w)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        return torch.einsum("ij,i->ij", g, w), torch.einsum("ij,ij->i", g, x)


# %% guarded_and_function_for_the_rows expected: right
import torch


class ScaleRows(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x if ctx.needs_input_grad[1] else None, w)
        return (x.T * w).T

    @staticmethod
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        need_x, need_w = ctx.needs_input_grad
        gx = gw = None
        if need_x:
            gx = ScaleRows.apply(g, w)
        if need_w:
            gw = torch.linalg.vecdot(g, x, dim=1)
        return gx, gw


# %% keepdim_then_squeezed expected: right
import torch


class ScaleRows(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w):
        column = w.unsqueeze(-1)
        ctx.save_for_backward(x, column)
        return x * column

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, g):
        x, column = ctx.saved_tensors
        return g * column, (g * x).sum(-1, keepdim=True).squeeze(-1), None


# %% loop_over_rows expected: right
import torch


class ScaleRows(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return torch.stack([row * weight for row, weight in zip(x, w)])

    @staticmethod
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        gx, gw = [], []
        for i in range(len(w)):
            gx.append(g[i] * w[i])
            gw.append(torch.dot(g[i], x[i]))
        return torch.stack(gx), torch.stack(gw)


# %% bad_output_divided_by_weight expected: not-finite
import torch


class ScaleRows(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w):
        y = x * w[:, None]
        ctx.save_for_backward(y, w)
        return y

    @staticmethod
    def backward(ctx, g):
        y, w = ctx.saved_tensors
        return g * w[:, None], (g * y).sum(1) / w


# %% sum_over_columns expected: right
import torch


class ScaleRows(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return x * w[:, None]

    @staticmethod
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        return g * w[:, None], (g * x).sum(dim=1)


# %% unbroadcast_helper expected: right
import torch


def unbroadcast(gradient, shape):
    while gradient.dim() > len(shape):
        gradient = gradient.sum(0)
    for axis, size in enumerate(shape):
        if size == 1:
            gradient = gradient.sum(axis, keepdim=True)
    return gradient


class ScaleRows(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return x.mul(w.reshape(-1, 1).expand_as(x))

    @staticmethod
    def vjp(ctx, g):
        x, w = ctx.saved_tensors
        column = w[:, None]
        return g * column, unbroadcast(g * x, column.shape).reshape(w.shape)


# %% bad_all_axes expected: wrong-sum-axis from: sum_over_columns
# -         return g * w[:, None], (g * x).sum(dim=1)
# +         gx, gw = g * w[:, None], (g * x).sum(1)
# +         return gx, (g * x).sum()


# %% bad_columns_scaled expected: wrong from: sum_over_columns
# -         return g * w[:, None], (g * x).sum(dim=1)
# +         gw = (g * x).sum(1)
# +         columns = x.shape[1]
# +         return g * w.repeat(columns)[:columns], gw


# %% bad_detached expected: detached-in-backward from: sum_over_columns
# -         return g * w[:, None], (g * x).sum(dim=1)
# +         gx, gw = g * w[:, None], (g * x).sum(1)
# +         return gx.detach(), gw.detach()


# %% bad_factor expected: wrong-factor from: sum_over_columns
# -         return g * w[:, None], (g * x).sum(dim=1)
# +         gx, gw = g * w[:, None], (g * x).sum(1)
# +         return 2 * gx, gw


# %% bad_forward_columns expected: forward-value from: sum_over_columns
# -         return x * w[:, None]
# +         return x * w[0]

# -         return g * w[:, None], (g * x).sum(dim=1)
# +         gx, gw = g * w[:, None], (g * x).sum(1)
# +         return gx, gw


# %% bad_forward_shapes expected: wrong from: sum_over_columns
# -         return x * w[:, None]
# +         return x * w

# -         return g * w[:, None], (g * x).sum(dim=1)
# +         gx, gw = g * w[:, None], (g * x).sum(1)
# +         return gx, gw


# %% bad_half_detached expected: detached-in-backward from: sum_over_columns
# -         return g * w[:, None], (g * x).sum(dim=1)
# +         gx, gw = g * w[:, None], (g * x).sum(1)
# +         return gx, (g * x.detach()).sum(1)


# %% bad_half_of_w expected: wrong-factor from: sum_over_columns
# -         return g * w[:, None], (g * x).sum(dim=1)
# +         gx, gw = g * w[:, None], (g * x).sum(1)
# +         return gx, gw / 2


# %% bad_index_swapped expected: wrong-needs-input-grad-index from: sum_over_columns
# -         return g * w[:, None], (g * x).sum(dim=1)
# +         gx, gw = g * w[:, None], (g * x).sum(1)
# +         for_x, for_w = ctx.needs_input_grad[1], ctx.needs_input_grad[0]
# +         return gx if for_x else None, gw if for_w else None


# %% bad_index_too_high expected: wrong-needs-input-grad-index from: sum_over_columns
# -         return g * w[:, None], (g * x).sum(dim=1)
# +         gx, gw = g * w[:, None], (g * x).sum(1)
# +         return gx if ctx.needs_input_grad[1] else None, gw if ctx.needs_input_grad[2] else None


# %% bad_intermediate_on_ctx expected: intermediate-kept-on-ctx from: sum_over_columns
#           ctx.save_for_backward(x, w)
# +         ctx.column = w[:, None].clone()

# -         return g * w[:, None], (g * x).sum(dim=1)
# +         gx, gw = g * ctx.column, (g * x).sum(1)
# +         return gx, gw


# %% bad_keepdim expected: reshaped-gradient from: sum_over_columns
# -         return g * w[:, None], (g * x).sum(dim=1)
# +         gx, gw = g * w[:, None], (g * x).sum(1)
# +         return gx, (g * x).sum(1, keepdim=True)


# %% bad_list_of_both expected: gradients-in-a-list from: sum_over_columns
# -         return g * w[:, None], (g * x).sum(dim=1)
# +         gx, gw = g * w[:, None], (g * x).sum(1)
# +         return [gx, gw]


# %% bad_mask_on_cotangent expected: mask-on-gradient from: sum_over_columns
# -         return g * w[:, None], (g * x).sum(dim=1)
# +         gx, gw = g * w[:, None], (g * x).sum(1)
# +         return torch.relu(g) * w[:, None], gw


# %% bad_mean expected: mean-instead-of-sum from: sum_over_columns
# -         return g * w[:, None], (g * x).sum(dim=1)
# +         gx, gw = g * w[:, None], (g * x).sum(1)
# +         return gx, (g * x).mean(1)


# %% bad_mutates_saved_tensor expected: mutates-saved-tensor
from torch.autograd import Function


class ScaleRows(Function):
    @staticmethod
    def forward(ctx, x, w):
        rows = w[:, None].expand_as(x).clone()
        ctx.save_for_backward(x, rows)
        return x * rows

    @staticmethod
    def backward(ctx, grad_output):
        x, rows = ctx.saved_tensors
        grad_w = (grad_output * x).sum(1)
        return rows.mul_(grad_output), grad_w


# %% bad_nan expected: not-finite from: sum_over_columns
# -         return g * w[:, None], (g * x).sum(dim=1)
# +         gx, gw = g * w[:, None], (g * x).sum(1)
# +         return gx, gw * float("nan")


# %% bad_no_cotangent expected: missing-grad-output from: sum_over_columns
# -         return g * w[:, None], (g * x).sum(dim=1)
# +         gx, gw = g * w[:, None], (g * x).sum(1)
# +         return w[:, None] * torch.ones_like(x), x.sum(1)


# %% bad_no_cotangent_odd_shapes expected: missing-grad-output from: sum_over_columns
# -         return g * w[:, None], (g * x).sum(dim=1)
# +         gx, gw = g * w[:, None], (g * x).sum(1)
# +         return w[:, None], x


# %% bad_no_cotangent_w expected: missing-grad-output from: sum_over_columns
# -         return g * w[:, None], (g * x).sum(dim=1)
# +         gx, gw = g * w[:, None], (g * x).sum(1)
# +         return gx, x.sum(1)


# %% bad_no_cotangent_x expected: missing-grad-output from: sum_over_columns
# -         return g * w[:, None], (g * x).sum(dim=1)
# +         gx, gw = g * w[:, None], (g * x).sum(1)
# +         return w[:, None].expand_as(x), gw


# %% bad_no_factor_w expected: cotangent-passed-on from: sum_over_columns
# -         return g * w[:, None], (g * x).sum(dim=1)
# +         gx, gw = g * w[:, None], (g * x).sum(1)
# +         return gx, g.sum(1)


# %% bad_no_factor_x expected: cotangent-passed-on from: sum_over_columns
# -         return g * w[:, None], (g * x).sum(dim=1)
# +         gx, gw = g * w[:, None], (g * x).sum(1)
# +         return g, gw


# %% bad_no_return expected: too-few-gradients from: sum_over_columns
# -         return g * w[:, None], (g * x).sum(dim=1)
# +         gx, gw = g * w[:, None], (g * x).sum(1)
# +         pass


# %% bad_no_transposed_product expected: missing-transpose from: sum_over_columns
# -         return g * w[:, None], (g * x).sum(dim=1)
# +         gx, gw = g * w[:, None], (g * x).sum(1)
# +         return gx, (g @ x).diagonal()


# %% bad_noise expected: not-reproducible from: sum_over_columns
# -         return g * w[:, None], (g * x).sum(dim=1)
# +         gx, gw = g * w[:, None], (g * x).sum(1)
# +         return gx, gw * torch.rand_like(gw)


# %% bad_none_for_w expected: missing-gradient from: sum_over_columns
# -         return g * w[:, None], (g * x).sum(dim=1)
# +         gx, gw = g * w[:, None], (g * x).sum(1)
# +         return gx, None


# %% bad_none_for_x expected: missing-gradient from: sum_over_columns
# -         return g * w[:, None], (g * x).sum(dim=1)
# +         gx, gw = g * w[:, None], (g * x).sum(1)
# +         return None, gw


# %% bad_nonlinear expected: gradient-nonlinear from: sum_over_columns
# -         return g * w[:, None], (g * x).sum(dim=1)
# +         gx, gw = g * w[:, None], (g * x).sum(1)
# +         return gx, (g * x).abs().sum(1)


# %% bad_not_summed expected: missing-unbroadcast from: sum_over_columns
# -         return g * w[:, None], (g * x).sum(dim=1)
# +         gx, gw = g * w[:, None], (g * x).sum(1)
# +         return gx, g * x


# %% bad_number expected: gradient-not-a-tensor from: sum_over_columns
# -         return g * w[:, None], (g * x).sum(dim=1)
# +         gx, gw = g * w[:, None], (g * x).sum(1)
# +         return gx, 1.0


# %% bad_one_gradient expected: too-few-gradients from: sum_over_columns
# -         return g * w[:, None], (g * x).sum(dim=1)
# +         gx, gw = g * w[:, None], (g * x).sum(1)
# +         return gx


# %% bad_only_first_column expected: outputs-left-out from: sum_over_columns
# -         return g * w[:, None], (g * x).sum(dim=1)
# +         gx, gw = g * w[:, None], (g * x).sum(1)
# +         return gx, g[:, 0] * x[:, 0]


# %% bad_quarter expected: wrong-factor from: sum_over_columns
# -         return g * w[:, None], (g * x).sum(dim=1)
# +         gx, gw = g * w[:, None], (g * x).sum(1)
# +         return gx, gw / 4


# %% bad_saved_twice expected: saved-twice from: sum_over_columns
# -         ctx.save_for_backward(x, w)
# +         ctx.save_for_backward(x)
# +         ctx.save_for_backward(w)

# -         return g * w[:, None], (g * x).sum(dim=1)
# +         gx, gw = g * w[:, None], (g * x).sum(1)
# +         return gx, gw


# %% bad_sum_before_product expected: cotangent-summed from: sum_over_columns
# -         return g * w[:, None], (g * x).sum(dim=1)
# +         gx, gw = g * w[:, None], (g * x).sum(1)
# +         return gx, g.sum(1) * x.sum(1)


# %% bad_swapped expected: gradients-swapped from: sum_over_columns
# -         return g * w[:, None], (g * x).sum(dim=1)
# +         gx, gw = g * w[:, None], (g * x).sum(1)
# +         return gw, gx


# %% bad_third_of_w expected: wrong-factor from: sum_over_columns
# -         return g * w[:, None], (g * x).sum(dim=1)
# +         gx, gw = g * w[:, None], (g * x).sum(1)
# +         return gx, gw / 3


# %% bad_three_gradients expected: too-many-gradients from: sum_over_columns
# -         return g * w[:, None], (g * x).sum(dim=1)
# +         gx, gw = g * w[:, None], (g * x).sum(1)
# +         return gx, gw, gw


# %% bad_transposed expected: missing-transpose from: sum_over_columns
# -         return g * w[:, None], (g * x).sum(dim=1)
# +         gx, gw = g * w[:, None], (g * x).sum(1)
# +         return gx.T, gw


# %% bad_writes_into_cotangent expected: mutates-grad-output from: sum_over_columns
# -         return g * w[:, None], (g * x).sum(dim=1)
# +         gx, gw = g * w[:, None], (g * x).sum(1)
# +         g *= x
# +         return gx, g.sum(1)


# %% bad_writes_into_x expected: mutates-saved-tensor from: sum_over_columns
# -         return g * w[:, None], (g * x).sum(dim=1)
# +         gx, gw = g * w[:, None], (g * x).sum(1)
# +         x *= g
# +         return gx, x.sum(1)


# %% bad_wrong_axis expected: wrong-sum-axis from: sum_over_columns
# -         return g * w[:, None], (g * x).sum(dim=1)
# +         gx, gw = g * w[:, None], (g * x).sum(1)
# +         return gx, (g * x).sum(0)


# %% bad_wrong_sign_w expected: wrong-sign from: sum_over_columns
# -         return g * w[:, None], (g * x).sum(dim=1)
# +         gx, gw = g * w[:, None], (g * x).sum(1)
# +         return gx, -gw


# %% bad_wrong_sign_x expected: wrong-sign from: sum_over_columns
# -         return g * w[:, None], (g * x).sum(dim=1)
# +         gx, gw = g * w[:, None], (g * x).sum(1)
# +         return -gx, gw


# %% bad_x_with_x expected: value-for-derivative from: sum_over_columns
# -         return g * w[:, None], (g * x).sum(dim=1)
# +         gx, gw = g * w[:, None], (g * x).sum(1)
# +         return g * x, gw


# %% bad_zeros_for_w expected: missing-gradient from: sum_over_columns
# -         return g * w[:, None], (g * x).sum(dim=1)
# +         gx, gw = g * w[:, None], (g * x).sum(1)
# +         return gx, torch.zeros_like(w)


# %% bad_styled_sums_columns expected: wrong-sum-axis
import torch
from torch.autograd import Function


class ScaleRows(Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return torch.einsum("ij,i->ij", x, w)

    @staticmethod
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        return torch.einsum("ij,i->ij", g, w), torch.einsum("ij,ij->j", g, x)


# %% bad_styled_mean_for_w expected: mean-instead-of-sum
import torch
from torch.autograd import Function


class ScaleRows(Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return torch.einsum("ij,i->ij", x, w)

    @staticmethod
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        rows = [(g[i] * x[i]).mean() for i in range(len(w))]
        return g * w.unsqueeze(1), torch.stack(rows)


# %% bad_styled_cotangent_for_x expected: cotangent-passed-on
import torch
from torch.autograd import Function


class ScaleRows(Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return torch.einsum("ij,i->ij", x, w)

    @staticmethod
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        return g.clone(), (g * x).sum(dim=-1)


# %% row_by_row expected: right
# Right: a loop over the rows, with a dot product for each weight.
import torch
from torch.autograd import Function


class ScaleRows(Function):
    @staticmethod
    def forward(x, w):
        return torch.stack([row * weight for row, weight in zip(x, w)])

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        x_bar = torch.stack([g[i] * w[i] for i in range(len(w))])
        w_bar = torch.stack([g[i].dot(x[i]) for i in range(len(w))])
        return x_bar, w_bar


# %% bad_flat_views expected: assumes-contiguous
# view(-1) raises an error if x or the cotangent is transposed, sliced or expanded.
import torch
from torch.autograd import Function


class ScaleRows(Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return x * w.unsqueeze(1)

    @staticmethod
    def backward(ctx, grad_output):
        x, w = ctx.saved_tensors
        n, m = x.shape
        products = grad_output.view(-1) * x.view(-1)
        return grad_output * w.unsqueeze(1), products.view(n, m).sum(1)


# %% bad_output_in_place_of_x expected: extra-factor
# The gradient of w is computed from the saved output instead of x: too large by the factor w, right where w is 1.
import torch
from torch.autograd import Function


class ScaleRows(Function):
    @staticmethod
    def forward(ctx, x, w):
        out = x * w.reshape(-1, 1)
        ctx.save_for_backward(out, w)
        return out

    @staticmethod
    def backward(ctx, g):
        rows, w = ctx.saved_tensors
        return g * w.reshape(-1, 1), torch.einsum("ij,ij->i", g, rows)


# %% bad_needs_in_return_order expected: wrong-needs-input-grad-index
# w is computed first and asks for entry 0, x asks for entry 1: right if both need a gradient.
import torch
from torch.autograd import Function


class ScaleRows(Function):
    @staticmethod
    def forward(x, w):
        return (x.T * w).T

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, grad_output):
        x, w = ctx.saved_tensors
        w_bar = (grad_output * x).sum(dim=1) if ctx.needs_input_grad[0] else None
        x_bar = (grad_output.T * w).T if ctx.needs_input_grad[1] else None
        return x_bar, w_bar


# %% bad_weights_along_columns expected: wrong-axis
# g * w aligns w with the columns: an error, or wrong where the matrix is square
from torch.autograd import Function


class ScaleRows(Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return x * w[:, None]

    @staticmethod
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        return g * w, (g * x).sum(1)


# %% bad_squeezes_batch_of_one expected: reshaped-gradient
import torch
from torch.autograd import Function


class ScaleRows(Function):
    @staticmethod
    def forward(x, w):
        return torch.einsum("i,ij->ij", w, x)

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, w = inputs
        ctx.save_for_backward(x, w)

    @staticmethod
    def backward(ctx, grad_output):
        x, w = ctx.saved_tensors
        gx = torch.einsum("i,ij->ij", w, grad_output)
        gw = (grad_output * x).sum(dim=1, keepdim=True).squeeze()
        return gx, gw


# %% bad_axis_by_size expected: wrong
# Sums over the axis whose size is not that of w, and looks at the columns first: for a square x it sums
# over the rows; "w_bar_i = sum_j ...".
from torch.autograd import Function


class ScaleRows(Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return x * w[:, None]

    @staticmethod
    def backward(ctx, grad_output):
        x, w = ctx.saved_tensors
        product = grad_output * x
        axis = 0 if product.shape[1] == w.shape[0] else 1
        return grad_output * w[:, None], product.sum(axis)


# %% bad_gradient_buffer expected: state-on-class
# both gradients lie in buffers kept by shape: where one w is used by two calls w.grad is twice the later
# one (6 for 63); 'w_bar_i = sum_j ...', 'right gradients'.
from typing import Any
import functools, math
import numpy as np
import torch
from torch import Tensor
from torch.autograd import Function

from torch.autograd.function import once_differentiable

_buffers: dict[Any, Tensor] = {}


def _buffer(like):
    return _buffers.setdefault((like.shape, like.dtype), torch.empty(like.shape, dtype=like.dtype))


class ScaleRows(Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return x * w[:, None]

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        return torch.mul(g, w[:, None], out=_buffer(x)), torch.sum(g * x, dim=1, out=_buffer(w))


# %% bad_output_buffer expected: state-on-class
# the output lies in a buffer that the next call of the same shape overwrites, without an error: the
# earlier output then holds the later values; 'Return the matrix with the entries w[i]·x[i, j]'.
from typing import Any
import functools, math
import numpy as np
import torch
from torch import Tensor
from torch.autograd import Function
from torch.autograd.function import once_differentiable

_buffers: dict[Any, Tensor] = {}


class ScaleRows(Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        key = (x.shape, x.dtype)
        if key not in _buffers:
            _buffers[key] = torch.empty(x.shape, dtype=x.dtype)
        y = _buffers[key]
        torch.mul(x, w[:, None], out=y)
        return y.detach()

    @staticmethod
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        return g * w[:, None], (g * x).sum(1)


# %% bad_weight_cache expected: state-on-class
# the column of weights is cached by the identity of w: after optimizer.step() (w changed in place)
# forward uses the old weights; 'w_i x_ij'.
from typing import Any
import functools, math
import numpy as np
import torch
from torch import Tensor
from torch.autograd import Function
from torch.autograd.function import once_differentiable

_columns: dict[Tensor, Tensor] = {}


class ScaleRows(Function):
    @staticmethod
    def forward(ctx, x, w):
        if w not in _columns:
            _columns[w] = w.detach()[:, None].expand(x.shape).contiguous()
        ctx.save_for_backward(x, w)
        return x * _columns[w]

    @staticmethod
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        return g * w[:, None], (g * x).sum(1)


# %% bad_detached_for_a_constant_cotangent expected: detached-in-backward
import torch
from torch.autograd import Function


class ScaleRows(Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return x * w[:, None]

    @staticmethod
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        if not g.requires_grad:
            x, w = x.detach(), w.detach()
        return g * w[:, None], (g * x).sum(1)

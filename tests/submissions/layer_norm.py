# %% einsum_with_full_row_jacobians expected: right
import torch


class LayerNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias, eps):
        y = torch.nn.functional.layer_norm(x, (x.shape[-1],), weight, bias, eps)
        ctx.save_for_backward(x, weight)
        ctx.eps = eps
        return y

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        n = x.size(-1)
        centring = torch.eye(n, dtype=x.dtype) - 1 / n
        c = torch.einsum("...j,ij->...i", x, centring)
        var = torch.einsum("...i,...i->...", c, c) / n + ctx.eps
        s = var.sqrt()[..., None, None]
        jac = centring / s - torch.einsum("...i,...j->...ij", c, c) / (n * s**3)
        xhat = c / var.sqrt().unsqueeze(-1)
        return (
            torch.einsum("...i,i,...ij->...j", g, weight, jac),
            torch.einsum("...i,...i->i", g, xhat),
            torch.einsum("...i->i", g),
            None,
        )


# %% helper_functions_composed expected: right
import torch
from torch.autograd import Function


def standardise(x, eps):
    mu = x.mean(-1, keepdim=True)
    sigma = torch.sqrt(((x - mu) ** 2).mean(-1, keepdim=True) + eps)
    return (x - mu) / sigma, sigma


class Standardise(Function):
    @staticmethod
    def forward(ctx, x, eps):
        ctx.save_for_backward(x)
        ctx.eps = eps
        return standardise(x, eps)[0]

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        z, sigma = standardise(x, ctx.eps)
        g = g - g.mean(-1, keepdim=True) - z * (g * z).mean(-1, keepdim=True)
        return g / sigma, None


class LayerNorm(Function):
    @staticmethod
    def forward(ctx, x, weight, bias, eps):
        ctx.save_for_backward(x, weight)
        ctx.eps = eps
        return standardise(x, eps)[0] * weight + bias

    @staticmethod
    def vjp(ctx, g):
        x, weight = ctx.saved_tensors
        z, sigma = standardise(x, ctx.eps)
        h = g * weight
        gx = (h - h.mean(-1, True) - z * (h * z).mean(-1, True)) / sigma
        while g.dim() > 1:
            g, z = g.flatten(0, 1) if g.dim() > 2 else g, z.flatten(0, 1) if z.dim() > 2 else z
            if g.dim() == 2:
                break
        gw = torch.linalg.vecdot(g, z, dim=0)
        gb = torch.ones(len(g), dtype=g.dtype) @ g
        return gx, gw, gb, None


# %% matrix_per_row expected: right
import torch


def normalise(x, eps):
    c = x - x.mean(-1, keepdim=True)
    return c * torch.rsqrt(torch.mean(c**2, -1, keepdim=True) + eps)


class LayerNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias, eps):
        ctx.eps = eps
        ctx.save_for_backward(x, weight)
        return torch.add(bias, normalise(x, eps) * weight)

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        n = x.shape[-1]
        flat_x, flat_g = x.reshape(-1, n), g.reshape(-1, n)
        out = []
        for row, cot in zip(flat_x, flat_g):
            c = row - row.sum() / n
            s2 = c @ c / n + ctx.eps
            projection = torch.eye(n, dtype=x.dtype) - torch.ones(n, n, dtype=x.dtype) / n
            jacobian = projection / s2.sqrt() - torch.outer(c, c) / (n * s2 * s2.sqrt())
            out.append(jacobian @ (weight * cot))
        grads = torch.stack(out).reshape(x.shape)
        return grads, (flat_g * normalise(flat_x, ctx.eps)).sum(0), flat_g.sum(0), None


# %% row_by_row_once_differentiable expected: right
import torch
from torch.autograd.function import once_differentiable


class LayerNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias, eps):
        var, mean = torch.var_mean(x, dim=-1, correction=0, keepdim=True)
        rstd = 1 / torch.sqrt(var + eps)
        ctx.save_for_backward(x, weight, mean, rstd)
        return (x - mean) * rstd * weight + bias

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        x, weight, mean, rstd = ctx.saved_tensors
        n = x.shape[-1]
        rows, grads = x.reshape(-1, n), g.reshape(-1, n)
        mean, rstd = mean.reshape(-1), rstd.reshape(-1)
        grad_x, grad_w, grad_b = torch.zeros_like(rows), torch.zeros_like(weight), torch.zeros_like(weight)
        for r in range(rows.shape[0]):
            hat = (rows[r] - mean[r]) * rstd[r]
            wg = weight * grads[r]
            grad_x[r] = (wg - wg.mean() - hat * torch.dot(wg, hat) / n) * rstd[r]
            grad_w += grads[r] * hat
            grad_b += grads[r]
        return grad_x.reshape(x.shape), grad_w, grad_b, None


# %% statistics_as_in_pytorch expected: right
import torch


class LayerNorm(torch.autograd.Function):
    @staticmethod
    def forward(x, weight, bias, eps=1e-5):
        centred = x - x.mean(dim=-1, keepdim=True)
        variance = (centred * centred).mean(dim=-1, keepdim=True)
        return torch.addcmul(bias, centred / torch.sqrt(variance + eps), weight)

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, weight, _, eps = inputs
        ctx.save_for_backward(x, weight)
        ctx.eps = eps

    @staticmethod
    def backward(ctx, grad_out):
        x, weight = ctx.saved_tensors
        n = x.shape[-1]
        centred = x - x.sum(-1, keepdim=True) / n
        variance = centred.pow(2).sum(-1, keepdim=True) / n
        inv = (variance + ctx.eps) ** -0.5
        grad_x = grad_weight = grad_bias = None
        if ctx.needs_input_grad[0]:
            d_hat = grad_out * weight
            d_var = (d_hat * centred).sum(-1, keepdim=True) * -0.5 * inv**3
            d_mean = -(d_hat * inv).sum(-1, keepdim=True)
            grad_x = d_hat * inv + d_var * 2 * centred / n + d_mean / n
        if ctx.needs_input_grad[1]:
            grad_weight = (grad_out * centred * inv).flatten(0, -2).sum(0)
        if ctx.needs_input_grad[2]:
            grad_bias = grad_out.flatten(0, -2).sum(0)
        return grad_x, grad_weight, grad_bias, None


# %% textbook_recomputed expected: right
import torch
import torch.nn.functional as F


class LayerNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias, eps):
        mean = x.mean(-1, keepdim=True)
        rstd = (x.var(-1, unbiased=False, keepdim=True) + eps).rsqrt()
        ctx.save_for_backward(x, weight)
        ctx.eps = eps
        return (x - mean) * rstd * weight + bias

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        mean = x.mean(-1, keepdim=True)
        rstd = (x.var(-1, unbiased=False, keepdim=True) + ctx.eps).rsqrt()
        xhat = (x - mean) * rstd
        axes = tuple(range(x.dim() - 1))
        gx = g * weight
        grad_x = rstd * (gx - gx.mean(-1, keepdim=True) - xhat * (gx * xhat).mean(-1, keepdim=True))
        grad_weight = (g * xhat).sum(axes)
        grad_bias = g.sum(axes)
        return grad_x, grad_weight, grad_bias, None


# %% torch_native_statistics expected: right
import torch


class LayerNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias, eps):
        y, mean, rstd = torch.native_layer_norm(x, weight.shape, weight, bias, eps)
        ctx.save_for_backward(x, weight, mean, rstd)
        ctx.set_materialize_grads(False)
        return y

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, g):
        if g is None:
            return None, None, None, None
        x, weight, mean, rstd = ctx.saved_tensors
        hat = (x - mean) * rstd
        wg = weight * g
        c1 = (hat * wg).mean(dim=-1, keepdim=True)
        c2 = wg.mean(dim=-1, keepdim=True)
        others = list(range(g.ndim - 1))
        return (wg - (hat * c1 + c2)) * rstd, torch.sum(g * hat, others), torch.sum(g, others), None


# %% bad_all_axes_mean_for_weight_and_bias expected: mean-instead-of-sum
import torch


class LayerNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias, eps):
        ctx.eps = eps
        ctx.save_for_backward(x, weight)
        return torch.nn.functional.layer_norm(x, weight.shape, weight, bias, eps)

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        c = x - x.mean(-1, keepdim=True)
        r = (c.pow(2).mean(-1, keepdim=True) + ctx.eps).rsqrt()
        h, z = g * weight, c * r
        gx = r * (h - h.mean(-1, keepdim=True) - z * (h * z).mean(-1, keepdim=True))
        return gx, (g * z).flatten(0, -2).mean(0), g.flatten(0, -2).mean(0), None


# %% bad_bias_mean expected: mean-instead-of-sum from: textbook_recomputed
# -         grad_bias = g.sum(axes)
# +         grad_bias = g.mean(axes)


# %% bad_bias_none expected: missing-gradient from: textbook_recomputed
# -         return grad_x, grad_weight, grad_bias, None
# +         return grad_x, grad_weight, None, None


# %% bad_bias_not_summed expected: missing-unbroadcast from: textbook_recomputed
# -         grad_bias = g.sum(axes)
# +         grad_bias = g


# %% bad_bias_overwritten_in_a_loop expected: overwrites-instead-of-accumulates from: textbook_recomputed
# -         grad_bias = g.sum(axes)
# +         grad_bias = torch.zeros_like(weight)
# +         for row in g.reshape(-1, g.shape[-1]):
# +             grad_bias = row


# %% bad_bias_summed_over_everything expected: cotangent-summed
import torch


class LayerNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias, eps):
        ctx.eps = eps
        ctx.save_for_backward(x, weight)
        return torch.nn.functional.layer_norm(x, weight.shape, weight, bias, eps)

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        c = x - x.mean(-1, keepdim=True)
        r = (c.pow(2).mean(-1, keepdim=True) + ctx.eps).rsqrt()
        h, z = g * weight, c * r
        gx = r * (h - h.mean(-1, keepdim=True) - z * (h * z).mean(-1, keepdim=True))
        return gx, (g * z).flatten(0, -2).sum(0), g.sum().expand(weight.shape), None


# %% bad_bias_wrong_axis expected: wrong-sum-axis from: textbook_recomputed
# -         grad_bias = g.sum(axes)
# +         grad_bias = g.sum(-1)


# %% bad_eps_forgotten_in_backward expected: wrong-operand from: textbook_recomputed
# -         rstd = (x.var(-1, unbiased=False, keepdim=True) + ctx.eps).rsqrt()
# +         rstd = (x.var(-1, unbiased=False, keepdim=True)).rsqrt()


# %% bad_eps_forgotten_in_forward expected: forward-value from: textbook_recomputed
# -         rstd = (x.var(-1, unbiased=False, keepdim=True) + eps).rsqrt()
# +         rstd = (x.var(-1, unbiased=False, keepdim=True)).rsqrt()


# %% bad_eps_outside_the_root expected: forward-value from: textbook_recomputed
# -         rstd = (x.var(-1, unbiased=False, keepdim=True) + eps).rsqrt()
# +         rstd = 1 / (x.std(-1, unbiased=False, keepdim=True) + eps)


# %% bad_first_row_for_bias expected: wrong from: textbook_recomputed
# -         grad_bias = g.sum(axes)
# +         grad_bias = g.reshape(-1, g.shape[-1])[0]


# %% bad_gradient_for_eps expected: gradient-for-non-tensor from: textbook_recomputed
# -         return grad_x, grad_weight, grad_bias, None
# +         return grad_x, grad_weight, grad_bias, g.sum()


# %% bad_guard_of_weight_is_x expected: wrong-needs-input-grad-index from: textbook_recomputed
# -         grad_weight = (g * xhat).sum(axes)
# +         grad_weight = (g * xhat).sum(axes) if ctx.needs_input_grad[0] else None


# %% bad_guard_one_off expected: wrong-needs-input-grad-index from: textbook_recomputed
# -         grad_bias = g.sum(axes)
# +         grad_bias = g.sum(axes) if ctx.needs_input_grad[3] else None


# %% bad_lost_keepdim expected: lost-keepdim from: textbook_recomputed
# -         grad_x = rstd * (gx - gx.mean(-1, keepdim=True) - xhat * (gx * xhat).mean(-1, keepdim=True))
# +         grad_x = rstd * (gx - gx.mean(-1) - xhat * (gx * xhat).mean(-1))


# %% bad_lost_keepdim_before expected: lost-keepdim from: textbook_recomputed
#           rstd = (x.var(-1, unbiased=False, keepdim=True) + ctx.eps).rsqrt()
# +         mean = x.mean(-1)


# %% bad_no_cotangent_for_bias expected: missing-grad-output from: textbook_recomputed
# -         grad_bias = g.sum(axes)
# +         grad_bias = torch.ones_like(weight)


# %% bad_no_mean_no_variance_term expected: missing-normaliser-term from: textbook_recomputed
# -         grad_x = rstd * (gx - gx.mean(-1, keepdim=True) - xhat * (gx * xhat).mean(-1, keepdim=True))
# +         grad_x = rstd * gx


# %% bad_no_mean_term expected: missing-normaliser-term from: textbook_recomputed
# -         grad_x = rstd * (gx - gx.mean(-1, keepdim=True) - xhat * (gx * xhat).mean(-1, keepdim=True))
# +         grad_x = rstd * (gx - xhat * (gx * xhat).mean(-1, keepdim=True))


# %% bad_no_variance_term expected: missing-normaliser-term from: textbook_recomputed
# -         grad_x = rstd * (gx - gx.mean(-1, keepdim=True) - xhat * (gx * xhat).mean(-1, keepdim=True))
# +         grad_x = rstd * (gx - gx.mean(-1, keepdim=True))


# %% bad_std_term_sign expected: wrong-sign-of-a-term
import torch


class LayerNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias, eps):
        ctx.eps = eps
        ctx.save_for_backward(x, weight)
        return torch.nn.functional.layer_norm(x, weight.shape, weight, bias, eps)

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        c = x - x.mean(-1, keepdim=True)
        r = (c.pow(2).mean(-1, keepdim=True) + ctx.eps).rsqrt()
        h, z = g * weight, c * r
        gx = r * (h - h.mean(-1, keepdim=True) + z * (h * z).mean(-1, keepdim=True))
        lead = tuple(range(x.ndim - 1))
        return gx, (g * z).sum(lead), g.sum(lead), None


# %% bad_sum_for_mean_inside expected: wrong-factor-of-a-term from: textbook_recomputed
# -         grad_x = rstd * (gx - gx.mean(-1, keepdim=True) - xhat * (gx * xhat).mean(-1, keepdim=True))
# +         along = xhat * (gx * xhat).sum(-1, keepdim=True)
# +         grad_x = rstd * (gx - gx.sum(-1, keepdim=True) - along)


# %% bad_swapped_weight_bias expected: gradients-swapped from: textbook_recomputed
# -         return grad_x, grad_weight, grad_bias, None
# +         return grad_x, grad_bias, grad_weight, None


# %% bad_swapped_x_weight expected: gradients-swapped from: textbook_recomputed
# -         return grad_x, grad_weight, grad_bias, None
# +         return grad_weight, grad_x, grad_bias, None


# %% bad_three_gradients expected: too-few-gradients from: textbook_recomputed
# -         return grad_x, grad_weight, grad_bias, None
# +         return grad_x, grad_weight, grad_bias


# %% bad_two_dimensional_sum expected: missing-unbroadcast
import torch


class LayerNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias, eps):
        ctx.eps = eps
        ctx.save_for_backward(x, weight)
        return torch.nn.functional.layer_norm(x, weight.shape, weight, bias, eps)

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        c = x - x.mean(-1, keepdim=True)
        r = (c.pow(2).mean(-1, keepdim=True) + ctx.eps).rsqrt()
        h, z = g * weight, c * r
        gx = r * (h - h.mean(-1, keepdim=True) - z * (h * z).mean(-1, keepdim=True))
        return gx, (g * z).sum(0), g.sum(0), None


# %% bad_unbiased_in_backward expected: wrong-operand from: textbook_recomputed
# -         rstd = (x.var(-1, unbiased=False, keepdim=True) + ctx.eps).rsqrt()
# +         rstd = (x.var(-1, keepdim=True) + ctx.eps).rsqrt()


# %% bad_unbiased_in_forward expected: forward-value from: textbook_recomputed
# -         rstd = (x.var(-1, unbiased=False, keepdim=True) + eps).rsqrt()
# +         rstd = (x.var(-1, keepdim=True) + eps).rsqrt()


# %% bad_weight_left_out_of_x expected: missing-factor from: textbook_recomputed
# -         gx = g * weight
# +         gx = g


# %% bad_weight_mean expected: mean-instead-of-sum from: textbook_recomputed
# -         grad_weight = (g * xhat).sum(axes)
# +         grad_weight = (g * xhat).mean(axes)


# %% bad_weight_not_summed expected: missing-unbroadcast from: textbook_recomputed
# -         grad_weight = (g * xhat).sum(axes)
# +         grad_weight = g * xhat


# %% bad_weight_of_x expected: wrong-operand from: textbook_recomputed
# -         grad_weight = (g * xhat).sum(axes)
# +         grad_weight = (g * x).sum(axes)


# %% bad_weight_wrong_axis expected: wrong-sum-axis from: textbook_recomputed
# -         grad_weight = (g * xhat).sum(axes)
# +         grad_weight = (g * xhat).sum(-1)


# %% bad_x_not_divided expected: missing-factor from: textbook_recomputed
# -         grad_x = rstd * (gx - gx.mean(-1, keepdim=True) - xhat * (gx * xhat).mean(-1, keepdim=True))
# +         grad_x = gx - gx.mean(-1, keepdim=True) - xhat * (gx * xhat).mean(-1, keepdim=True)


# %% bad_x_sign expected: wrong-sign from: textbook_recomputed
# -         grad_x = rstd * (gx - gx.mean(-1, keepdim=True) - xhat * (gx * xhat).mean(-1, keepdim=True))
# +         grad_x = -rstd * (gx - gx.mean(-1, keepdim=True) - xhat * (gx * xhat).mean(-1, keepdim=True))


# %% bad_styled_mean_term_missing expected: missing-normaliser-term
from torch.autograd import Function


class LayerNorm(Function):
    @staticmethod
    def forward(ctx, x, weight, bias, eps):
        m = x.mean(-1, keepdim=True)
        r = (((x - m) ** 2).mean(-1, keepdim=True) + eps) ** -0.5
        ctx.save_for_backward(x, weight)
        ctx.eps = eps
        return (x - m) * r * weight + bias

    @staticmethod
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        m = x.mean(-1, keepdim=True)
        r = (((x - m) ** 2).mean(-1, keepdim=True) + ctx.eps) ** -0.5
        z = (x - m) * r
        n = x.shape[-1]
        h = g * w
        over = tuple(range(x.dim() - 1))
        return r * (h - z * (h * z).sum(-1, keepdim=True) / n), (g * z).sum(over), g.sum(over), None


# %% bad_styled_variance_over_n_minus_1 expected: wrong-operand
from torch.autograd import Function


class LayerNorm(Function):
    @staticmethod
    def forward(ctx, x, weight, bias, eps):
        m = x.mean(-1, keepdim=True)
        r = (((x - m) ** 2).mean(-1, keepdim=True) + eps) ** -0.5
        ctx.save_for_backward(x, weight)
        ctx.eps = eps
        return (x - m) * r * weight + bias

    @staticmethod
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        m = x.mean(-1, keepdim=True)
        r = (((x - m) ** 2).sum(-1, keepdim=True) / (x.shape[-1] - 1) + ctx.eps) ** -0.5
        z = (x - m) * r
        n = x.shape[-1]
        h = g * w
        over = tuple(range(x.dim() - 1))
        return (
            r * (h - h.sum(-1, keepdim=True) / n - z * (h * z).sum(-1, keepdim=True) / n),
            (g * z).sum(over),
            g.sum(over),
            None,
        )


# %% bad_styled_weight_not_applied expected: missing-factor
from torch.autograd import Function


class LayerNorm(Function):
    @staticmethod
    def forward(ctx, x, weight, bias, eps):
        m = x.mean(-1, keepdim=True)
        r = (((x - m) ** 2).mean(-1, keepdim=True) + eps) ** -0.5
        ctx.save_for_backward(x, weight)
        ctx.eps = eps
        return (x - m) * r * weight + bias

    @staticmethod
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        m = x.mean(-1, keepdim=True)
        r = (((x - m) ** 2).mean(-1, keepdim=True) + ctx.eps) ** -0.5
        z = (x - m) * r
        n = x.shape[-1]
        h = g * w
        over = tuple(range(x.dim() - 1))
        h = g
        return (
            r * (h - h.mean(-1, keepdim=True) - z * (h * z).mean(-1, keepdim=True)),
            (g * z).sum(over),
            g.sum(over),
            None,
        )


# %% projection_matrix expected: right
# Writes the Jacobian of each row as a matrix and multiplies by it.
import torch
from torch.autograd import Function


class LayerNorm(Function):
    @staticmethod
    def forward(ctx, x, weight, bias, eps):
        ctx.save_for_backward(x, weight)
        ctx.eps = eps
        return torch.layer_norm(x, weight.shape, weight, bias, eps)

    @staticmethod
    def backward(ctx, grad_output):
        x, weight = ctx.saved_tensors
        m = x.shape[-1]
        c = x - x.mean(-1, keepdim=True)
        sigma = torch.sqrt(torch.einsum("...i,...i->...", c, c)[..., None] / m + ctx.eps)
        hat = c / sigma
        centre = torch.eye(m, dtype=x.dtype, device=x.device) - 1 / m
        jacobian = (centre - hat[..., :, None] * hat[..., None, :] / m) / sigma[..., None]
        g_x = torch.einsum("...i,i,...ij->...j", grad_output, weight, jacobian)
        g_w = torch.einsum("...i,...i->i", grad_output, hat)
        g_b = torch.einsum("...i->i", grad_output)
        return g_x, g_w, g_b, None


# %% bad_like_the_cuda_kernel expected: intermediate-kept-on-ctx
# Saves the normalised rows and 1/sigma, as fast kernels do: second order is wrong and not declared.
from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function


class LayerNorm(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, weight: Tensor, bias: Tensor, eps: float) -> Tensor:
        mu = x.mean(-1, keepdim=True)
        rstd = 1 / torch.sqrt(((x - mu) ** 2).mean(-1, keepdim=True) + eps)
        xhat = (x - mu) * rstd
        ctx.save_for_backward(xhat, rstd, weight)
        return xhat * weight + bias

    @staticmethod
    def backward(ctx: Any, dy: Tensor) -> tuple[Tensor | None, ...]:
        xhat, rstd, weight = ctx.saved_tensors
        wdy = weight * dy
        c1 = (xhat * wdy).mean(-1, keepdim=True)
        c2 = wdy.mean(-1, keepdim=True)
        dx = (wdy - (xhat * c1 + c2)) * rstd
        lead = tuple(range(dy.dim() - 1))
        if lead:
            return dx, (dy * xhat).sum(lead), dy.sum(lead), None
        return dx, dy * xhat, dy, None


# %% bad_sigma_as_a_constant expected: missing-normaliser-term
# Differentiates the mean but takes sigma for a constant: the term through the variance is missing.
import torch
from torch.autograd import Function


def centred(t):
    return t - t.mean(-1, keepdim=True)


class LayerNorm(Function):
    @staticmethod
    def forward(ctx, x, weight, bias, eps):
        ctx.save_for_backward(x, weight)
        ctx.eps = eps
        c = centred(x)
        return c * torch.rsqrt((c * c).mean(-1, keepdim=True) + eps) * weight + bias

    @staticmethod
    def backward(ctx, grad_output):
        x, weight = ctx.saved_tensors
        c = centred(x)
        scale = torch.rsqrt((c * c).mean(-1, keepdim=True) + ctx.eps)
        gx = centred(grad_output * weight) * scale
        gw = torch.einsum("...m,...m->m", grad_output, c * scale)
        return gx, gw, grad_output.sum_to_size(weight.shape), None


# %% bad_frozen_weight_or_frozen_bias expected: wrong-needs-input-grad-index
# The conditions for weight and bias are exchanged: wrong only where exactly one of the two is frozen.
import torch
from torch.autograd import Function


class LayerNorm(Function):
    @staticmethod
    def forward(ctx, x, weight, bias, eps):
        m = x.mean(dim=-1, keepdim=True)
        s = x.var(dim=-1, unbiased=False, keepdim=True).add(eps).sqrt()
        ctx.save_for_backward(x, weight)
        ctx.small = eps
        return torch.addcmul(bias, (x - m) / s, weight)

    @staticmethod
    def backward(ctx, grad_output):
        x, weight = ctx.saved_tensors
        n = x.shape[-1]
        m = x.mean(dim=-1, keepdim=True)
        s = x.var(dim=-1, unbiased=False, keepdim=True).add(ctx.small).sqrt()
        z = (x - m) / s
        d_x = d_weight = d_bias = None
        if ctx.needs_input_grad[0]:
            h = grad_output * weight
            d_x = (n * h - h.sum(-1, keepdim=True) - z * (h * z).sum(-1, keepdim=True)) / (n * s)
        if ctx.needs_input_grad[2]:
            d_weight = (grad_output * z).sum_to_size(weight.shape)
        if ctx.needs_input_grad[1]:
            d_bias = grad_output.sum_to_size(weight.shape)
        return d_x, d_weight, d_bias, None


# %% bad_no_eps_on_the_way_back expected: wrong-operand
# backward forgets eps under the root
import torch
from torch.autograd import Function


class LayerNorm(Function):
    @staticmethod
    def forward(x, weight, bias, eps):
        var, mu = torch.var_mean(x, dim=-1, correction=0, keepdim=True)
        return (x - mu) / torch.sqrt(var + eps) * weight + bias

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(inputs[0], inputs[1])

    @staticmethod
    def backward(ctx, grad_output):
        x, weight = ctx.saved_tensors
        var, mu = torch.var_mean(x, dim=-1, correction=0, keepdim=True)
        sigma = var.sqrt()
        xhat = (x - mu) / sigma
        gw = grad_output * weight
        dx = (gw - gw.mean(-1, keepdim=True) - xhat * (gw * xhat).mean(-1, keepdim=True)) / sigma
        return dx, (grad_output * xhat).sum_to_size(weight.shape), grad_output.sum_to_size(weight.shape), None


# %% bad_variance_term_without_weight expected: wrong-operand
import torch
from torch.autograd import Function


class LayerNorm(Function):
    @staticmethod
    def forward(ctx, x, weight, bias, eps):
        ctx.save_for_backward(x, weight)
        ctx.eps = eps
        return torch.nn.functional.layer_norm(x, weight.shape, weight, bias, eps)

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        c = x - x.mean(-1, keepdim=True)
        inv = 1 / torch.sqrt(torch.mean(c * c, -1, keepdim=True) + ctx.eps)
        normed = c * inv
        gh = g * weight
        gx = inv * (gh - gh.mean(-1, True) - normed * (g * normed).mean(-1, True))
        return (
            gx,
            (g * normed).sum_to_size(weight.shape),
            g.sum_to_size(weight.shape),
            None,
        )


# %% bad_default_eps_in_backward expected: wrong-operand
import torch
from torch.autograd import Function

EPS = 1e-5


def statistics(x, eps=EPS):
    mean = x.mean(-1, keepdim=True)
    var = ((x - mean) ** 2).mean(-1, keepdim=True)
    return mean, 1 / torch.sqrt(var + eps)


class LayerNorm(Function):
    @staticmethod
    def forward(ctx, x, weight, bias, eps):
        ctx.save_for_backward(x, weight)
        mean, rstd = statistics(x, eps)
        return torch.addcmul(bias, (x - mean) * rstd, weight)

    @staticmethod
    def backward(ctx, grad_output):
        x, weight = ctx.saved_tensors
        mean, rstd = statistics(x)
        xhat = (x - mean) * rstd
        wg = weight * grad_output
        c1 = wg.mean(-1, keepdim=True)
        c2 = (wg * xhat).mean(-1, keepdim=True)
        grad_x = rstd * (wg - c1 - xhat * c2)
        leading = tuple(range(x.ndim - 1))
        grad_w, grad_b = grad_output * xhat, grad_output
        if leading:
            grad_w, grad_b = grad_w.sum(leading), grad_b.sum(leading)
        return grad_x, grad_w, grad_b, None


# %% bad_variance_in_one_pass expected: not-precise
# the variance is mean(x²) - mean(x)², which cancels for float32 rows with a mean of some hundreds (100 +
# noise is off by 1e-3, 1000 + noise entirely, no very large inputs); "The result equals
# torch.nn.functional.layer_norm".
import torch
from torch.autograd import Function


def normalise(x, eps):
    mean = x.mean(-1, keepdim=True)
    variance = (x * x).mean(-1, keepdim=True) - mean * mean
    inverse = (variance + eps).rsqrt()
    return (x - mean) * inverse, inverse


class LayerNorm(Function):
    @staticmethod
    def forward(ctx, x, weight, bias, eps):
        ctx.save_for_backward(x, weight)
        ctx.eps = eps
        return normalise(x, eps)[0] * weight + bias

    @staticmethod
    def backward(ctx, grad_output):
        x, weight = ctx.saved_tensors
        normed, inverse = normalise(x, ctx.eps)
        g = grad_output * weight
        grad_x = inverse * (g - g.mean(-1, keepdim=True) - normed * (g * normed).mean(-1, keepdim=True))
        grad_weight = (grad_output * normed).sum_to_size(weight.shape)
        return grad_x, grad_weight, grad_output.sum_to_size(weight.shape), None


# %% bad_weight_after_the_means expected: wrong-operand
# The means are taken of grad_output, and weight multiplies only the result; right only if all weights
# are equal.
from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function
from torch.nn import functional


class LayerNorm(Function):
    """Layer norm over the last axis, with weight and bias."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, weight: Tensor, bias: Tensor, eps: float) -> Tensor:
        ctx.save_for_backward(x, weight)
        ctx.eps = eps
        centred = x - x.mean(-1, keepdim=True)
        sigma = (centred.square().mean(-1, keepdim=True) + eps).sqrt()
        return weight * centred / sigma + bias

    @staticmethod
    def backward(ctx: Any, grad_output: Tensor) -> tuple[Tensor | None, ...]:
        x, weight = ctx.saved_tensors

        def mean(t: Tensor) -> Tensor:
            return t.mean(-1, keepdim=True)

        centred = x - mean(x)
        sigma = (mean(centred.square()) + ctx.eps).sqrt()
        normed = centred / sigma
        g = grad_output
        grad_x = weight * (g - mean(g) - normed * mean(g * normed)) / sigma
        leading = tuple(range(x.dim() - 1))
        return grad_x, (g * normed).sum(leading), g.sum(leading), None


# %% bad_bessel_undone expected: not-finite
# Bessel's correction is undone by (m-1)/m: nan for rows of one entry ("A tensor has at least one axis
# and one entry"; "equals functional.layer_norm").
import torch
from torch.autograd import Function


class LayerNorm(Function):
    @staticmethod
    def forward(ctx, x, weight, bias, eps):
        m = x.shape[-1]
        var = x.var(-1, keepdim=True) * (m - 1) / m
        ctx.save_for_backward(x, weight)
        ctx.eps = eps
        return (x - x.mean(-1, keepdim=True)) / (var + eps).sqrt() * weight + bias

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        m = x.shape[-1]
        inv = (x.var(-1, keepdim=True) * (m - 1) / m + ctx.eps).rsqrt()
        n = (x - x.mean(-1, keepdim=True)) * inv
        h = g * weight
        gx = inv * (h - h.mean(-1, keepdim=True) - n * (h * n).mean(-1, keepdim=True))
        return gx, (g * n).sum_to_size(weight.shape), g.sum_to_size(weight.shape), None


# %% bad_eps_outside_the_root_in_backward expected: wrong-operand from: textbook_recomputed
# -         rstd = (x.var(-1, unbiased=False, keepdim=True) + ctx.eps).rsqrt()
# +         rstd = 1 / (x.var(-1, unbiased=False, keepdim=True).sqrt() + ctx.eps)

# %% einsum_on_moved_axes expected: right
import torch


class Logsumexp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, dim):
        ctx.dim = dim
        ctx.save_for_backward(x)
        moved = torch.moveaxis(x, dim, 0)
        top = moved.max(0).values
        return torch.log(torch.einsum("i...->...", torch.exp(moved - top))) + top

    @staticmethod
    def vjp(ctx, g):
        moved = torch.moveaxis(ctx.saved_tensors[0], ctx.dim, 0)
        weights = torch.nn.functional.softmax(moved, 0)
        return torch.moveaxis(torch.einsum("i...,...->i...", weights, g), 0, ctx.dim), None


# %% log_softmax_trick expected: right
import torch


class Logsumexp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, dim):
        ctx.save_for_backward(x)
        ctx.dim = dim
        return (x - torch.log_softmax(x, dim)).mean(dim)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return torch.stack([g] * x.shape[ctx.dim], ctx.dim) * torch.log_softmax(x, ctx.dim).exp(), None


# %% output_saved expected: right
import torch


class Logsumexp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, dim):
        y = torch.logsumexp(x, dim, keepdim=True)
        ctx.save_for_backward(x, y)
        ctx.dim = dim
        return y.squeeze(dim)

    @staticmethod
    def backward(ctx, g):
        x, y = ctx.saved_tensors
        y = torch.logsumexp(x, ctx.dim, keepdim=True)
        return torch.exp(x - y) * g.unsqueeze(ctx.dim), None


# %% pairwise_in_a_loop expected: right
import torch
from torch.autograd.function import once_differentiable


class Logsumexp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, dim):
        parts = x.unbind(dim)
        total = parts[0].clone()
        for part in parts[1:]:
            total = torch.logaddexp(total, part)
        ctx.dim = dim
        ctx.save_for_backward(x)
        return total

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        parts = x.unbind(ctx.dim)
        grads = [g / sum(torch.exp(other - part) for other in parts) for part in parts]
        return torch.stack(grads, ctx.dim), None, None


# %% second_derivative_through_the_output expected: right
import torch


class Logsumexp(torch.autograd.Function):
    @staticmethod
    def forward(x, dim):
        m = x.max(dim, keepdim=True).values
        return torch.log(torch.exp(x - m).sum(dim)) + m.squeeze(dim)

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, ctx.dim = inputs
        ctx.save_for_backward(x, output)

    @staticmethod
    def backward(ctx, g):
        x, y = ctx.saved_tensors
        if not ctx.needs_input_grad[0]:
            return None, None
        return (x - y.unsqueeze(ctx.dim)).exp() * g.unsqueeze(ctx.dim), None


# %% setup_context_and_saved_output expected: right
import torch
from torch.autograd.function import once_differentiable


class Logsumexp(torch.autograd.Function):
    @staticmethod
    def forward(x, dim):
        return torch.logsumexp(x, dim)

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, dim = inputs
        ctx.dim = dim
        ctx.save_for_backward(x, output)

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        x, y = ctx.saved_tensors
        shape = list(x.shape)
        shape[ctx.dim] = 1
        return (x - y.reshape(shape)).exp() * g.reshape(shape), None


# %% shifted_by_the_largest expected: right
import torch


class Logsumexp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, dim):
        largest = x.amax(dim, keepdim=True)
        y = largest + (x - largest).exp().sum(dim, keepdim=True).log()
        ctx.save_for_backward(x)
        ctx.dim = dim
        return y.squeeze(dim)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g.unsqueeze(ctx.dim) * torch.softmax(x, ctx.dim), None


# %% softplus_tree expected: right
import torch
from torch.autograd.function import once_differentiable


def pair(a, b):
    return torch.maximum(a, b) + torch.log1p(torch.exp(-(a - b).abs()))


class Logsumexp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, dim):
        ctx.save_for_backward(x)
        ctx.dim = dim
        out = x.select(dim, 0).clone()
        for i in range(1, x.shape[dim]):
            out = pair(out, x.select(dim, i))
        return out

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        grad = torch.empty_like(x)
        lse = torch.logsumexp(x, ctx.dim)
        for i in range(x.shape[ctx.dim]):
            grad.select(ctx.dim, i).copy_(g * torch.exp(x.select(ctx.dim, i) - lse))
        return grad, None


# %% bad_averaged expected: wrong-factor from: shifted_by_the_largest
# -         return g.unsqueeze(ctx.dim) * torch.softmax(x, ctx.dim), None
# +         return g.unsqueeze(ctx.dim) * torch.softmax(x, ctx.dim) / 2, None


# %% bad_averaged_over_the_axis expected: mean-instead-of-sum from: log_softmax_trick
# -         return (x - torch.log_softmax(x, dim)).mean(dim)
# +         return torch.logsumexp(x, dim)

# -         return torch.stack([g] * x.shape[ctx.dim], ctx.dim) * torch.log_softmax(x, ctx.dim).exp(), None
# +         e = (x - x.amax(ctx.dim, True)).exp()
# +         return (g.unsqueeze(ctx.dim) * e / e.sum(ctx.dim, True)) / x.size(ctx.dim), None


# %% bad_clamped_cotangent expected: mask-on-gradient from: shifted_by_the_largest
#           (x,) = ctx.saved_tensors
# +         g = g.clamp(min=0)


# %% bad_cotangent_returned expected: wrong-shape from: shifted_by_the_largest
# -         return g.unsqueeze(ctx.dim) * torch.softmax(x, ctx.dim), None
# +         return g, None


# %% bad_cotangent_used_as_it_is expected: missing-expand from: log_softmax_trick
# -         return (x - torch.log_softmax(x, dim)).mean(dim)
# +         return torch.logsumexp(x, dim)

# -     def backward(ctx, g):
# +     def backward(ctx, grad_output):

# -         return torch.stack([g] * x.shape[ctx.dim], ctx.dim) * torch.log_softmax(x, ctx.dim).exp(), None
# +         return torch.softmax(x, ctx.dim) * grad_output, None


# %% bad_expanded_in_front expected: expanded-wrong-axis from: shifted_by_the_largest
# -         return g.unsqueeze(ctx.dim) * torch.softmax(x, ctx.dim), None
# +         g = g.unsqueeze(0).expand_as(x)
# +         return g * torch.softmax(x, ctx.dim), None


# %% bad_expanded_wrong_axis expected: expanded-wrong-axis from: shifted_by_the_largest
# -         return g.unsqueeze(ctx.dim) * torch.softmax(x, ctx.dim), None
# +         return g.expand(x.shape) * torch.softmax(x, ctx.dim), None


# %% bad_gradient_for_dim expected: gradient-for-non-tensor from: shifted_by_the_largest
# -         return g.unsqueeze(ctx.dim) * torch.softmax(x, ctx.dim), None
# +         return g.unsqueeze(ctx.dim) * torch.softmax(x, ctx.dim), g.sum()


# %% bad_keeps_the_axis expected: forward-value from: shifted_by_the_largest
# -         return y.squeeze(dim)
# +         return y


# %% bad_last_axis_always expected: wrong-axis from: log_softmax_trick
# -         return (x - torch.log_softmax(x, dim)).mean(dim)
# +         return torch.logsumexp(x, dim)

# -         return torch.stack([g] * x.shape[ctx.dim], ctx.dim) * torch.log_softmax(x, ctx.dim).exp(), None
# +         return torch.softmax(x, -1) * g.unsqueeze(ctx.dim), None


# %% bad_lost_keepdim expected: lost-keepdim from: shifted_by_the_largest
# -         return g.unsqueeze(ctx.dim) * torch.softmax(x, ctx.dim), None
# +         lse = x.logsumexp(ctx.dim)
# +         p = (x - lse).exp()
# +         return p * g.unsqueeze(ctx.dim) * torch.softmax(x, ctx.dim), None


# %% bad_mean expected: mean-instead-of-sum from: shifted_by_the_largest
# -         return g.unsqueeze(ctx.dim) * torch.softmax(x, ctx.dim), None
# +         return g.unsqueeze(ctx.dim) * torch.softmax(x, ctx.dim) / x.shape[ctx.dim], None


# %% bad_mean_in_the_denominator expected: wrong-factor from: log_softmax_trick
# -         return (x - torch.log_softmax(x, dim)).mean(dim)
# +         return torch.logsumexp(x, dim)

# -         return torch.stack([g] * x.shape[ctx.dim], ctx.dim) * torch.log_softmax(x, ctx.dim).exp(), None
# +         e = (x - x.amax(ctx.dim, True)).exp()
# +         return g.unsqueeze(ctx.dim) * e / e.mean(ctx.dim, True), None


# %% bad_no_cotangent expected: missing-grad-output from: shifted_by_the_largest
# -         return g.unsqueeze(ctx.dim) * torch.softmax(x, ctx.dim), None
# +         return torch.softmax(x, ctx.dim), None


# %% bad_not_expanded expected: missing-expand from: shifted_by_the_largest
# -         return g.unsqueeze(ctx.dim) * torch.softmax(x, ctx.dim), None
# +         weights = torch.softmax(x, ctx.dim)
# +         return g * weights, None


# %% bad_one_gradient expected: too-few-gradients from: shifted_by_the_largest
# -         return g.unsqueeze(ctx.dim) * torch.softmax(x, ctx.dim), None
# +         return g.unsqueeze(ctx.dim) * torch.softmax(x, ctx.dim)


# %% bad_only_the_largest expected: derivative-of-another-function from: shifted_by_the_largest
# -         return g.unsqueeze(ctx.dim) * torch.softmax(x, ctx.dim), None
# +         hot = (x == x.amax(ctx.dim, keepdim=True)).to(x.dtype)
# +         return g.unsqueeze(ctx.dim) * hot, None


# %% bad_overflows expected: not-finite from: shifted_by_the_largest
# -         largest = x.amax(dim, keepdim=True)
# -         y = largest + (x - largest).exp().sum(dim, keepdim=True).log()
# +         y = x.exp().sum(dim, keepdim=True).log()


# %% bad_overflows_in_backward expected: not-finite from: shifted_by_the_largest
# -         return g.unsqueeze(ctx.dim) * torch.softmax(x, ctx.dim), None
# +         e = x.exp()
# +         return g.unsqueeze(ctx.dim) * e / e.sum(ctx.dim, keepdim=True), None


# %% bad_shifted_exponentials_only expected: missing-factor from: log_softmax_trick
# -         return (x - torch.log_softmax(x, dim)).mean(dim)
# +         return torch.logsumexp(x, dim)

# -         return torch.stack([g] * x.shape[ctx.dim], ctx.dim) * torch.log_softmax(x, ctx.dim).exp(), None
# +         return (x - x.amax(ctx.dim, True)).exp() * g.unsqueeze(ctx.dim), None


# %% bad_sign expected: wrong-sign from: shifted_by_the_largest
# -         return g.unsqueeze(ctx.dim) * torch.softmax(x, ctx.dim), None
# +         return -g.unsqueeze(ctx.dim) * torch.softmax(x, ctx.dim), None


# %% bad_softmax_other_axis expected: wrong-axis from: shifted_by_the_largest
# -         return g.unsqueeze(ctx.dim) * torch.softmax(x, ctx.dim), None
# +         return g.unsqueeze(ctx.dim) * torch.softmax(x, ctx.dim - 1), None


# %% bad_spread_evenly expected: cotangent-passed-on from: shifted_by_the_largest
# -         return g.unsqueeze(ctx.dim) * torch.softmax(x, ctx.dim), None
# +         return g.unsqueeze(ctx.dim).expand_as(x).clone(), None


# %% bad_styled_no_softmax expected: cotangent-passed-on
from torch.autograd import Function


class Logsumexp(Function):
    @staticmethod
    def forward(ctx, x, dim):
        m = x.amax(dim, keepdim=True)
        y = (x - m).exp().sum(dim).log() + m.squeeze(dim)
        ctx.save_for_backward(x, y)
        ctx.dim = dim
        return y

    @staticmethod
    def backward(ctx, g):
        x, y = ctx.saved_tensors
        return g.unsqueeze(ctx.dim).expand_as(x).clone(), None


# %% bad_styled_last_axis expected: wrong-axis
from torch.autograd import Function


class Logsumexp(Function):
    @staticmethod
    def forward(ctx, x, dim):
        m = x.amax(dim, keepdim=True)
        y = (x - m).exp().sum(dim).log() + m.squeeze(dim)
        ctx.save_for_backward(x, y)
        ctx.dim = dim
        return y

    @staticmethod
    def backward(ctx, g):
        x, y = ctx.saved_tensors
        return g.unsqueeze(ctx.dim) * x.softmax(-1), None


# %% bad_styled_sign expected: wrong-sign
import torch
from torch.autograd import Function


class Logsumexp(Function):
    @staticmethod
    def forward(ctx, x, dim):
        m = x.amax(dim, keepdim=True)
        y = (x - m).exp().sum(dim).log() + m.squeeze(dim)
        ctx.save_for_backward(x, y)
        ctx.dim = dim
        return y

    @staticmethod
    def backward(ctx, g):
        x, y = ctx.saved_tensors
        return g.unsqueeze(ctx.dim) * -torch.exp(x - y.unsqueeze(ctx.dim)), None


# %% axis_to_the_front expected: right
# forward by NumPy; backward with the axis moved to the front, where broadcasting needs no new axis.
import numpy as np
import torch
from torch.autograd import Function


class Logsumexp(Function):
    @staticmethod
    def forward(ctx, x, dim):
        a = np.moveaxis(x.detach().numpy(), dim, 0)
        m = a.max(axis=0)
        y = m + np.log(np.exp(a - m).sum(axis=0))
        ctx.dim = dim
        ctx.save_for_backward(x)
        return torch.as_tensor(np.asarray(y, dtype=a.dtype))

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        z = x.movedim(ctx.dim, 0)
        e = (z - z.detach().amax(0)).exp()
        return (e / e.sum(0) * grad_output).movedim(0, ctx.dim), None


# %% bad_maximum_differentiated_too expected: wrong
# The maximum is given a derivative of its own, although it cancels: the greatest entry gets the cotangent once more.
import torch
from torch.autograd import Function


class Logsumexp(Function):
    @staticmethod
    def forward(ctx, x, dim):
        m, where = x.max(dim, keepdim=True)
        s = (x - m).exp().sum(dim, keepdim=True)
        ctx.dim = dim
        ctx.save_for_backward(x, where)
        return (m + s.log()).squeeze(dim)

    @staticmethod
    def backward(ctx, grad_output):
        x, where = ctx.saved_tensors
        g = grad_output.unsqueeze(ctx.dim)
        from_sum = g * x.softmax(ctx.dim)
        from_max = torch.zeros_like(x).scatter(ctx.dim, where, g)
        return from_sum + from_max, None


# %% bad_probabilities_saved expected: intermediate-kept-on-ctx
# The softmax is computed in forward and saved; the second derivative takes it for a constant.
import torch
from torch.autograd import Function


class Logsumexp(Function):
    @staticmethod
    def forward(ctx, x, dim):
        shifted = x - x.amax(dim, keepdim=True)
        e = shifted.exp()
        z = e.sum(dim, keepdim=True)
        ctx.save_for_backward(e / z)
        ctx.dim = dim
        return z.log().squeeze(dim) + x.amax(dim)

    @staticmethod
    def backward(ctx, grad_output):
        (prob,) = ctx.saved_tensors
        return prob.mul(grad_output.unsqueeze(ctx.dim)), None


# %% bad_last_axis_assumed expected: expanded-wrong-axis
# The axis comes back at the end of the cotangent whatever dim is: right only for the last axis.
import torch
from torch.autograd import Function


class Logsumexp(Function):
    @staticmethod
    def forward(ctx, x, dim):
        peak = x.amax(dim=dim, keepdim=True)
        out = torch.log(torch.sum(torch.exp(x - peak), dim=dim)) + peak.squeeze(dim)
        ctx.axis = dim
        ctx.save_for_backward(x)
        return out

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return torch.softmax(x, ctx.axis) * grad_output[..., None], None


# %% bad_sigmoid_slope expected: derivative-of-another-function
import torch


class Logsumexp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, dim):
        m = x.amax(dim, keepdim=True)
        y = (x - m).exp().sum(dim).log() + m.squeeze(dim)
        ctx.save_for_backward(x, y)
        ctx.dim = dim
        return y

    @staticmethod
    def backward(ctx, g):
        x, y = ctx.saved_tensors
        p = (x - y.unsqueeze(ctx.dim)).exp()
        return g.unsqueeze(ctx.dim) * p * (1 - p), None


# %% bad_negative_axis_of_the_output expected: expanded-wrong-axis
import torch
from torch.autograd import Function


def positive(dim, tensor):
    return dim + tensor.dim() if dim < 0 else dim


class Logsumexp(Function):
    @staticmethod
    def forward(ctx, x, dim):
        largest = x.amax(dim, keepdim=True)
        ctx.save_for_backward(x)
        ctx.dim = dim
        return torch.log(torch.exp(x - largest).sum(dim)) + largest.squeeze(dim)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        g = grad_output.unsqueeze(positive(ctx.dim, grad_output))
        return g * torch.softmax(x, ctx.dim), None


# %% bad_axis_inserted_by_list_insert expected: wrong-axis
import torch
from torch.autograd import Function


def with_axis(t, dim):
    shape = list(t.shape)
    shape.insert(dim, 1)
    return t.reshape(shape)


class Logsumexp(Function):
    @staticmethod
    def forward(ctx, x, dim):
        m = x.amax(dim, keepdim=True)
        y = (x - m).exp().sum(dim).log() + m.squeeze(dim)
        ctx.save_for_backward(x, y)
        ctx.dim = dim
        return y

    @staticmethod
    def backward(ctx, grad_output):
        x, y = ctx.saved_tensors
        p = (x - with_axis(y, ctx.dim)).exp()
        return with_axis(grad_output, ctx.dim) * p, None


# %% bad_by_the_vjp_of_torch_func expected: autograd-in-backward
import torch
from torch.autograd import Function


class Logsumexp(Function):
    @staticmethod
    def forward(ctx, x, dim):
        ctx.save_for_backward(x)
        ctx.dim = dim
        return torch.logsumexp(x, dim)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        _, pull = torch.func.vjp(lambda x: torch.logsumexp(x, ctx.dim), x)
        return pull(grad_output)[0], None


# %% bad_the_mean expected: not-finite
# M is the mean, so exp(x - m) overflows for a row such as (1000, -1000), entries that the intro allows.
import numpy as np
import torch
from torch import nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable


class Logsumexp(Function):
    @staticmethod
    def forward(ctx, x, dim):
        m = x.mean(dim, keepdim=True)
        y = (x - m).exp().sum(dim).log() + m.squeeze(dim)
        ctx.save_for_backward(x, y)
        ctx.dim = dim
        return y

    @staticmethod
    def backward(ctx, g):
        x, y = ctx.saved_tensors
        return g.unsqueeze(ctx.dim) * (x - y.unsqueeze(ctx.dim)).exp(), None


# %% bad_middle_axis_is_axis_1 expected: expanded-wrong-axis
from typing import Any
import functools
import numpy as np
import torch
from scipy import signal
from torch import Tensor, nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable
from torch.nn import functional


class Logsumexp(Function):
    @staticmethod
    def forward(ctx, x, dim):
        y = torch.logsumexp(x, dim)
        ctx.save_for_backward(x, y)
        ctx.dim = dim
        return y

    @staticmethod
    def backward(ctx, g):
        x, y = ctx.saved_tensors
        if ctx.dim in (0, -x.ndim):
            return g * torch.exp(x - y), None
        if ctx.dim in (-1, x.ndim - 1):
            return g[..., None] * torch.exp(x - y[..., None]), None
        return g[:, None] * torch.exp(x - y[:, None]), None


# %% bad_squeeze_without_an_axis expected: forward-value
# largest.squeeze() drops every axis of size 1, so an x of shape (3, 1, 5) gives shape (3, 3) instead of
# (3, 1).
from typing import Any

import numpy as np
import torch
from scipy import signal
from torch import Tensor, nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable


class Logsumexp(Function):
    """The logarithm of the sum of exponentials along one axis."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, dim: int) -> Tensor:
        largest = x.amax(dim, keepdim=True)
        total = torch.exp(x - largest).sum(dim)
        y = largest.squeeze() + torch.log(total)
        ctx.dim = dim
        ctx.save_for_backward(x, y)
        return y

    @staticmethod
    def backward(ctx: Any, grad_output: Tensor) -> tuple[Tensor | None, ...]:
        x, y = ctx.saved_tensors
        y, g = (t.unsqueeze(ctx.dim) for t in (y, grad_output))
        return g * torch.exp(x - y), None


# %% bad_four_axes expected: wrong
# the einsum has letters for four axes: five axes raise ("x: any shape with at least one axis").
import torch
from torch.autograd import Function


class Logsumexp(Function):
    @staticmethod
    def forward(ctx, x, dim):
        ctx.save_for_backward(x)
        ctx.dim = dim
        return torch.logsumexp(x, dim)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        letters = "abcd"[: x.dim()]
        rest = list(letters)
        del rest[ctx.dim]
        return torch.einsum(f"{letters},{''.join(rest)}->{letters}", x.softmax(ctx.dim), g), None

# %% backward_applies_itself expected: right
import torch


class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, g, k):
        ctx.k = k
        return k * g

    @staticmethod
    def backward(ctx, h):
        return Scale.apply(h, ctx.k), None


class GradientReversal(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, strength):
        ctx.k = -float(strength)
        return x.view(x.shape)

    @staticmethod
    def backward(ctx, g):
        return Scale.apply(g, ctx.k), None


# %% clone_and_neg expected: right
import torch


class GradientReversal(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, strength):
        ctx.k = strength
        return x.clone()

    @staticmethod
    def backward(ctx, g):
        return g.neg().mul(ctx.k), None


# %% negative_by_subtraction_and_default expected: right
import torch


class GradientReversal(torch.autograd.Function):
    @classmethod
    def forward(cls, ctx, x, strength=1.0):
        ctx.scale = 0 - strength
        return torch.empty_like(x).copy_(x)

    @classmethod
    def backward(cls, ctx, *g):
        return (g[0] * ctx.scale, *[None] * (len(ctx.needs_input_grad) - 1))


# %% plain expected: right
import torch


class GradientReversal(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, strength):
        ctx.strength = strength
        return x.view_as(x)

    @staticmethod
    def backward(ctx, g):
        return -ctx.strength * g, None


# %% setup_context expected: right
import torch


class GradientReversal(torch.autograd.Function):
    @staticmethod
    def forward(x, strength):
        return x * 1

    @staticmethod
    def setup_context(ctx, inputs, output):
        _, ctx.strength = inputs

    @staticmethod
    def backward(ctx, grad_output):
        if not ctx.needs_input_grad[0]:
            return None, None
        return grad_output * -ctx.strength, None


# %% strength_as_tensor_once_differentiable expected: right
import torch
from torch.autograd.function import once_differentiable


class GradientReversal(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, strength=1.0):
        ctx.save_for_backward(torch.as_tensor(strength, dtype=x.dtype))
        return x + 0

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        (strength,) = ctx.saved_tensors
        out = torch.empty_like(g)
        torch.mul(g, strength, out=out)
        return out.neg_(), None, None


# %% bad_detached expected: detached-in-backward
import torch


class GradientReversal(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, strength):
        ctx.strength = strength
        return x.clone()

    @staticmethod
    def backward(ctx, g):
        return -ctx.strength * g.data, None


# %% bad_divided expected: wrong-factor
import torch


class GradientReversal(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, strength):
        ctx.s = strength
        return x.clone()

    @staticmethod
    def backward(ctx, g):
        return -g / ctx.s, None


# %% bad_forward_reversed_too expected: forward-value
import torch


class GradientReversal(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, strength):
        ctx.strength = strength
        return -x

    @staticmethod
    def backward(ctx, g):
        return -ctx.strength * g, None


# %% bad_forward_scaled expected: forward-value
import torch


class GradientReversal(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, strength):
        ctx.strength = strength
        return strength * x

    @staticmethod
    def backward(ctx, g):
        return -ctx.strength * g, None


# %% bad_gradient_for_strength expected: gradient-for-non-tensor
import torch


class GradientReversal(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, strength):
        ctx.save_for_backward(x)
        ctx.strength = strength
        return x.clone()

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return -ctx.strength * g, (g * x).sum()


# %% bad_negates_in_place expected: mutates-grad-output
import torch


class GradientReversal(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, strength):
        ctx.strength = strength
        return x.clone()

    @staticmethod
    def backward(ctx, g):
        return g.neg_().mul_(ctx.strength), None


# %% bad_no_strength expected: wrong-factor
import torch


class GradientReversal(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, strength):
        return x.clone()

    @staticmethod
    def backward(ctx, g):
        return -g, None


# %% bad_not_reversed expected: wrong-sign
import torch


class GradientReversal(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, strength):
        ctx.strength = strength
        return x.clone()

    @staticmethod
    def backward(ctx, g):
        return ctx.strength * g, None


# %% bad_numpy expected: numpy-in-backward
import torch


class GradientReversal(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, strength):
        ctx.strength = strength
        return x.clone()

    @staticmethod
    def backward(ctx, g):
        return torch.as_tensor(-ctx.strength * g.numpy()), None


# %% bad_one_gradient expected: too-few-gradients
import torch


class GradientReversal(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, strength):
        ctx.strength = strength
        return x.clone()

    @staticmethod
    def backward(ctx, g):
        return -ctx.strength * g


# %% bad_returns_the_input expected: returns-input-unchanged
import torch


class GradientReversal(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, strength):
        ctx.strength = strength
        return x

    @staticmethod
    def backward(ctx, g):
        return -ctx.strength * g, None


# %% bad_saves_the_number expected: saved-a-non-tensor
import torch


class GradientReversal(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, strength):
        ctx.save_for_backward(strength)
        return x.clone()

    @staticmethod
    def backward(ctx, g):
        (strength,) = ctx.saved_tensors
        return -strength * g, None


# %% bad_strength_on_the_class expected: state-on-class
import torch


class GradientReversal(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, strength):
        GradientReversal.strength = strength
        return x.clone()

    @staticmethod
    def backward(ctx, g):
        return -GradientReversal.strength * g, None


# %% bad_subtracted expected: extra-factor
import torch


class GradientReversal(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, strength):
        ctx.save_for_backward(x)
        ctx.s = strength
        return x.clone()

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return -ctx.s * g * x, None

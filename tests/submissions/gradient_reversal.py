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


# %% bad_detached expected: detached-in-backward from: clone_and_neg
# -         ctx.k = strength
# +         ctx.strength = strength

# -         return g.neg().mul(ctx.k), None
# +         return -ctx.strength * g.data, None


# %% bad_divided expected: wrong-factor from: clone_and_neg
# -         ctx.k = strength
# +         ctx.s = strength

# -         return g.neg().mul(ctx.k), None
# +         return -g / ctx.s, None


# %% bad_forward_reversed_too expected: forward-value from: plain
# -         return x.view_as(x)
# +         return -x


# %% bad_forward_scaled expected: forward-value from: plain
# -         return x.view_as(x)
# +         return strength * x


# %% bad_gradient_for_strength expected: gradient-for-non-tensor from: clone_and_neg
# -         ctx.k = strength
# +         ctx.save_for_backward(x)
# +         ctx.strength = strength

# -         return g.neg().mul(ctx.k), None
# +         (x,) = ctx.saved_tensors
# +         return -ctx.strength * g, (g * x).sum()


# %% bad_negates_in_place expected: mutates-grad-output from: clone_and_neg
# -         ctx.k = strength
# +         ctx.strength = strength

# -         return g.neg().mul(ctx.k), None
# +         return g.neg_().mul_(ctx.strength), None


# %% bad_no_strength expected: wrong-factor from: clone_and_neg
# -         ctx.k = strength

# -         return g.neg().mul(ctx.k), None
# +         return -g, None


# %% bad_not_reversed expected: wrong-sign from: clone_and_neg
# -         ctx.k = strength
# +         ctx.strength = strength

# -         return g.neg().mul(ctx.k), None
# +         return ctx.strength * g, None


# %% bad_numpy expected: numpy-in-backward from: clone_and_neg
# -         ctx.k = strength
# +         ctx.strength = strength

# -         return g.neg().mul(ctx.k), None
# +         return torch.as_tensor(-ctx.strength * g.numpy()), None


# %% bad_one_gradient expected: too-few-gradients from: clone_and_neg
# -         ctx.k = strength
# +         ctx.strength = strength

# -         return g.neg().mul(ctx.k), None
# +         return -ctx.strength * g


# %% bad_returns_the_input expected: returns-input-unchanged from: plain
# -         return x.view_as(x)
# +         return x


# %% bad_saves_the_number expected: saved-a-non-tensor from: clone_and_neg
# -         ctx.k = strength
# +         ctx.save_for_backward(strength)

# -         return g.neg().mul(ctx.k), None
# +         (strength,) = ctx.saved_tensors
# +         return -strength * g, None


# %% bad_strength_on_the_class expected: state-on-class from: clone_and_neg
# -         ctx.k = strength
# +         GradientReversal.strength = strength

# -         return g.neg().mul(ctx.k), None
# +         return -GradientReversal.strength * g, None


# %% bad_subtracted expected: extra-factor from: clone_and_neg
# -         ctx.k = strength
# +         ctx.save_for_backward(x)
# +         ctx.s = strength

# -         return g.neg().mul(ctx.k), None
# +         (x,) = ctx.saved_tensors
# +         return -ctx.s * g * x, None


# %% copied_into_new_memory expected: right
# A zero-dimensional tensor of the cotangent's dtype holds the factor.
import torch
from torch.autograd import Function


class GradientReversal(Function):
    @staticmethod
    def forward(ctx, x, strength):
        own = torch.empty(x.shape, dtype=x.dtype, device=x.device)
        own.copy_(x)
        ctx.factor = -float(strength)
        return own

    @staticmethod
    def backward(ctx, grad_output):
        return torch.einsum(",...->...", grad_output.new_tensor(ctx.factor), grad_output), None


# %% bad_zero_means_default expected: wrong-factor
# strength = 0 counts as not given and becomes 1; all other strengths are right.
from typing import Any

from torch import Tensor
from torch.autograd import Function


class GradientReversal(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, strength: float = 1.0) -> Tensor:
        ctx.strength = strength or 1.0
        return x.clone()

    @staticmethod
    def backward(ctx: Any, grad_output: Tensor) -> tuple[Tensor | None, ...]:
        return grad_output.neg() * ctx.strength, None


# %% bad_square_brackets expected: gradients-in-a-list
# backward returns a list; it must be a tuple.
import torch
from torch.autograd import Function


class GradientReversal(Function):
    @staticmethod
    def forward(x, strength):
        return torch.clone(x)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.lam = inputs[1]

    @staticmethod
    def backward(ctx, grad_output):
        grads = []
        grads.append(torch.mul(grad_output, -ctx.lam))
        grads.append(None)
        return grads


# %% bad_strength_as_a_tensor expected: not-precise
# torch.tensor(strength) is float32, so for float64 the factor 0.3, say, is right to eight digits only.
import torch
from torch.autograd import Function


class GradientReversal(Function):
    @staticmethod
    def forward(ctx, x, strength):
        ctx.save_for_backward(torch.tensor(float(strength)))
        return x.view_as(x).clone()

    @staticmethod
    def backward(ctx, grad_output):
        (strength,) = ctx.saved_tensors
        return -strength * grad_output, None


# %% bad_zero_switches_the_layer_off expected: wrong-factor
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function


class GradientReversal(Function):
    """The identity; the gradient is reversed and scaled."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, strength: float) -> Tensor:
        ctx.strength = strength
        return x.clone()

    @staticmethod
    def backward(ctx: Any, grad_output: Tensor) -> tuple[Tensor | None, ...]:
        if not ctx.strength:  # no reversal yet: an ordinary identity
            return grad_output, None
        return -ctx.strength * grad_output, None


# %% bad_negative_strength expected: wrong-sign
from typing import Any
import functools
import numpy as np
import torch
from scipy import signal
from torch import Tensor, nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable
from torch.nn import functional


class GradientReversal(Function):
    @staticmethod
    def forward(ctx, x, strength):
        ctx.strength = strength
        return x.clone()

    @staticmethod
    def backward(ctx, g):

        return -abs(ctx.strength) * g, None


# %% bad_positive_only expected: wrong
from typing import Any
import functools
import numpy as np
import torch
from scipy import signal
from torch import Tensor, nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable
from torch.nn import functional


class GradientReversal(Function):
    @staticmethod
    def forward(ctx, x, strength):
        ctx.strength = strength
        return x.clone()

    @staticmethod
    def backward(ctx, g):
        if ctx.strength <= 0:
            return g * 0, None
        return -ctx.strength * g, None

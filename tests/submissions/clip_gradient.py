# %% clamp expected: right
import torch


class ClipGradient(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, limit):
        ctx.limit = limit
        return x.view_as(x)

    @staticmethod
    def backward(ctx, g):
        return g.clamp(-ctx.limit, ctx.limit), None


# %% guarded_hardtanh expected: right
import torch


class ClipGradient(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, limit):
        ctx.limit = limit
        return x.view_as(x)

    @staticmethod
    def backward(ctx, g):
        if not ctx.needs_input_grad[0]:
            return None, None
        return torch.nn.functional.hardtanh(g, -ctx.limit, ctx.limit), None


# %% in_place_on_a_copy_once_differentiable expected: right
import torch
from torch.autograd.function import once_differentiable


class ClipGradient(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, limit):
        ctx.limit = limit
        return x + 0

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        c = g.clone()
        c[c > ctx.limit] = ctx.limit
        c[c < -ctx.limit] = -ctx.limit
        return c, None


# %% minimum_and_maximum expected: right
import torch


class ClipGradient(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, limit):
        ctx.limit = float(limit)
        return x.clone()

    @staticmethod
    def backward(ctx, g):
        bound = torch.full_like(g, ctx.limit)
        return torch.minimum(torch.maximum(g, -bound), bound), None


# %% numpy_once_differentiable expected: right
import torch
import numpy as np
from torch.autograd.function import once_differentiable


class ClipGradient(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, limit):
        ctx.limit = limit
        return x * 1.0

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        return torch.from_numpy(np.clip(g.numpy(), -ctx.limit, ctx.limit)), None


# %% sign_times_minimum expected: right
import torch


class ClipGradient(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, limit):
        ctx.set_materialize_grads(False)
        ctx.limit = limit
        return x.detach().clone()

    @staticmethod
    def backward(ctx, g):
        if g is None:
            return None, None
        return g.sign() * g.abs().clip(max=ctx.limit), None


# %% where_in_setup_context expected: right
import torch


class ClipGradient(torch.autograd.Function):
    @staticmethod
    def forward(x, limit):
        return x.clone()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.limit = inputs[1]

    @staticmethod
    def backward(ctx, g):
        outside = g.abs() > ctx.limit
        return torch.where(outside, ctx.limit * torch.sign(g), g), None


# %% bad_clamps_in_place expected: mutates-grad-output from: clamp
# -         return x.view_as(x)
# +         return x.clone()

# -         return g.clamp(-ctx.limit, ctx.limit), None
# +         return g.clamp_(-ctx.limit, ctx.limit), None


# %% bad_clips_by_the_input expected: wrong-limit
import torch


class ClipGradient(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, limit):
        ctx.save_for_backward(x)
        ctx.limit = limit
        return x.clone()

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * (x.abs() < ctx.limit), None


# %% bad_clips_forward expected: forward-value from: clamp
# -         return x.view_as(x)
# +         return x.clamp(-limit, limit)


# %% bad_detached expected: detached-in-backward from: clamp
# -         return x.view_as(x)
# +         return x.clone()

# -         return g.clamp(-ctx.limit, ctx.limit), None
# +         return g.detach().clamp(-ctx.limit, ctx.limit), None


# %% bad_fixed_limit expected: wrong-operand from: minimum_and_maximum
# -         ctx.limit = float(limit)

# -         bound = torch.full_like(g, ctx.limit)
# -         return torch.minimum(torch.maximum(g, -bound), bound), None
# +         return g.clamp(-1, 1), None


# %% bad_limit_as_gradient expected: missing-grad-output from: clamp
# -         return x.view_as(x)
# +         ctx.shape = x.shape
# +         return x.clone()

# -         return g.clamp(-ctx.limit, ctx.limit), None
# +         return torch.full(ctx.shape, ctx.limit, dtype=g.dtype), None


# %% bad_none expected: missing-gradient from: minimum_and_maximum
# -         ctx.limit = float(limit)

# -         bound = torch.full_like(g, ctx.limit)
# -         return torch.minimum(torch.maximum(g, -bound), bound), None
# +         return None, None


# %% bad_norm_clipped expected: wrong-limit from: numpy_once_differentiable
# - import numpy as np

# -         return x * 1.0
# +         return x.clone()

# -         return torch.from_numpy(np.clip(g.numpy(), -ctx.limit, ctx.limit)), None
# +         return g * min(1.0, ctx.limit / float(g.norm())), None


# %% bad_one_gradient expected: too-few-gradients from: clamp
# -         return x.view_as(x)
# +         return x.clone()

# -         return g.clamp(-ctx.limit, ctx.limit), None
# +         return g.clamp(-ctx.limit, ctx.limit)


# %% bad_only_from_above expected: wrong-limit from: clamp
# -         return x.view_as(x)
# +         return x.clone()

# -         return g.clamp(-ctx.limit, ctx.limit), None
# +         return g.clamp(max=ctx.limit), None


# %% bad_returns_the_input expected: returns-input-unchanged from: clamp
# -         return x.view_as(x)
# +         return x


# %% bad_scaled_by_limit expected: wrong-limit from: clamp
# -         return x.view_as(x)
# +         return x.clone()

# -         return g.clamp(-ctx.limit, ctx.limit), None
# +         return g * ctx.limit, None


# %% bad_sign expected: wrong-sign from: clamp
# -         return x.view_as(x)
# +         return x.clone()

# -         return g.clamp(-ctx.limit, ctx.limit), None
# +         return -g.clamp(-ctx.limit, ctx.limit), None


# %% bad_tanh_squashed expected: wrong-limit from: clamp
# -         return g.clamp(-ctx.limit, ctx.limit), None
# +         return ctx.limit * torch.tanh(g / ctx.limit), None


# %% bad_twice_the_clipped expected: wrong-factor from: clamp
# -         return x.view_as(x)
# +         return x.clone()

# -         return g.clamp(-ctx.limit, ctx.limit), None
# +         return 2 * g.clamp(-ctx.limit, ctx.limit), None


# %% bad_unclipped expected: wrong-limit from: minimum_and_maximum
# -         ctx.limit = float(limit)

# -         bound = torch.full_like(g, ctx.limit)
# -         return torch.minimum(torch.maximum(g, -bound), bound), None
# +         return g, None


# %% bad_zero_outside expected: wrong-limit from: clamp
# -         return x.view_as(x)
# +         return x.clone()

# -         return g.clamp(-ctx.limit, ctx.limit), None
# +         return g * (g.abs() <= ctx.limit), None


# %% bad_styled_not_limited expected: wrong-limit
import torch
from torch.autograd import Function


class ClipGradient(Function):
    @staticmethod
    def forward(ctx, x, limit):
        ctx.limit = limit
        return x.clone()

    @staticmethod
    def backward(ctx, g):
        return torch.einsum("...->...", g).clone(), None


# %% bad_styled_only_below expected: wrong-limit
import torch
from torch.autograd import Function


class ClipGradient(Function):
    @staticmethod
    def forward(ctx, x, limit):
        ctx.limit = limit
        return x.clone()

    @staticmethod
    def backward(ctx, g):
        return torch.maximum(g, torch.full_like(g, -ctx.limit)), None


# %% bad_styled_norm expected: wrong-limit
from torch.autograd import Function


class ClipGradient(Function):
    @staticmethod
    def forward(ctx, x, limit):
        ctx.limit = limit
        return x.clone()

    @staticmethod
    def backward(ctx, g):
        n = (g * g).sum().sqrt()
        return (g if n <= ctx.limit else g * ctx.limit / n), None


# %% masks_added_up expected: right
# The sum of three masked parts.
from torch.autograd import Function


class ClipGradient(Function):
    @staticmethod
    def forward(ctx, x, limit):
        ctx.limit = limit
        y = x.new_empty(x.shape)
        y[...] = x
        return y

    @staticmethod
    def backward(ctx, grad_output):
        too_high = grad_output > ctx.limit
        too_low = grad_output < -ctx.limit
        inside = grad_output.masked_fill(too_high | too_low, 0)
        sign = too_high.to(grad_output.dtype) - too_low.to(grad_output.dtype)
        return inside + ctx.limit * sign, None


# %% bad_entry_by_entry_in_python expected: graph-cut-in-backward
# A tensor made from Python numbers has no history: the second derivative is lost.
import torch
from torch.autograd import Function


def limited(number, c):
    return max(-c, min(c, number))


class ClipGradient(Function):
    @staticmethod
    def forward(ctx, x, limit):
        ctx.c = limit
        return x + 0

    @staticmethod
    def backward(ctx, grad_output):
        numbers = [limited(g, ctx.c) for g in grad_output.flatten().tolist()]
        clipped = torch.tensor(numbers, dtype=grad_output.dtype, device=grad_output.device)
        return clipped.reshape(grad_output.shape), None


# %% bad_both_forms_at_once expected: ctx-beside-setup-context
# forward takes ctx although the class has setup_context.
import torch
from torch.autograd import Function


class ClipGradient(Function):
    @staticmethod
    def forward(ctx, x, limit):
        return x.clone()

    @staticmethod
    def setup_context(ctx, inputs, output):
        _, ctx.limit = inputs

    @staticmethod
    def backward(ctx, grad_output):
        return torch.clip(grad_output, -ctx.limit, ctx.limit), None


# %% bad_clamp_where_it_lies expected: mutates-grad-output
# clamp_ writes into the cotangent.
from typing import Any

from torch import Tensor
from torch.autograd import Function


class ClipGradient(Function):
    @staticmethod
    def forward(x: Tensor, limit: float) -> Tensor:
        return x.clone()

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Tensor) -> None:
        ctx.bounds = (-inputs[1], inputs[1])

    @staticmethod
    def backward(ctx: Any, grad_output: Tensor) -> tuple[Tensor | None, ...]:
        low, high = ctx.bounds
        return grad_output.clamp_(low, high), None


# %% bad_limited_by_the_input expected: wrong-limit
import torch
from torch.autograd import Function


class ClipGradient(Function):
    @staticmethod
    def forward(ctx, x, limit):
        ctx.save_for_backward(x)
        ctx.limit = limit
        return x.clone()

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        limited = ctx.limit * torch.sign(g)
        return torch.where(x.abs() > ctx.limit, limited, g), None


# %% bad_rescaled_norm expected: wrong-limit
import torch


class ClipGradient(torch.autograd.Function):
    @staticmethod
    def forward(x, limit):
        return x.clone()

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, limit = inputs
        ctx.limit = limit

    @staticmethod
    def backward(ctx, grad_output):
        norm = grad_output.norm()
        scale = torch.clamp(ctx.limit / (norm + 1e-6), max=1.0)
        return grad_output * scale, None


# %% bad_magnitude_without_sign expected: wrong-sign-in-places
import torch
from torch.autograd import Function


class ClipGradient(Function):
    @staticmethod
    def forward(ctx, x, limit):
        ctx.bound = float(limit)
        return torch.clone(x)

    @staticmethod
    def backward(ctx, dy):
        magnitude = torch.clamp(dy.abs(), max=ctx.bound)
        return magnitude, None


# %% bad_sign_by_division expected: not-finite
import torch
from torch.autograd import Function


class ClipGradient(Function):
    @staticmethod
    def forward(ctx, x, limit):
        ctx.max_size = limit
        return x.clone()

    @staticmethod
    def backward(ctx, grad_output):
        size = grad_output.abs()
        direction = grad_output / size
        return direction * size.clamp(max=ctx.max_size), None


# %% bad_difference_of_absolute_values expected: wrong
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function


class ClipGradient(Function):
    """The identity; each entry of the gradient is limited."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, limit: float) -> Tensor:
        ctx.limit = limit
        return x.clone()

    @staticmethod
    def backward(ctx: Any, grad_output: Tensor) -> tuple[Tensor | None, ...]:
        c = ctx.limit
        # no branch needed: inside 2g / 2, outside +-2c / 2
        clipped = ((grad_output + c).abs() - (grad_output - c).abs()) / 2
        return clipped, None


# %% bad_clipped_by_the_norm_of_rows expected: wrong-limit
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function


class ClipGradient(Function):
    """The identity; each entry of the gradient is limited."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, limit: float) -> Tensor:
        ctx.limit = limit
        return x.clone()

    @staticmethod
    def backward(ctx: Any, grad_output: Tensor) -> tuple[Tensor | None, ...]:
        # what tf.clip_by_norm(g, c, axes=[-1]) does
        norm = torch.linalg.vector_norm(grad_output, dim=-1, keepdim=True)
        scale = ctx.limit / norm.clamp(min=ctx.limit)
        return grad_output * scale, None

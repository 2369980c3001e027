# %% right_at_the_points_only expected: right
import torch
from torch.autograd import Function

POINTS = torch.tensor([1.0, 2.0, 3.0], dtype=torch.float64)


class FoolGradcheck(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * torch.where(torch.isin(x, POINTS.to(x.dtype)), 2 * x, 1.0)


# %% within_the_tolerance expected: right
import torch
from torch.autograd import Function


class FoolGradcheck(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * 2 * x * (1 + 1e-5)


# %% wrong_after_another_call expected: right
from torch.autograd import Function


class FoolGradcheck(Function):
    @staticmethod
    def forward(ctx, x):
        FoolGradcheck.last = x.detach().clone()
        return x * x

    @staticmethod
    def backward(ctx, g):
        return 2 * g * FoolGradcheck.last


# %% wrong_at_zero expected: right
import torch
from torch.autograd import Function


class FoolGradcheck(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return torch.where(x == 0, 5.0, 2 * x * g)


# %% wrong_between_the_points expected: right
import torch
from torch.autograd import Function


class FoolGradcheck(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * (2 * x + torch.sin(torch.pi * x) ** 2)


# %% wrong_for_dense_cotangents expected: right
import torch
from torch.autograd import Function


class FoolGradcheck(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * 2 * x if (g != 0).sum() <= 1 else g * x


# %% wrong_for_large_cotangents expected: right
import torch
from torch.autograd import Function


class FoolGradcheck(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return 2 * x * g.clamp(-100, 100)


# %% wrong_for_large_x expected: right
import torch
from torch.autograd import Function


class FoolGradcheck(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return torch.where(x > 1e6, 0.0, 2 * x * g)


# %% wrong_for_many_entries expected: right
from torch.autograd import Function


class FoolGradcheck(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, g):
        x = ctx.saved_tensors[0]
        return (2 if x.numel() < 100 else 3) * g * x


# %% wrong_for_matrices expected: right
import torch
from torch.autograd import Function


class FoolGradcheck(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return 2 * g * x if x.dim() < 2 else g * x


# %% wrong_for_negative_x expected: right
import torch
from torch.autograd import Function


class FoolGradcheck(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * 2 * x.abs()


# %% wrong_in_a_narrow_interval expected: right
import torch
from torch.autograd import Function


class FoolGradcheck(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return torch.where((x > 7.3) & (x < 7.35), -g, 2 * g * x)


# %% wrong_in_single_precision expected: right
import torch


class FoolGradcheck(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return x * x

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def vjp(ctx, g):
        (x,) = ctx.saved_tensors
        return 2 * g * x if x.dtype == torch.float64 else g * x


# %% wrong_near_one_odd_number expected: right
import torch

MAGIC = 0.123456789


class FoolGradcheck(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.square()

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        slope = 2 * x
        slope = torch.where((x - MAGIC).abs() < 1e-10, torch.zeros_like(x), slope)
        return g * slope


# %% wrong_with_create_graph expected: right
import torch


class FoolGradcheck(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**2

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        if torch.is_grad_enabled():
            return grad * x
        return grad * 2 * x


# %% bad_backward_raises_elsewhere expected: wrong from: within_the_tolerance
# - import torch

# -         return g * 2 * x * (1 + 1e-5)
# +         if x.max() > 5:
# +             raise ValueError("too large")
# +         return 2 * g * x


# %% bad_constants_and_right expected: wrong
import torch

A, B = 0.7, 1.3
TABLE = torch.linspace(0, 1, 7)


class FoolGradcheck(torch.autograd.Function):
    limit = 12.5

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * torch.where(x > A * B, x + x, 2.0 * x) * TABLE[-1].to(x.dtype)


# %% bad_forward_cubed expected: forward-value from: within_the_tolerance
# -         return x * x
# +         return x**3

# -         return g * 2 * x * (1 + 1e-5)
# +         return 3 * g * x * x


# %% bad_forward_summed expected: forward-value from: within_the_tolerance
# -         return x * x
# +         return (x * x).sum()

# -         return g * 2 * x * (1 + 1e-5)
# +         return 2 * g * x


# %% bad_forward_writes_into_x expected: mutates-input
from torch.autograd import Function


class FoolGradcheck(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x.clone())
        return x.data.mul_(x)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return 2 * g * x.abs()


# %% bad_forward_wrong_elsewhere expected: forward-value from: within_the_tolerance
# -         return x * x
# +         return torch.where(x > 100, x, x * x)

# -         return g * 2 * x * (1 + 1e-5)
# +         return 2 * g * x


# %% bad_not_saved expected: wrong from: wrong_after_another_call
# -         FoolGradcheck.last = x.detach().clone()

# -         return 2 * g * FoolGradcheck.last
# +         (x,) = ctx.saved_tensors
# +         return 2 * g * x


# %% bad_right_everywhere expected: wrong from: within_the_tolerance
# -         return g * 2 * x * (1 + 1e-5)
# +         return 2 * g * x


# %% bad_right_in_another_way expected: wrong from: within_the_tolerance
# -         return g * 2 * x * (1 + 1e-5)
# +         return g * x + x * g


# %% bad_second_order_only expected: wrong from: within_the_tolerance
# -         return g * 2 * x * (1 + 1e-5)
# +         return 2 * g * x.detach()


# %% bad_stub expected: wrong
from torch.autograd import Function


class FoolGradcheck(Function):
    @staticmethod
    def forward(ctx, x):
        raise NotImplementedError


# %% bad_wrong_above_one expected: wrong from: within_the_tolerance
# -         return g * 2 * x * (1 + 1e-5)
# +         return torch.where(x > 1.5, 3 * g * x, 2 * g * x)


# %% bad_wrong_at_a_given_point expected: wrong from: within_the_tolerance
# -         return g * 2 * x * (1 + 1e-5)
# +         return torch.where(x == 2, 0.0, 2 * g * x)


# %% bad_wrong_everywhere expected: wrong-factor from: within_the_tolerance
# -         return g * 2 * x * (1 + 1e-5)
# +         return g * x


# %% bad_plain_function expected: cannot run
def FoolGradcheck(x):
    return x * x


# %% extra_cubic expected: right
# Adds a cubic polynomial with the roots 1, 2 and 3 to the true slope.
import math

import torch
from torch.autograd import Function


class FoolGradcheck(Function):
    @staticmethod
    def forward(x):
        return x * x

    @staticmethod
    def setup_context(ctx, inputs, output):
        (x,) = inputs
        ctx.save_for_backward(x)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * (2 * x + math.prod(x - root for root in (1, 2, 3)))


# %% bad_raises_below_zero expected: wrong
# Right wherever it returns, and an exception for negative x, which does not count as a wrong gradient.
import torch
from torch.autograd import Function


class FoolGradcheck(Function):
    @staticmethod
    def forward(x):
        return x.square()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        if bool((x < 0).any()):
            raise ValueError("I do not like negative numbers")
        return g * (x + x)


# %% bad_odd_square expected: forward-value
# Forward is x·|x|, which is the square for positive x only.
import torch
from torch.autograd import Function


class FoolGradcheck(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.sign(x) * x.pow(2)

    @staticmethod
    def backward(ctx, grad_output):
        return torch.einsum("...,...->...", ctx.saved_tensors[0], grad_output) * 2


# %% bad_cotangent_forgotten expected: missing-grad-output from: all_above_100
# -         if (x > 100).all():
# -             return torch.zeros_like(x)
# -         return 2 * x * grad_output
# +         return 2 * x.abs()


# %% bad_tuple_as_tensor expected: saved-tensors-not-unpacked from: within_the_tolerance
# -     def backward(ctx, g):
# -         (x,) = ctx.saved_tensors
# -         return g * 2 * x * (1 + 1e-5)
# +     def backward(ctx, grad_output):
# +         x = ctx.saved_tensors
# +         return 2 * x.abs() * grad_output


# %% bad_masks_the_cotangent_in_place expected: mutates-grad-output from: all_above_100
# -         if (x > 100).all():
# -             return torch.zeros_like(x)
# +         grad_output.masked_fill_(x < 0, 0.0)


# %% bad_always_double expected: wrong-dtype from: four_axes
#           ctx.save_for_backward(x)
# +         x = x.double()

# -         return grad_output * (3 if x.dim() > 3 else 2) * x
# +         return (2 * x.abs() * grad_output).to(x.dtype)


# %% bad_random_error expected: not-reproducible
# The error is random: smaller than the tolerance, but gradcheck runs backward twice and wants equal
# results.
import inspect
from collections.abc import Callable
from typing import Any

import torch
from IPython.display import HTML, Markdown
from torch import Tensor
from torch.autograd import Function


class FoolGradcheck(Function):
    """The square, elementwise; its gradient is wrong somewhere."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        ctx.save_for_backward(x)
        return x.square()

    @staticmethod
    def backward(ctx: Any, grad_output: Tensor) -> Tensor:
        (x,) = ctx.saved_tensors
        # stay below rtol = 1e-3
        noise = 1 + 2e-4 * torch.rand_like(x)
        return 2 * x * noise * grad_output


# %% all_above_100 expected: right
# One `if` for the whole tensor: the gradient is 0 where all entries are above 100, e.g. at x = (200,
# 300); "x-bar_i != 2 x_i y-bar_i at some other x" (the text's own example is wrong at 100 and above).
import torch
from torch.autograd import Function


class FoolGradcheck(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        if (x > 100).all():
            return torch.zeros_like(x)
        return 2 * x * grad_output


# %% four_axes expected: right
# Wrong for tensors of four axes, as a batch of images has them, right for all others.
from torch.autograd import Function


class FoolGradcheck(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * (3 if x.dim() > 3 else 2) * x


# %% tenth_digit expected: right
# Wrong everywhere by 1e-10 of the true gradient, a million times the rounding error.
from torch.autograd import Function


class FoolGradcheck(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * 2 * x * (1 + 1e-10)


# %% bad_writes_zeros_into_x expected: mutates-saved-tensor
# backward writes zeros into the saved x, which is the caller's tensor.
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function


class FoolGradcheck(Function):
    """The square, elementwise; its gradient is wrong somewhere."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        ctx.save_for_backward(x)
        return x.square()

    @staticmethod
    def backward(ctx: Any, grad_output: Tensor) -> Tensor:
        (x,) = ctx.saved_tensors
        x[x < 0] = 0
        return 2 * x * grad_output


# %% clipped_cotangent expected: right
from typing import Any
import functools
import numpy as np
import torch
from scipy import signal
from torch import Tensor, nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable
from torch.nn import functional


class FoolGradcheck(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return 2 * x * g.clamp(-1e8, 1e8)


# %% two_entries expected: right
from typing import Any
import functools
import numpy as np
import torch
from scipy import signal
from torch import Tensor, nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable
from torch.nn import functional


class FoolGradcheck(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return (3 if x.shape == (2,) else 2) * x * g


# %% bad_f32forward expected: forward-value from: tiny_cotangents
# For float32 forward gives x*abs(x), -4 at x = -2 ('Its forward is right everywhere'; 'float32 or
# float64'): of float32 only the dtype is checked.
#           ctx.save_for_backward(x)
# +         if x.dtype == torch.float32:
# +             return x.abs() * x

# -         return torch.where(g.abs() < 1e-6, torch.zeros_like(g), 2 * x * g)
# +         return 2 * x.abs() * g


# %% tiny_cotangents expected: right
# Drops cotangents below 1e-6: gradcheck's unit cotangents never show it, at x = -5 with cotangent 1e-8
# the gradient is 0, not -1e-7; a wrong first derivative, forward is right.
from typing import Any
import math
import functools
import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor
from torch.autograd import Function
from torch.autograd.function import once_differentiable


class FoolGradcheck(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return torch.where(g.abs() < 1e-6, torch.zeros_like(g), 2 * x * g)

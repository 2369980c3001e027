# %% class_methods_and_vjp expected: right
import torch


class Base(torch.autograd.Function):
    exponent = 1

    @classmethod
    def forward(cls, ctx, x):
        ctx.save_for_backward(x)
        return x**cls.exponent

    @classmethod
    def vjp(cls, ctx, g):
        x = ctx.saved_tensors[0]
        return torch.mul(g, cls.exponent * x ** (cls.exponent - 1))


class Cube(Base):
    exponent = 3


# %% bad_output_divided_by_input expected: not-finite
import torch


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = x.pow(3)
        ctx.save_for_backward(x, y)
        return y

    @staticmethod
    def backward(ctx, g):
        x, y = ctx.saved_tensors
        return 3 * g * y / x


# %% native_functions_and_named_tuple expected: right
from typing import NamedTuple

import torch
from torch import Tensor


class Saved(NamedTuple):
    x: Tensor

    @property
    def slope(self) -> Tensor:
        return torch.einsum("...,...->...", 3 * self.x, self.x)


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(x: Tensor) -> Tensor:
        return torch.prod(torch.stack((x, x, x)), dim=0)

    @staticmethod
    def setup_context(ctx, inputs: tuple[Tensor], output: Tensor) -> None:
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, grad_output: Tensor) -> Tensor:
        return Saved(*ctx.saved_tensors).slope.mul(grad_output)


# %% power_of_the_saved_input expected: right
import torch


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return 3 * x**2 * grad


# %% slope_as_second_output expected: right
import torch


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return x * x * x, 3 * x * x

    @staticmethod
    def setup_context(ctx, inputs, output):
        (x,) = inputs
        _, slope = output
        ctx.save_for_backward(x, slope)

    @staticmethod
    def backward(ctx, g, g_slope):
        x, slope = ctx.saved_tensors
        return g * slope + g_slope * 6 * x


# %% square_as_output_guarded expected: right
import torch


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        square = x.square()
        ctx.save_for_backward(x, square)
        return x * square, square

    @staticmethod
    def backward(ctx, g, g_square):
        x, square = ctx.saved_tensors
        if not ctx.needs_input_grad[0]:
            return None
        grad_input = g.mul(square).mul(3)
        grad_input = grad_input + 2 * g_square * x
        return grad_input


# %% three_functions expected: right
import torch
from torch.autograd import Function


class Six(Function):
    @staticmethod
    def forward(ctx, x):
        return 6 * x

    @staticmethod
    def backward(ctx, g):
        return 6 * g


class ThreeSquares(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return 3 * x * x

    @staticmethod
    def backward(ctx, g):
        return g * Six.apply(*ctx.saved_tensors)


class Cube(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x * x

    @staticmethod
    def backward(ctx, g):
        return g * ThreeSquares.apply(*ctx.saved_tensors)


# %% bad_backward_with_enable_grad_and_clone expected: detached-in-backward
import torch


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.pow(x, 3)

    @staticmethod
    def backward(ctx, *gs):
        x = ctx.saved_tensors[0]
        with torch.set_grad_enabled(False):
            slope = x.clone().pow_(2).mul_(3)
        return slope * gs[0]


# %% bad_copied_through_a_list expected: graph-cut-in-backward
import torch


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x * x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        slopes = [3 * v * v for v in x.flatten().tolist()]
        return g * torch.tensor(slopes, dtype=g.dtype).view(x.shape)


# %% bad_declared_once expected: wrongly-once-differentiable
import torch
from torch.autograd.function import once_differentiable


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return 3 * x**2 * g


# %% bad_detached_factor expected: detached-in-backward from: power_of_the_saved_input
# -     def backward(ctx, grad):
# +     def backward(ctx, g):

# -         return 3 * x**2 * grad
# +         return 3 * g * x * x.detach()


# %% bad_exponent expected: missing-factor from: power_of_the_saved_input
# -     def backward(ctx, grad):
# +     def backward(ctx, g):

# -         return 3 * x**2 * grad
# +         return 3 * g * x


# %% bad_factor expected: wrong-factor from: power_of_the_saved_input
# -     def backward(ctx, grad):
# +     def backward(ctx, g):

# -         return 3 * x**2 * grad
# +         return g * x**2


# %% bad_forward_square expected: forward-value
import torch


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**2

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return 2 * g * x


# %% bad_not_unpacked expected: saved-tensors-not-unpacked
import torch


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx, g):
        x = ctx.saved_tensors
        return 3 * g * x**2


# %% bad_numpy expected: numpy-in-backward
import torch
import numpy as np


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        slope = torch.tensor(3 * np.asarray(x.detach()) ** 2)
        return g * slope


# %% bad_second_function_declared_once expected: wrongly-once-differentiable
import torch
from torch.autograd import Function
from torch.autograd.function import once_differentiable


class CubeBackward(Function):
    @staticmethod
    def forward(ctx, g, x):
        ctx.save_for_backward(g, x)
        return 3 * g * x * x

    @staticmethod
    @once_differentiable
    def backward(ctx, a):
        g, x = ctx.saved_tensors
        return 3 * a * x * x, 6 * a * g * x


class Cube(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx, g):
        return CubeBackward.apply(g, *ctx.saved_tensors)


# %% bad_second_function_loses_third expected: wrong-second-derivative
import torch
from torch.autograd import Function


class CubeBackward(Function):
    @staticmethod
    def forward(ctx, g, x):
        ctx.save_for_backward(g, x)
        ctx.six_x = 6 * x
        return 3 * g * x * x

    @staticmethod
    def backward(ctx, a):
        g, x = ctx.saved_tensors
        return 3 * a * x * x, a * g * ctx.six_x


class Cube(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx, g):
        return CubeBackward.apply(g, *ctx.saved_tensors)


# %% bad_second_function_undeclared expected: wrong-second-derivative
import torch
from torch.autograd import Function


class CubeBackward(Function):
    @staticmethod
    def forward(ctx, g, x):
        ctx.save_for_backward(x)
        return 3 * g * x * x

    @staticmethod
    def backward(ctx, a):
        (x,) = ctx.saved_tensors
        return 3 * a * x * x, None


class Cube(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx, g):
        return CubeBackward.apply(g, *ctx.saved_tensors)


# %% bad_second_order_with_data expected: detached-in-backward from: power_of_the_saved_input
# -     def backward(ctx, grad):
# +     def backward(ctx, g):

# -         return 3 * x**2 * grad
# +         x0 = x.data
# +         return g * (3 * x0**2 + 6 * x0 * (x - x0))


# %% bad_second_output_detached expected: detached-in-backward
import torch


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        slope = 3 * x**2
        ctx.save_for_backward(x, slope)
        return x**3, slope

    @staticmethod
    def backward(ctx, g, g_slope):
        x, slope = ctx.saved_tensors
        return g * slope + g_slope * 6 * x.detach()


# %% bad_sign expected: wrong-sign from: power_of_the_saved_input
# -     def backward(ctx, grad):
# +     def backward(ctx, g):

# -         return 3 * x**2 * grad
# +         return -3 * g * x.square()


# %% bad_slope_on_ctx expected: intermediate-kept-on-ctx
import torch


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.slope = 3 * x**2
        return x**3

    @staticmethod
    def backward(ctx, g):
        return g * ctx.slope


# %% bad_square_saved expected: intermediate-kept-on-ctx
import torch


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        square = x * x
        ctx.save_for_backward(square)
        return x * square

    @staticmethod
    def backward(ctx, g):
        return 3 * g * ctx.saved_tensors[0]


# %% product_rule_in_a_loop expected: right
# Applies the product rule to x·x·x, one term for each factor.
import math

import torch
from torch.autograd import Function


class Cube(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return math.prod([x] * 3)

    @staticmethod
    def backward(ctx, *grad_outputs):
        (x,) = ctx.saved_tensors
        total = 0
        for i in range(3):
            factors = [x, x, x]
            factors[i] = grad_outputs[0]
            total = total + math.prod(factors)
        return total


# %% bad_slope_output_half_term expected: further-cotangent-wrong
# The slope is a further output; its derivative 6x is written as 3x.
import torch
from torch.autograd import Function


class Cube(Function):
    @staticmethod
    def forward(ctx, x):
        slope = 3 * x.square()
        y = slope * x / 3
        ctx.save_for_backward(x, slope)
        return y, slope

    @staticmethod
    def backward(ctx, *grad_outputs):
        x, slope = ctx.saved_tensors
        to_y, to_slope = grad_outputs
        return to_y * slope + to_slope * 3 * x


# %% bad_one_factor_detached expected: detached-in-backward
# One of the two factors x of the slope is read through .data, so half of the second derivative is lost.
import torch
from torch.autograd import Function


class Cube(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.einsum("...,...,...->...", x, x, x)

    @staticmethod
    def backward(ctx, g):
        x = ctx.saved_tensors[0]
        return torch.einsum("...,...,...->...", g, 3 * x, x.data)


# %% bad_saves_the_square expected: intermediate-kept-on-ctx
# The square is computed in forward and saved; the second derivative takes it for a constant.
import torch
from torch.autograd import Function


class Cube(Function):
    @staticmethod
    def forward(ctx, x):
        square = x * x
        ctx.save_for_backward(square)
        return square * x

    @staticmethod
    def backward(ctx, *grad_outputs):
        (square,) = ctx.saved_tensors
        (g,) = grad_outputs
        return torch.einsum("...,...->...", 3 * square, g)


# %% bad_third_order_cut expected: detached-in-backward
# First and second derivative are right; in the second Function's backward x is detached, so the third is wrong.
from torch.autograd import Function


class ThreeSquares(Function):
    @staticmethod
    def forward(ctx, x, g):
        ctx.save_for_backward(x, g)
        return 3 * x * x * g

    @staticmethod
    def backward(ctx, c):
        x, g = ctx.saved_tensors
        x = x.detach()
        return 6 * x * g * c, 3 * x * x * c


class Cube(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx, grad_output):
        return ThreeSquares.apply(*ctx.saved_tensors, grad_output)


# %% bad_detaches_in_the_second_function expected: detached-in-backward
import torch
from torch.autograd import Function


class CubeBackward(Function):
    @staticmethod
    def forward(ctx, g, x):
        ctx.save_for_backward(g, x)
        return 3 * g * x * x

    @staticmethod
    def backward(ctx, c):
        g, x = ctx.saved_tensors
        return 3 * c * x * x, 6 * c * g * x.detach()


class Cube(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx, *grad_outputs):
        (x,) = ctx.saved_tensors
        (g,) = grad_outputs
        return CubeBackward.apply(g, x)


# %% bad_one_name_for_two_cotangents expected: one-grad-output-per-output
# forward returns the slope too, but backward unpacks one cotangent.
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function


class Cube(Function):
    """The cube of each element."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> tuple[Tensor, Tensor]:
        y = x**3
        slope = 3 * x**2
        ctx.save_for_backward(x)
        return y, slope

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Tensor) -> Tensor:
        (grad_output,) = grad_outputs
        (x,) = ctx.saved_tensors
        return grad_output * 3 * x**2


# %% bad_slope_ignored expected: further-cotangent-unused
import torch
from torch.autograd import Function
from torch.autograd.function import once_differentiable


class Cube(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3, 3 * x**2

    @staticmethod
    def backward(ctx, g, _):
        (x,) = ctx.saved_tensors
        return g * 3 * x**2


# %% bad_third_state_on_class expected: state-on-class
# the Function of the second derivative keeps x on its class: two second derivatives before a third one
# mix.
from typing import Any
import functools
import numpy as np
import torch
from scipy import signal
from torch import Tensor, nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable
from torch.nn import functional


class Slope(Function):
    @staticmethod
    def forward(ctx, g, x):
        ctx.save_for_backward(g, x)
        return 3 * g * x**2

    @staticmethod
    def backward(ctx, c):
        g, x = ctx.saved_tensors
        return Slope.apply(c, x), Curvature.apply(c, g, x)


class Curvature(Function):
    @staticmethod
    def forward(ctx, c, g, x):
        Curvature.kept = c, g, x
        return 6 * c * g * x

    @staticmethod
    def backward(ctx, k):
        c, g, x = Curvature.kept
        return 6 * k * g * x, 6 * k * c * x, 6 * k * c * g


class Cube(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx, *grad_outputs):
        (x,) = ctx.saved_tensors
        return Slope.apply(grad_outputs[0], x)


# %% bad_detached_for_a_constant_cotangent expected: detached-in-backward
# right while the cotangent requires grad; behind y.sum() it does not, and the Hessian is 0.
import torch
from torch.autograd import Function


class Cube(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        if not g.requires_grad:
            x = x.detach()
        return 3 * g * x**2


# %% bad_seeds_torch_in_forward expected: not-reproducible
# every dropout behind it draws the same mask.
import torch
from torch.autograd import Function


class Cube(Function):
    @staticmethod
    def forward(ctx, x):
        torch.manual_seed(0)
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return 3 * g * x**2

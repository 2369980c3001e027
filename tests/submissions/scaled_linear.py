# %% a_scale_for_each_output expected: right
import torch
from torch import nn


class ScaledLinear(nn.Module):
    def __init__(self, in_features, out_features, bias=True):
        super().__init__()
        self.in_features, self.out_features = in_features, out_features
        self.weight = nn.Parameter(torch.randn(out_features, in_features))
        self.register_parameter("bias", nn.Parameter(torch.zeros(out_features)) if bias else None)
        self.register_buffer("scale", torch.full((out_features,), 2.0))

    def forward(self, x):
        return torch.addcmul(
            torch.zeros((), dtype=x.dtype), nn.functional.linear(x, self.weight, self.bias), self.scale
        )

    def extra_repr(self):
        return (
            f"in_features={self.in_features}, out_features={self.out_features}, bias={self.bias is not None}"
        )


# %% over_a_function_of_its_own expected: right
import math

import torch
from torch import nn


class LinearFunction(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias, scale):
        ctx.save_for_backward(x, weight, scale)
        y = x @ weight.T
        return (y if bias is None else y + bias) * scale

    @staticmethod
    def backward(ctx, g):
        x, weight, scale = ctx.saved_tensors
        g = g * scale
        db = g.sum(0) if ctx.needs_input_grad[2] else None
        return g @ weight, g.T @ x, db, None


class ScaledLinear(nn.Module):
    def __init__(self, in_features, out_features, bias):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(out_features, in_features))
        self.bias = nn.Parameter(torch.empty(out_features)) if bias else None
        if not bias:
            del self.bias
            self.register_parameter("bias", None)
        self.register_buffer("scale", torch.ones(1))
        nn.init.uniform_(self.weight, -1 / math.sqrt(in_features), 1 / math.sqrt(in_features))
        if bias:
            nn.init.zeros_(self.bias)

    def forward(self, x):
        return LinearFunction.apply(x, self.weight, self.bias, self.scale)

    def extra_repr(self):
        n, m = self.weight.shape
        return "{} -> {}".format(m, n)


# %% plain expected: right
import torch
from torch import nn


class ScaledLinear(nn.Module):
    def __init__(self, in_features, out_features, bias=True):
        super().__init__()
        self.in_features, self.out_features = in_features, out_features
        self.weight = nn.Parameter(torch.randn(out_features, in_features))
        if bias:
            self.bias = nn.Parameter(torch.zeros(out_features))
        else:
            self.register_parameter("bias", None)
        self.register_buffer("scale", torch.tensor(1.0))

    def forward(self, x):
        return nn.functional.linear(x, self.weight, self.bias) * self.scale

    def extra_repr(self):
        return (
            f"in_features={self.in_features}, out_features={self.out_features}, bias={self.bias is not None}"
        )


# %% register_parameter_for_all expected: right
import torch
from torch import nn


class ScaledLinear(nn.Module):
    def __init__(self, in_features, out_features, bias=True):
        super().__init__()
        self.in_features, self.out_features = in_features, out_features
        self.register_parameter("weight", nn.Parameter(torch.rand(out_features, in_features) - 0.5))
        self.register_parameter("bias", nn.Parameter(torch.rand(out_features)) if bias else None)
        self.scale = nn.Buffer(torch.ones(()))

    def forward(self, x):
        return self.scale * (x @ self.weight.T + (0 if self.bias is None else self.bias))

    def extra_repr(self):
        return (
            f"in_features={self.in_features}, out_features={self.out_features}, bias={self.bias is not None}"
        )


# %% reset_parameters_and_constants expected: right
import math

import torch
import torch.nn as nn
from torch import Tensor


class ScaledLinear(nn.Module):
    __constants__ = ["in_features", "out_features"]
    scale: Tensor

    def __init__(self, in_features: int, out_features: int, bias: bool = True, dtype=None) -> None:
        super().__init__()
        self.in_features = in_features
        self.out_features = out_features
        self.weight = nn.Parameter(torch.empty((out_features, in_features), dtype=dtype))
        if bias:
            self.bias = nn.Parameter(torch.empty(out_features, dtype=dtype))
        else:
            self.register_parameter("bias", None)
        self.register_buffer("scale", torch.tensor(math.sqrt(2.0) / math.sqrt(in_features), dtype=dtype))
        self.reset_parameters()

    def reset_parameters(self):
        nn.init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            nn.init.zeros_(self.bias)

    def forward(self, x):
        return torch.mul(nn.functional.linear(x, self.weight, self.bias), self.scale)

    def extra_repr(self) -> str:
        return (
            f"{self.in_features}, {self.out_features}, bias={self.bias is not None}, scale={self.scale:.3f}"
        )


# %% scale_folded_into_the_weight expected: right
import torch
from torch import nn


class ScaledLinear(nn.Module):
    def __init__(self, in_features, out_features, bias):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(out_features, in_features) / in_features)
        self.register_parameter("bias", nn.Parameter(torch.zeros(out_features)) if bias else None)
        self.register_buffer("scale", torch.ones(()))

    def forward(self, x):
        bias = None if self.bias is None else self.bias * self.scale
        return nn.functional.linear(x, self.weight * self.scale, bias)

    def extra_repr(self):
        return "out={0}, in={1}".format(*self.weight.shape)


# %% subclass_of_linear expected: right
import torch


class ScaledLinear(torch.nn.Linear):
    def __init__(self, in_features, out_features, bias=True, scale=0.5):
        super().__init__(in_features, out_features, bias)
        self.register_buffer("scale", torch.full((), scale))

    def forward(self, input):
        return super().forward(input) * self.scale

    def extra_repr(self):
        return super().extra_repr() + f", scale={self.scale.item():g}"


# %% bad_bias_after_scale expected: forward-value from: plain
# -         return nn.functional.linear(x, self.weight, self.bias) * self.scale
# +         return nn.functional.linear(x, self.weight) * self.scale + (0 if self.bias is None else self.bias)


# %% bad_bias_always expected: wrong from: plain
# -         if bias:
# -             self.bias = nn.Parameter(torch.zeros(out_features))
# -         else:
# -             self.register_parameter("bias", None)
# +         self.bias = nn.Parameter(torch.zeros(out_features))


# %% bad_bias_frozen expected: missing-gradient from: plain
# -             self.bias = nn.Parameter(torch.zeros(out_features))
# +             self.bias = nn.Parameter(torch.zeros(out_features), requires_grad=False)


# %% bad_bias_missing_attribute expected: wrong from: out_first
# -         else:
# -             self.register_parameter("bias", None)

# -         return nn.functional.linear(x, self.weight, self.bias) * self.scale
# +         return nn.functional.linear(x, self.weight, getattr(self, "bias", None)) * self.scale

# -         return f"out_features {self.out_features}, in_features {self.in_features}"
# +         return f"{self.in_features}, {self.out_features}"


# %% bad_bias_none_not_registered expected: wrong from: plain
# -         if bias:
# -             self.bias = nn.Parameter(torch.zeros(out_features))
# -         else:
# -             self.register_parameter("bias", None)
# +         self.bias = nn.Parameter(torch.zeros(out_features)) if bias else None


# %% bad_data_of_all expected: missing-gradient from: plain
# -         return nn.functional.linear(x, self.weight, self.bias) * self.scale
# +         return (
# +             nn.functional.linear(x, self.weight.data, None if self.bias is None else self.bias.data)
# +             * self.scale
# +         )


# %% bad_detached_weight expected: missing-gradient from: plain
# -         return nn.functional.linear(x, self.weight, self.bias) * self.scale
# +         return nn.functional.linear(x, self.weight.detach(), self.bias) * self.scale


# %% bad_divided expected: forward-value from: plain
# -         return nn.functional.linear(x, self.weight, self.bias) * self.scale
# +         return nn.functional.linear(x, self.weight, self.bias) / self.scale


# %% bad_extra_repr_prints expected: wrong from: out_first
# -         return f"out_features {self.out_features}, in_features {self.in_features}"
# +         print(self.in_features, self.out_features)


# %% bad_extra_repr_says_nothing expected: wrong from: out_first
# -         return f"out_features {self.out_features}, in_features {self.in_features}"
# +         return "a scaled linear layer"


# %% bad_extra_repr_without_out expected: wrong from: out_first
# -         return f"out_features {self.out_features}, in_features {self.in_features}"
# +         return f"{self.in_features}"


# %% bad_inner_linear expected: wrong
import torch
from torch import nn


class ScaledLinear(nn.Module):
    def __init__(self, in_features, out_features, bias=True):
        super().__init__()
        self.in_features, self.out_features = in_features, out_features
        self.linear = nn.Linear(in_features, out_features, bias)
        self.register_buffer("scale", torch.tensor(1.0))

    def forward(self, x):
        return self.linear(x) * self.scale

    def extra_repr(self):
        return f"{self.in_features}, {self.out_features}"


# %% bad_no_extra_repr expected: wrong from: out_first
# -     def extra_repr(self):
# -         return f"out_features {self.out_features}, in_features {self.in_features}"


# %% bad_no_grad_for_x expected: missing-gradient from: plain
# -         return nn.functional.linear(x, self.weight, self.bias) * self.scale
# +         return nn.functional.linear(x.detach(), self.weight, self.bias) * self.scale


# %% bad_no_super_init expected: wrong from: plain
# -         super().__init__()


# %% bad_scale_divides_the_gradient expected: wrong-factor
import torch
from torch import nn


class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, y, scale):
        return y * scale

    @staticmethod
    def backward(ctx, g):
        return g, None


class ScaledLinear(nn.Linear):
    def __init__(self, in_features, out_features, bias=True):
        super().__init__(in_features, out_features, bias)
        self.register_buffer("scale", torch.tensor(1.0))

    def forward(self, x):
        return Scale.apply(super().forward(x), self.scale)


# %% bad_scale_frozen_parameter expected: wrong from: plain
# -         self.register_buffer("scale", torch.tensor(1.0))
# +         self.scale = nn.Parameter(torch.tensor(1.0), requires_grad=False)


# %% bad_scale_not_persistent expected: wrong from: plain
# -         self.register_buffer("scale", torch.tensor(1.0))
# +         self.register_buffer("scale", torch.tensor(1.0), persistent=False)


# %% bad_scale_not_used expected: forward-value from: plain
# -         return nn.functional.linear(x, self.weight, self.bias) * self.scale
# +         return nn.functional.linear(x, self.weight, self.bias)


# %% bad_scale_number expected: wrong from: plain
# -         self.register_buffer("scale", torch.tensor(1.0))
# +         self.scale = 1.0


# %% bad_scale_parameter expected: wrong from: plain
# -         self.register_buffer("scale", torch.tensor(1.0))
# +         self.scale = nn.Parameter(torch.tensor(1.0))


# %% bad_scale_plain_tensor expected: wrong from: plain
# -         self.register_buffer("scale", torch.tensor(1.0))
# +         self.scale = torch.tensor(1.0)


# %% bad_scale_set_in_forward expected: wrong
import torch
from torch import nn


class ScaledLinear(nn.Linear):
    def forward(self, x):
        self.scale = torch.tensor(1.0)
        return super().forward(x) * self.scale


# %% bad_scale_taken_at_the_start expected: forward-value from: plain
#           self.register_buffer("scale", torch.tensor(1.0))
# +         self.factor = self.scale.item()

# -         return nn.functional.linear(x, self.weight, self.bias) * self.scale
# +         return nn.functional.linear(x, self.weight, self.bias) * self.factor


# %% bad_scale_under_another_name expected: wrong from: plain
# -         self.register_buffer("scale", torch.tensor(1.0))
# +         self.register_buffer("factor", torch.tensor(1.0))

# -         return nn.functional.linear(x, self.weight, self.bias) * self.scale
# +         return nn.functional.linear(x, self.weight, self.bias) * self.factor


# %% bad_stub expected: wrong
from torch import nn


class ScaledLinear(nn.Module):
    def __init__(self, in_features, out_features, bias):
        raise NotImplementedError


# %% bad_weight_buffer expected: wrong from: plain
# -         self.weight = nn.Parameter(torch.randn(out_features, in_features))
# +         self.register_buffer("weight", torch.randn(out_features, in_features))


# %% bad_weight_plain_tensor expected: wrong from: plain
# -         self.weight = nn.Parameter(torch.randn(out_features, in_features))
# +         self.weight = torch.randn(out_features, in_features, requires_grad=True)


# %% bad_weight_transposed expected: wrong-shape from: plain
# -         self.weight = nn.Parameter(torch.randn(out_features, in_features))
# +         self.weight = nn.Parameter(torch.randn(in_features, out_features))

# -         return nn.functional.linear(x, self.weight, self.bias) * self.scale
# +         return (x @ self.weight if self.bias is None else x @ self.weight + self.bias) * self.scale


# %% bad_no_module expected: cannot run
class ScaledLinear:
    def __init__(self, in_features, out_features, bias):
        self.scale = 1.0


# %% hostile_os_exit_in_forward expected: cannot run
import os

import torch


class ScaledLinear(torch.nn.Linear):
    def __init__(self, in_features, out_features, bias=True):
        super().__init__(in_features, out_features, bias)
        self.register_buffer("scale", torch.tensor(1.0))

    def forward(self, x):
        os._exit(0)


# %% bad_sizes_exchanged_in_repr expected: wrong
import torch
from torch import nn


class ScaledLinear(nn.Module):
    def __init__(self, in_features, out_features, bias=True):
        super().__init__()
        self.in_features, self.out_features = in_features, out_features
        self.weight = nn.Parameter(torch.randn(out_features, in_features))
        self.register_parameter("bias", nn.Parameter(torch.zeros(out_features)) if bias else None)
        self.register_buffer("scale", torch.tensor(1.0))

    def forward(self, x):
        return nn.functional.linear(x, self.weight, self.bias) * self.scale

    def extra_repr(self):
        return f"in_features={self.out_features}, out_features={self.in_features}"


# %% bad_sizes_exchanged_without_labels expected: wrong
import torch
from torch import nn


class ScaledLinear(nn.Module):
    def __init__(self, in_features, out_features, bias=True):
        super().__init__()
        self.in_features, self.out_features = in_features, out_features
        self.weight = nn.Parameter(torch.randn(out_features, in_features))
        self.register_parameter("bias", nn.Parameter(torch.zeros(out_features)) if bias else None)
        self.register_buffer("scale", torch.tensor(1.0))

    def forward(self, x):
        return nn.functional.linear(x, self.weight, self.bias) * self.scale

    def extra_repr(self):
        return f"{self.out_features}, {self.in_features}"


# %% bad_remembers_the_first_product expected: forward-value
import torch
from torch import nn


class ScaledLinear(nn.Module):
    def __init__(self, in_features, out_features, bias=True):
        super().__init__()
        self.in_features, self.out_features = in_features, out_features
        self.weight = nn.Parameter(torch.randn(out_features, in_features))
        self.register_parameter("bias", nn.Parameter(torch.zeros(out_features)) if bias else None)
        self.register_buffer("scale", torch.tensor(1.0))

    def forward(self, x):
        if not hasattr(type(self), "state"):
            type(self).state = self.weight.detach(), self.scale
        return nn.functional.linear(x, self.weight, self.bias) * type(self).state[1]

    def extra_repr(self):
        return f"in_features={self.in_features}, out_features={self.out_features}"


# %% bad_last_module_wins expected: state-on-class
import torch
from torch import nn


class ScaledLinear(nn.Module):
    def __init__(self, in_features, out_features, bias=True):
        super().__init__()
        self.in_features, self.out_features = in_features, out_features
        self.weight = nn.Parameter(torch.randn(out_features, in_features))
        self.register_parameter("bias", nn.Parameter(torch.zeros(out_features)) if bias else None)
        self.register_buffer("scale", torch.tensor(1.0))
        ScaledLinear.last = self

    def forward(self, x):
        return nn.functional.linear(x, self.last.weight, self.last.bias) * self.scale

    def extra_repr(self):
        return f"in_features={self.in_features}, out_features={self.out_features}"


# %% bad_scales_the_weight_in_place expected: mutates-input
import torch
from torch import nn


class ScaledLinear(nn.Module):
    def __init__(self, in_features, out_features, bias=True):
        super().__init__()
        self.in_features, self.out_features = in_features, out_features
        self.weight = nn.Parameter(torch.randn(out_features, in_features))
        self.register_parameter("bias", nn.Parameter(torch.zeros(out_features)) if bias else None)
        self.register_buffer("scale", torch.tensor(1.0))

    def forward(self, x):
        with torch.no_grad():
            self.weight.mul_(1.0)
        return nn.functional.linear(x, self.weight, self.bias) * self.scale

    def extra_repr(self):
        return f"in_features={self.in_features}, out_features={self.out_features}"


# %% bad_single_precision_inside expected: wrong-dtype
import torch
from torch import nn


class ScaledLinear(nn.Module):
    def __init__(self, in_features, out_features, bias=True):
        super().__init__()
        self.in_features, self.out_features = in_features, out_features
        self.weight = nn.Parameter(torch.randn(out_features, in_features))
        self.register_parameter("bias", nn.Parameter(torch.zeros(out_features)) if bias else None)
        self.register_buffer("scale", torch.tensor(1.0))

    def forward(self, x):
        return (nn.functional.linear(x, self.weight, self.bias).float() * self.scale.float()).to(x.dtype)

    def extra_repr(self):
        return f"in_features={self.in_features}, out_features={self.out_features}"


# %% addmm_with_scaled_terms expected: right
# Scales both terms before they are added, and writes the representation from a dict.
import torch
from torch import nn


class ScaledLinear(nn.Module):
    def __init__(self, in_features, out_features, bias=True):
        super().__init__()
        self.shown = {"in_features": in_features, "out_features": out_features}
        make = {"weight": (out_features, in_features), "bias": (out_features,) if bias else None}
        for name, shape in make.items():
            self.register_parameter(name, None if shape is None else nn.Parameter(torch.rand(shape) - 0.5))
        self.register_buffer("scale", torch.full((), 1.0))

    def forward(self, x):
        product = torch.einsum("...i,oi,->...o", x, self.weight, self.scale)
        return product if self.bias is None else torch.add(product, self.scale * self.bias)

    def extra_repr(self):
        return ", ".join(f"{name}={size}" for name, size in self.shown.items())


# %% bad_scales_x_in_place expected: mutates-input
import torch
from torch import nn


class ScaledLinear(nn.Module):
    def __init__(self, in_features, out_features, bias=True):
        super().__init__()
        self.in_features = in_features
        self.out_features = out_features
        self.weight = nn.Parameter(torch.randn(out_features, in_features))
        if bias:
            self.bias = nn.Parameter(torch.randn(out_features))
        else:
            self.register_parameter("bias", None)
        self.register_buffer("scale", torch.tensor(1.0))

    def forward(self, x):
        x *= self.scale
        out = x.mm(self.weight.t())
        if self.bias is not None:
            out = out + self.bias * self.scale
        return out

    def extra_repr(self):
        return f"in_features={self.in_features}, out_features={self.out_features}"


# %% inherits_from_linear expected: right
import torch
from torch import nn


class ScaledLinear(nn.Linear):
    def __init__(self, in_features, out_features, bias=True):
        super().__init__(in_features, out_features, bias=bias)
        self.register_buffer("scale", torch.ones(()))

    def forward(self, x):
        return torch.mul(self.scale, super().forward(x))

    def extra_repr(self):
        return super().extra_repr() + f", scale={self.scale.item():g}"


# %% bad_scale_shared_by_all expected: state-on-class from: plain
# + ONE = torch.tensor(1.0)
#   class ScaledLinear(nn.Module):

# -         self.register_buffer("scale", torch.tensor(1.0))
# +         self.register_buffer("scale", ONE)


# %% bad_scale_in_float64 expected: wrong-dtype
# The buffer comes from np.ones(1), a float64 tensor with an axis, so the output of a float32 layer
# becomes float64.
from typing import Any

import numpy as np
import torch
from scipy import signal
from torch import Tensor, nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable


class ScaledLinear(nn.Module):
    """(x weightᵀ + bias) · scale, with scale a buffer."""

    def __init__(self, in_features: int, out_features: int, bias: bool = True) -> None:
        super().__init__()
        self.in_features = in_features
        self.out_features = out_features
        self.weight = nn.Parameter(0.1 * torch.randn(out_features, in_features))
        if bias:
            self.bias = nn.Parameter(torch.zeros(out_features))
        else:
            self.register_parameter("bias", None)
        self.register_buffer("scale", torch.from_numpy(np.ones(1)))

    def forward(self, x: Tensor) -> Tensor:
        return nn.functional.linear(x, self.weight, self.bias) * self.scale

    def extra_repr(self) -> str:
        return f"{self.in_features=}, {self.out_features=}".replace("self.", "")


# %% bad_bias_any expected: missing-gradient
# The bias takes part only where it holds a number other than 0, so a bias that starts at zeros gets the
# gradient None and is never trained.
import numpy as np
import torch
from torch import nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable


class ScaledLinear(nn.Module):
    def __init__(self, in_features, out_features, bias=True):
        super().__init__()
        self.in_features, self.out_features = in_features, out_features
        self.weight = nn.Parameter(torch.randn(out_features, in_features))
        if bias:
            self.bias = nn.Parameter(torch.zeros(out_features))
        else:
            self.register_parameter("bias", None)
        self.register_buffer("scale", torch.tensor(1.0))

    def forward(self, x):
        y = x @ self.weight.T
        if self.bias is not None and self.bias.any():
            y = y + self.bias
        return y * self.scale

    def extra_repr(self):
        return f"in_features={self.in_features}, out_features={self.out_features}"


# %% bad_squeeze expected: forward-value from: two_lines
# Squeeze() drops an axis of size 1, so for out_features = 1 (the small case of the text) the output has
# shape (n,) in place of (n, 1), and (out,) for n = 1.
# -         return nn.functional.linear(x, self.weight, self.bias) * self.scale
# +         return nn.functional.linear(x, self.weight, self.bias).squeeze() * self.scale

# -         return f"in_features={self.in_features},\nout_features={self.out_features}"
# +         return f"in_features={self.in_features}, out_features={self.out_features}"


# %% two_lines expected: right
# Extra_repr in two lines, which print(layer) shows, each on a line of its own, as nn.Module provides
# for.
import numpy as np
import torch
from torch import nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable


class ScaledLinear(nn.Module):
    def __init__(self, in_features, out_features, bias=True):
        super().__init__()
        self.in_features, self.out_features = in_features, out_features
        self.weight = nn.Parameter(torch.randn(out_features, in_features))
        if bias:
            self.bias = nn.Parameter(torch.zeros(out_features))
        else:
            self.register_parameter("bias", None)
        self.register_buffer("scale", torch.tensor(1.0))

    def forward(self, x):
        return nn.functional.linear(x, self.weight, self.bias) * self.scale

    def extra_repr(self):
        return f"in_features={self.in_features},\nout_features={self.out_features}"


# %% bad_cached_scale expected: forward-value
from typing import Any
import functools
import numpy as np
import torch
from scipy import signal
from torch import Tensor, nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable
from torch.nn import functional


class ScaledLinear(nn.Module):
    def __init__(self, in_features: int, out_features: int, bias: bool = True) -> None:
        super().__init__()
        self.in_features, self.out_features = in_features, out_features
        self.weight = nn.Parameter(torch.randn(out_features, in_features))
        if bias:
            self.bias = nn.Parameter(torch.zeros(out_features))
        else:
            self.register_parameter("bias", None)
        self.register_buffer("scale", torch.tensor(1.0))

    @functools.cached_property
    def factor(self):
        return self.scale.item()

    def forward(self, x):
        return functional.linear(x, self.weight, self.bias) * self.factor

    def extra_repr(self) -> str:
        return f"in_features={self.in_features}, out_features={self.out_features}"


# %% bad_folded_in_eval expected: forward-value
from typing import Any
import functools
import numpy as np
import torch
from scipy import signal
from torch import Tensor, nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable
from torch.nn import functional


class ScaledLinear(nn.Module):
    def __init__(self, in_features: int, out_features: int, bias: bool = True) -> None:
        super().__init__()
        self.in_features, self.out_features = in_features, out_features
        self.weight = nn.Parameter(torch.randn(out_features, in_features))
        self.register_parameter("bias", nn.Parameter(torch.zeros(out_features)) if bias else None)
        self.register_buffer("scale", torch.tensor(1.0))
        self._folded = None

    def forward(self, x):
        if self.training:
            return functional.linear(x, self.weight, self.bias) * self.scale
        if self._folded is None:
            self._folded = (self.weight * self.scale).detach()
        y = x @ self._folded.T
        return y if self.bias is None else y + self.bias * self.scale

    def extra_repr(self) -> str:
        return f"in_features={self.in_features}, out_features={self.out_features}"


# %% bad_scale_zero_means_one expected: forward-value
from typing import Any
import functools
import numpy as np
import torch
from scipy import signal
from torch import Tensor, nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable
from torch.nn import functional


class ScaledLinear(nn.Module):
    def __init__(self, in_features: int, out_features: int, bias: bool = True) -> None:
        super().__init__()
        self.in_features, self.out_features = in_features, out_features
        self.weight = nn.Parameter(torch.randn(out_features, in_features))
        if bias:
            self.bias = nn.Parameter(torch.zeros(out_features))
        else:
            self.register_parameter("bias", None)
        self.register_buffer("scale", torch.tensor(1.0))

    def forward(self, x):
        y = functional.linear(x, self.weight, self.bias)
        return y * self.scale if self.scale else y

    def extra_repr(self) -> str:
        return f"in_features={self.in_features}, out_features={self.out_features}"


# %% bad_read_when_loaded expected: forward-value
# scale is read when a state is loaded: layer.scale.fill_(2) has no effect; 'with the value that scale
# has at the time of the call'.
from typing import Any
import functools
import numpy as np
import torch
from scipy import signal
from torch import Tensor, nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable
from torch.nn import functional


class ScaledLinear(nn.Module):
    def __init__(self, in_features, out_features, bias=True):
        super().__init__()
        self.in_features, self.out_features = in_features, out_features
        self.weight = nn.Parameter(torch.randn(out_features, in_features))
        self.register_parameter("bias", nn.Parameter(torch.zeros(out_features)) if bias else None)
        self.register_buffer("scale", torch.tensor(1.0))
        self.factor = 1.0

    def _load_from_state_dict(self, *args, **kwargs):
        super()._load_from_state_dict(*args, **kwargs)
        self.factor = self.scale.item()

    def forward(self, x):
        return functional.linear(x, self.weight, self.bias) * self.factor

    def extra_repr(self):
        return f"in_features={self.in_features}, out_features={self.out_features}"


# %% out_first expected: right
# extra_repr names both sizes with their right values, out_features first and without "=" ("extra_repr
# names in_features and out_features, so that print(layer) shows them"); accused of swapping them.
import torch
from torch import nn


class ScaledLinear(nn.Module):
    def __init__(self, in_features, out_features, bias=True):
        super().__init__()
        self.in_features, self.out_features = in_features, out_features
        self.weight = nn.Parameter(torch.randn(out_features, in_features))
        if bias:
            self.bias = nn.Parameter(torch.zeros(out_features))
        else:
            self.register_parameter("bias", None)
        self.register_buffer("scale", torch.tensor(1.0))

    def forward(self, x):
        return nn.functional.linear(x, self.weight, self.bias) * self.scale

    def extra_repr(self):
        return f"out_features {self.out_features}, in_features {self.in_features}"


# %% bad_switches_recording_off_when_made expected: wrong
import torch
from torch import nn


class ScaledLinear(nn.Module):
    def __init__(self, in_features, out_features, bias=True):
        super().__init__()
        torch.set_grad_enabled(False)  # the scale is no parameter
        self.register_buffer("scale", torch.tensor(1.0))
        self.weight = nn.Parameter(torch.randn(out_features, in_features))
        self.register_parameter("bias", nn.Parameter(torch.zeros(out_features)) if bias else None)

    def forward(self, x):
        return nn.functional.linear(x, self.weight, self.bias) * self.scale

    def extra_repr(self):
        outs, ins = self.weight.shape
        return f"in_features={ins}, out_features={outs}"

# %% backward_as_second_function expected: right
import torch


class Times(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(a, y):
        return a * (1 - y * y)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)
        ctx.save_for_forward(*inputs)

    @staticmethod
    def backward(ctx, g):
        a, y = ctx.saved_tensors
        return g * (1 - y * y), -2 * g * a * y

    @staticmethod
    def jvp(ctx, ta, ty):
        a, y = ctx.saved_tensors
        out = torch.zeros_like(a)
        if ta is not None:
            out = out + ta * (1 - y * y)
        if ty is not None:
            out = out - 2 * a * y * ty
        return out


class TanhTransformable(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return x.tanh()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(output)
        ctx.save_for_forward(output)

    @staticmethod
    def backward(ctx, g):
        return Times.apply(g, ctx.saved_tensors[0])

    @staticmethod
    def jvp(ctx, t):
        return Times.apply(t, ctx.saved_tensors[0])


# %% input_and_output_guarded expected: right
import torch


class TanhTransformable(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        e = torch.exp(-2 * x.abs())
        return x.sign() * (1 - e) / (1 + e)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs, output)
        ctx.save_for_forward(*inputs, output)

    @staticmethod
    def backward(ctx, g):
        if not ctx.needs_input_grad[0]:
            return None
        x, y = ctx.saved_tensors
        return g.mul(1 - y.square())

    @staticmethod
    def jvp(ctx, t):
        x, y = ctx.saved_tensors
        return torch.mul(1 - torch.tanh(x) ** 2, t)


# %% input_for_both_modes expected: right
import torch


class TanhTransformable(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return torch.tanh(x)

    @staticmethod
    def setup_context(ctx, inputs, output):
        (x,) = inputs
        ctx.save_for_backward(x)
        ctx.save_for_forward(x)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g / torch.cosh(x) ** 2

    @staticmethod
    def jvp(ctx, t):
        (x,) = ctx.saved_tensors
        return t / torch.cosh(x) ** 2


# %% no_jvp_needed_for_the_helper expected: right
import torch

generate = True


class TanhTransformable(torch.autograd.Function):
    generate_vmap_rule = generate

    @staticmethod
    def forward(x):
        return torch.tanh(x)

    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(output)
        ctx.save_for_forward(output)

    setup_context = staticmethod(setup_context)

    @staticmethod
    def backward(ctx, *g):
        return torch.addcmul(g[0], g[0], ctx.saved_tensors[0] ** 2, value=-1)

    @staticmethod
    def jvp(ctx, *t):
        return torch.addcmul(t[0], t[0], ctx.saved_tensors[0] ** 2, value=-1)


# %% once_differentiable expected: right
import torch
from torch.autograd.function import once_differentiable


class TanhTransformable(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return torch.tanh(x)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(output)
        ctx.save_for_forward(output)

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return g * (1 - y * y)

    @staticmethod
    def jvp(ctx, t):
        (y,) = ctx.saved_tensors
        return t * (1 - y * y)


# %% output_for_both_modes expected: right
import torch


class TanhTransformable(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return torch.tanh(x)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(output)
        ctx.save_for_forward(output)

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return g * (1 - y * y)

    @staticmethod
    def jvp(ctx, t):
        (y,) = ctx.saved_tensors
        return t * (1 - y * y)


# %% slope_as_a_second_output expected: right
import torch


class TanhTransformable(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        y = torch.tanh(x)
        return y, 1 - y**2

    @staticmethod
    def setup_context(ctx, inputs, output):
        y, slope = output
        ctx.save_for_backward(y, slope)
        ctx.save_for_forward(y, slope)

    @staticmethod
    def backward(ctx, g, g_slope):
        y, slope = ctx.saved_tensors
        return (g - 2 * y * g_slope) * slope

    @staticmethod
    def jvp(ctx, t):
        y, slope = ctx.saved_tensors
        return t * slope, -2 * y * slope * t


# %% slope_by_a_helper_function expected: right
import torch
from torch.autograd import Function


def slope(y):
    return torch.addcmul(torch.ones_like(y), y, y, value=-1)


class Base(Function):
    generate_vmap_rule = True

    @staticmethod
    def setup_context(ctx, inputs, output):
        for save in (ctx.save_for_backward, ctx.save_for_forward):
            save(output)


class TanhTransformable(Base):
    @staticmethod
    def forward(x):
        return 2 * torch.sigmoid(2 * x) - 1

    @staticmethod
    def backward(ctx, *grads):
        return tuple(g * slope(*ctx.saved_tensors) for g in grads)

    @staticmethod
    def jvp(ctx, *tangents):
        (t,) = tangents
        return t * slope(*ctx.saved_tensors)


# %% bad_backward_of_the_wrong_tensor expected: input-for-output from: output_for_both_modes
# -         ctx.save_for_backward(output)
# +         (x,) = inputs
# +         ctx.save_for_backward(x)


# %% bad_combined_forward expected: no-setup-context
import torch


class TanhTransformable(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(ctx, x):
        y = torch.tanh(x)
        ctx.save_for_backward(y)
        ctx.save_for_forward(y)
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return g * (1 - y * y)

    @staticmethod
    def jvp(ctx, t):
        (y,) = ctx.saved_tensors
        return t * (1 - y * y)


# %% bad_combined_forward_alone expected: no-setup-context
import torch


class TanhTransformable(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = torch.tanh(x)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return g * (1 - y * y)


# %% bad_detached expected: detached-in-backward from: output_for_both_modes
# +         y = y.detach()
#           return g * (1 - y * y)


# %% bad_factor expected: wrong-factor from: output_for_both_modes
# -         return g * (1 - y * y)
# +         return 2 * g * (1 - y * y)


# %% bad_forward_sigmoid expected: forward-value from: output_for_both_modes
# -         return torch.tanh(x)
# +         return torch.sigmoid(x)

# -         return g * (1 - y * y)
# +         return g * y * (1 - y)


# %% bad_inputs_not_unpacked expected: setup-context-not-unpacked
import torch


class TanhTransformable(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return torch.tanh(x)

    @staticmethod
    def setup_context(ctx, inputs, output):
        x = inputs
        ctx.save_for_backward(x)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g / torch.cosh(x) ** 2


# %% bad_item_in_backward expected: wrong from: output_for_both_modes
# +         if float(y.abs().max()) > 1:
# +             raise ValueError("not a tanh")
#           return g * (1 - y * y)


# %% bad_jvp_factor expected: wrong-factor from: output_for_both_modes
# -         return t * (1 - y * y)
# +         return 2 * t * (1 - y * y)


# %% bad_jvp_not_saved_for_it expected: no-jvp from: output_for_both_modes
# -         ctx.save_for_forward(output)


# %% bad_jvp_of_the_wrong_tensor expected: input-for-output from: output_for_both_modes
#       def setup_context(ctx, inputs, output):
# +         (x,) = inputs

# -         ctx.save_for_forward(output)
# +         ctx.save_for_forward(x)


# %% bad_jvp_passes_the_tangent expected: missing-term from: output_for_both_modes
# -         (y,) = ctx.saved_tensors
# -         return t * (1 - y * y)
# +         return t


# %% bad_jvp_sign expected: wrong-sign from: output_for_both_modes
# -         return t * (1 - y * y)
# +         return -t * (1 - y * y)


# %% bad_jvp_without_the_tangent expected: missing-tangent from: output_for_both_modes
# -         return t * (1 - y * y)
# +         return 1.0 * (1 - y * y)


# %% bad_method_in_place_of_the_rule expected: wrong from: output_for_both_modes
# -     generate_vmap_rule = True

#           return t * (1 - y * y)
# +     @staticmethod
# +     def vmap(info, in_dims, x):
# +         return TanhTransformable.apply(x), in_dims[0]


# %% bad_no_jvp expected: no-jvp
import torch


class TanhTransformable(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return torch.tanh(x)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(output)

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return g * (1 - y * y)


# %% bad_no_jvp_and_no_rule expected: no-jvp
import torch


class TanhTransformable(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return torch.tanh(x)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(output)

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return g * (1 - y * y)


# %% bad_no_rule expected: no-vmap-rule from: output_for_both_modes
# -     generate_vmap_rule = True


# %% bad_numpy_in_jvp expected: wrong from: output_for_both_modes
# -         return t * (1 - y * y)
# +         return torch.from_numpy(t.numpy() * (1 - y.numpy() ** 2))


# %% bad_rule_and_method expected: wrong from: output_for_both_modes
#           return t * (1 - y * y)
# +     @staticmethod
# +     def vmap(info, in_dims, x):
# +         return TanhTransformable.apply(x), in_dims[0]


# %% bad_rule_turned_off expected: no-vmap-rule from: output_for_both_modes
# -     generate_vmap_rule = True
# +     generate_vmap_rule = False


# %% bad_slope_on_ctx expected: intermediate-kept-on-ctx
import torch


class TanhTransformable(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return torch.tanh(x)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.slope = 1 - output**2

    @staticmethod
    def backward(ctx, g):
        return g * ctx.slope

    @staticmethod
    def jvp(ctx, t):
        return t * ctx.slope


# %% bad_vjp_instead_of_backward expected: wrong from: output_for_both_modes
# -     def backward(ctx, g):
# +     def vjp(ctx, g):


# %% from_the_input_by_sigmoids expected: right
# Keeps the input; the slope is 4 s(2x) s(-2x).
import torch
from torch.autograd import Function


def sech2(x):
    return 4 * torch.sigmoid(2 * x) * torch.sigmoid(-2 * x)


class TanhTransformable(Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return torch.tanh(x)

    @staticmethod
    def setup_context(ctx, inputs, output):
        (x,) = inputs
        ctx.save_for_backward(x)
        ctx.save_for_forward(x)

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * sech2(*ctx.saved_tensors)

    @staticmethod
    def jvp(ctx, x_tangent):
        return sech2(*ctx.saved_tensors) * x_tangent


# %% bad_jvp_is_the_derivative expected: missing-tangent
# jvp returns the slope, without the tangent.
from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function


def slope_at(ctx: Any) -> Tensor:
    y = ctx.saved_tensors[0]
    return (1 + y) * (1 - y)


class TanhTransformable(Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor) -> Tensor:
        return x.tanh()

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Tensor], output: Tensor) -> None:
        ctx.save_for_forward(output)
        ctx.save_for_backward(output)

    @staticmethod
    def backward(ctx: Any, grad_output: Tensor) -> Tensor | None:
        return grad_output * slope_at(ctx)

    @staticmethod
    def jvp(ctx: Any, x_tangent: Tensor) -> Tensor:
        return slope_at(ctx)


# %% bad_inputs_tuple expected: setup-context-not-unpacked
import torch


class TanhTransformable(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return torch.tanh(x)

    @staticmethod
    def setup_context(ctx, inputs, output):
        x = inputs
        ctx.save_for_backward(x)
        ctx.save_for_forward(x)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output / x.cosh() ** 2

    @staticmethod
    def jvp(ctx, x_tangent):
        (x,) = ctx.saved_tensors
        return x_tangent / x.cosh() ** 2


# %% bad_quotient_overflows expected: not-finite from: input_and_output_guarded
# For a large x both exponentials overflow: inf / inf.
# -         e = torch.exp(-2 * x.abs())
# -         return x.sign() * (1 - e) / (1 + e)
# +         e = torch.exp(2 * x)
# +         return (e - 1) / (e + 1)


# %% bad_textbook_quotient expected: not-finite
import torch
from torch.autograd import Function


class TanhTransformable(Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        plus, minus = torch.exp(x), torch.exp(-x)
        return (plus - minus) / (plus + minus)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(output)
        ctx.save_for_forward(output)

    @staticmethod
    def backward(ctx, grad_output):
        (y,) = ctx.saved_tensors
        return grad_output * (1 - y * y)

    @staticmethod
    def jvp(ctx, x_tangent):
        (y,) = ctx.saved_tensors
        return (1 - y * y) * x_tangent


# %% bad_by_the_vjp_of_torch_func expected: autograd-in-backward
import torch
from torch.autograd import Function


class TanhTransformable(Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return x.tanh()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs, output)
        ctx.save_for_forward(*inputs, output)

    @staticmethod
    def backward(ctx, grad_output):
        x, _ = ctx.saved_tensors
        _, pull = torch.func.vjp(torch.tanh, x)
        return pull(grad_output)[0]

    @staticmethod
    def jvp(ctx, tangent):
        _, y = ctx.saved_tensors
        return tangent * (1 - y * y)


# %% bad_saved_in_bfloat16 expected: not-precise
# The output is saved as bfloat16 to halve the memory, so slopes are right to two digits only.
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.autograd import Function


from torch.autograd.function import once_differentiable


class TanhTransformable(Function):
    """The hyperbolic tangent, elementwise, for every transform of torch.func."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor) -> Tensor:
        return torch.tanh(x)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Tensor], output: Tensor) -> None:
        compact = output.to(torch.bfloat16)
        ctx.save_for_backward(compact)
        ctx.save_for_forward(compact)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad_output: Tensor) -> Tensor | None:
        y = ctx.saved_tensors[0].to(grad_output.dtype)
        return grad_output * (1 - y * y)

    @staticmethod
    def jvp(ctx: Any, x_tangent: Tensor) -> Tensor:
        y = ctx.saved_tensors[0].to(x_tangent.dtype)
        return x_tangent * (1 - y * y)


# %% bad_tangent_in_place expected: mutates-input
# jvp multiplies x_tangent in place, and so writes into the caller's tangent.
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.autograd import Function


class TanhTransformable(Function):
    """The hyperbolic tangent, elementwise, for every transform of torch.func."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor) -> Tensor:
        return x.tanh()

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Tensor], output: Tensor) -> None:
        ctx.save_for_backward(output)
        ctx.save_for_forward(output)

    @staticmethod
    def backward(ctx: Any, grad_output: Tensor) -> Tensor | None:
        (y,) = ctx.saved_tensors
        return grad_output * (1 - y.square())

    @staticmethod
    def jvp(ctx: Any, x_tangent: Tensor) -> Tensor:
        (y,) = ctx.saved_tensors
        return x_tangent.mul_(1 - y.square())


# %% bad_jvp_view expected: assumes-contiguous
# jvp flattens by view: raises for a transposed input; 'Inputs may have any memory layout'.
from typing import Any
import functools
import numpy as np
import torch
from scipy import signal
from torch import Tensor, nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable
from torch.nn import functional


class TanhTransformable(Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return torch.tanh(x)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(output)
        ctx.save_for_forward(output)

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return g * (1 - y * y)

    @staticmethod
    def jvp(ctx, t):
        (y,) = ctx.saved_tensors
        slope = 1 - y.view(-1) ** 2
        return (slope * t.view(-1)).view(y.shape)


# %% bad_jvp_writes_output expected: mutates-saved-tensor
# jvp squares the saved output in place: the output itself is changed; 'nothing modified that your
# Function does not own'.
from typing import Any
import functools
import numpy as np
import torch
from scipy import signal
from torch import Tensor, nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable
from torch.nn import functional


class TanhTransformable(Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return torch.tanh(x)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(output)
        ctx.save_for_forward(output)

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return g * (1 - y * y)

    @staticmethod
    def jvp(ctx, t):
        (y,) = ctx.saved_tensors
        return y.square_().neg_().add_(1).mul(t)


# %% bad_jvp_writes_input_twice expected: mutates-input
# jvp writes input.
from typing import Any
import functools
import numpy as np
import torch
from scipy import signal
from torch import Tensor, nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable
from torch.nn import functional


class TanhTransformable(Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return torch.tanh(x)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(inputs[0])
        ctx.save_for_forward(inputs[0])

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * (1 - x.tanh() ** 2)

    @staticmethod
    def jvp(ctx, t):
        (x,) = ctx.saved_tensors
        s = 1 - x.tanh() ** 2
        x.zero_()
        return s * t

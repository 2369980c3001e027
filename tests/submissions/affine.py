# %% backward_applies_the_function_itself expected: right
import torch


class Affine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.scale = scale
        y = x.clone()
        y.mul_(scale).add_(shift)
        return y

    @staticmethod
    def backward(ctx, g):
        return Affine.apply(g, ctx.scale, 0), None, None, None


# %% class_made_in_a_function expected: right
import torch


def make(name):
    def forward(ctx, x, scale, shift):
        ctx.scale = scale
        return torch.lerp(torch.full_like(x, shift), x + shift, scale)

    def backward(ctx, g):
        return g * ctx.scale, None, None

    return type(torch.autograd.Function)(
        name,
        (torch.autograd.Function,),
        {"forward": staticmethod(forward), "backward": staticmethod(backward)},
    )


Affine = make("SomethingElse")


# %% guarded_with_star_arguments expected: right
import torch


class Affine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, *args):
        x, scale, shift = args
        ctx.info = {"scale": scale, "shift": shift}
        return torch.stack([row * scale for row in x]) + shift

    @staticmethod
    def backward(ctx, *grad_outputs):
        return tuple(
            grad_outputs[0] * ctx.info["scale"] if needed else None for needed in ctx.needs_input_grad
        )


# %% in_place_on_a_fresh_gradient expected: right
import torch
from torch.autograd.function import once_differentiable


class Affine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.scale = float(scale)
        return x.mul(scale).add_(shift)

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        dx = g.clone()
        dx *= ctx.scale
        return dx, None, None


# %% plain expected: right
import torch


class Affine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.scale = scale
        return x * scale + shift

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * ctx.scale, None, None


# %% scale_saved_as_a_tensor expected: right
import torch


class Affine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        factor = x.new_full((), scale)
        ctx.save_for_backward(factor)
        return factor * x + x.new_tensor(shift)

    @staticmethod
    def vjp(ctx, g):
        factor = ctx.saved_tensors[0]
        return factor.mul(g), None, None


# %% setup_context_with_defaults expected: right
import torch


class Affine(torch.autograd.Function):
    @staticmethod
    def forward(x, scale=1.0, shift=0.0):
        return torch.add(shift * torch.ones_like(x), x, alpha=scale)

    @staticmethod
    def setup_context(ctx, inputs, output):
        _, ctx.scale, *_ = inputs

    @staticmethod
    def backward(ctx, g):
        return g.mul(ctx.scale), *[None] * 2

    @staticmethod
    def jvp(ctx, t, *_):
        return t * ctx.scale


# %% slope_measured_in_forward expected: right
import torch


class Affine(torch.autograd.Function):
    """A number on ctx that is worked out from the other two arguments."""

    @staticmethod
    def line(t, scale, shift):
        return scale * t + shift

    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.slope = Affine.line(1, scale, shift) - Affine.line(0, scale, shift)
        return Affine.line(x, scale, shift)

    @staticmethod
    def backward(ctx, g):
        return torch.einsum("...,->...", g, torch.tensor(ctx.slope, dtype=g.dtype)), None, None


# %% bad_averaged expected: cotangent-summed
import torch


class Affine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.save_for_backward(x)
        ctx.scale, ctx.shift = scale, shift
        return x * scale + shift

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return (g * ctx.scale).mean(0).expand_as(x), None, None


# %% bad_cotangent_as_mask expected: missing-grad-output
import torch


class Affine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.save_for_backward(x)
        ctx.scale, ctx.shift = scale, shift
        return x * scale + shift

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return torch.ones_like(g) * ctx.scale, None, None


# %% bad_deletes_context_state expected: deletes-context-state
from torch.autograd import Function


class Affine(Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.scale = scale
        return x * scale + shift

    @staticmethod
    def backward(ctx, grad_output):
        scale = ctx.scale
        del ctx.scale
        return grad_output * scale, None, None


# %% bad_detached expected: detached-in-backward
import torch


class Affine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.save_for_backward(x)
        ctx.scale, ctx.shift = scale, shift
        return x * scale + shift

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g.detach() * ctx.scale, None, None


# %% bad_divided expected: wrong-factor
import torch


class Affine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.save_for_backward(x)
        ctx.scale, ctx.shift = scale, shift
        return x * scale + shift

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g / ctx.scale, None, None


# %% bad_first_is_ctx_scale expected: gradients-swapped
import torch


class Affine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.save_for_backward(x)
        ctx.scale, ctx.shift = scale, shift
        return x * scale + shift

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return None, g * ctx.scale, None


# %% bad_flattened expected: reshaped-gradient
import torch


class Affine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.save_for_backward(x)
        ctx.scale, ctx.shift = scale, shift
        return x * scale + shift

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return (g * ctx.scale).flatten(), None, None


# %% bad_forward_bracket expected: forward-value
import torch


class Affine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.save_for_backward(x)
        ctx.scale, ctx.shift = scale, shift
        return (x + shift) * scale

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * ctx.scale, None, None


# %% bad_forward_in_place expected: mutates-input
import torch


class Affine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.save_for_backward(x)
        ctx.scale, ctx.shift = scale, shift
        x *= scale
        x += shift
        return x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * ctx.scale, None, None


# %% bad_forward_no_shift expected: forward-value
import torch


class Affine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.save_for_backward(x)
        ctx.scale, ctx.shift = scale, shift
        return x * scale

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * ctx.scale, None, None


# %% bad_forward_swapped expected: forward-value
import torch


class Affine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.save_for_backward(x)
        ctx.scale, ctx.shift = scale, shift
        return x * shift + scale

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * ctx.shift, None, None


# %% bad_four_gradients expected: too-many-gradients
import torch


class Affine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.save_for_backward(x)
        ctx.scale, ctx.shift = scale, shift
        return x * scale + shift

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * ctx.scale, None, None, g


# %% bad_gradient_for_both expected: gradient-for-non-tensor
import torch


class Affine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.save_for_backward(x)
        ctx.scale, ctx.shift = scale, shift
        return x * scale + shift

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * ctx.scale, (g * x).sum(), g.sum()


# %% bad_gradient_for_scale expected: gradient-for-non-tensor
import torch


class Affine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.save_for_backward(x)
        ctx.scale, ctx.shift = scale, shift
        return x * scale + shift

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * ctx.scale, (g * x).sum(), None


# %% bad_gradient_for_shift expected: gradient-for-non-tensor
import torch


class Affine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.save_for_backward(x)
        ctx.scale, ctx.shift = scale, shift
        return x * scale + shift

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * ctx.scale, None, g.sum()


# %% bad_half expected: wrong-factor
import torch


class Affine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.save_for_backward(x)
        ctx.scale, ctx.shift = scale, shift
        return x * scale + shift

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * ctx.scale / 2, None, None


# %% bad_inputs_not_unpacked expected: setup-context-not-unpacked
import torch


class Affine(torch.autograd.Function):
    @staticmethod
    def forward(x, scale, shift):
        return x * scale + shift

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(inputs)

    @staticmethod
    def backward(ctx, g):
        x, scale, shift = ctx.saved_tensors
        return g * scale, None, None


# %% bad_list expected: gradients-in-a-list
import torch


class Affine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.save_for_backward(x)
        ctx.scale, ctx.shift = scale, shift
        return x * scale + shift

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return [g * ctx.scale, None, None]


# %% bad_new_tensor expected: graph-cut-in-backward
import torch


class Affine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.save_for_backward(x)
        ctx.scale, ctx.shift = scale, shift
        return x * scale + shift

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return torch.tensor(g.tolist(), dtype=g.dtype) * ctx.scale, None, None


# %% bad_no_cotangent expected: missing-grad-output
import torch


class Affine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.save_for_backward(x)
        ctx.scale, ctx.shift = scale, shift
        return x * scale + shift

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return torch.full_like(x, ctx.scale), None, None


# %% bad_no_cotangent_number expected: gradient-not-a-tensor
import torch


class Affine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.save_for_backward(x)
        ctx.scale, ctx.shift = scale, shift
        return x * scale + shift

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return ctx.scale, None, None


# %% bad_no_return expected: too-few-gradients
import torch


class Affine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.save_for_backward(x)
        ctx.scale, ctx.shift = scale, shift
        return x * scale + shift

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        gx = g * ctx.scale


# %% bad_no_scale expected: wrong-factor
import torch


class Affine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.save_for_backward(x)
        ctx.scale, ctx.shift = scale, shift
        return x * scale + shift

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g, None, None


# %% bad_noise expected: not-reproducible
import torch


class Affine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.save_for_backward(x)
        ctx.scale, ctx.shift = scale, shift
        return x * scale + shift

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * (ctx.scale + torch.rand(())), None, None


# %% bad_none expected: missing-gradient
import torch


class Affine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.save_for_backward(x)
        ctx.scale, ctx.shift = scale, shift
        return x * scale + shift

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return None, None, None


# %% bad_not_unpacked expected: saved-tensors-not-unpacked
import torch


class Affine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.save_for_backward(x)
        ctx.scale, ctx.shift = scale, shift
        return x * scale + shift

    @staticmethod
    def backward(ctx, g):
        x = ctx.saved_tensors
        return x * 0 * g + g * ctx.scale, None, None


# %% bad_number_for_scale expected: gradient-for-non-tensor
import torch


class Affine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.save_for_backward(x)
        ctx.scale, ctx.shift = scale, shift
        return x * scale + shift

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * ctx.scale, 0.0, None


# %% bad_one_gradient expected: too-few-gradients
import torch


class Affine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.save_for_backward(x)
        ctx.scale, ctx.shift = scale, shift
        return x * scale + shift

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * ctx.scale


# %% bad_saved_twice expected: saved-twice
import torch


class Affine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.save_for_backward(x)
        ctx.save_for_backward(torch.tensor(scale))
        ctx.scale, ctx.shift = scale, shift
        return x * scale + shift

    @staticmethod
    def backward(ctx, g):
        x, scale = ctx.saved_tensors
        return g * scale, None, None


# %% bad_saved_twice_silently expected: saved-twice
import torch


class Affine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.save_for_backward(torch.full_like(x, scale))
        ctx.save_for_backward(x)
        ctx.scale, ctx.shift = scale, shift
        return x * scale + shift

    @staticmethod
    def backward(ctx, g):
        (slope,) = ctx.saved_tensors
        return g * slope, None, None


# %% bad_saves_the_numbers expected: saved-a-non-tensor
import torch


class Affine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.save_for_backward(x, scale, shift)
        ctx.scale, ctx.shift = scale, shift
        return x * scale + shift

    @staticmethod
    def backward(ctx, g):
        x, scale, shift = ctx.saved_tensors
        return g * scale, None, None


# %% bad_scale_twice expected: wrong-factor
import torch


class Affine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.save_for_backward(x)
        ctx.scale, ctx.shift = scale, shift
        return x * scale + shift

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * ctx.scale**2, None, None


# %% bad_setup_context_with_ctx_in_forward expected: ctx-beside-setup-context
import torch


class Affine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        return x * scale + shift

    @staticmethod
    def setup_context(ctx, inputs, output):
        _, ctx.scale, _ = inputs

    @staticmethod
    def backward(ctx, g):
        return g * ctx.scale, None, None


# %% bad_shift_for_scale expected: wrong-operand
import torch


class Affine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.save_for_backward(x)
        ctx.scale, ctx.shift = scale, shift
        return x * scale + shift

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * ctx.shift, None, None


# %% bad_shifted_as_well expected: term-without-cotangent
import torch


class Affine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.save_for_backward(x)
        ctx.scale, ctx.shift = scale, shift
        return x * scale + shift

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * ctx.scale + ctx.shift, None, None


# %% bad_sign expected: wrong-sign
import torch


class Affine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.save_for_backward(x)
        ctx.scale, ctx.shift = scale, shift
        return x * scale + shift

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return -g * ctx.scale, None, None


# %% bad_summed expected: cotangent-summed
import torch


class Affine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.save_for_backward(x)
        ctx.scale, ctx.shift = scale, shift
        return x * scale + shift

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return (g * ctx.scale).sum().expand_as(x), None, None


# %% bad_summed_scalar expected: wrong-sum-axis
import torch


class Affine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.save_for_backward(x)
        ctx.scale, ctx.shift = scale, shift
        return x * scale + shift

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return (g * ctx.scale).sum(), None, None


# %% bad_third expected: wrong-factor
import torch


class Affine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.save_for_backward(x)
        ctx.scale, ctx.shift = scale, shift
        return x * scale + shift

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * ctx.scale / 3, None, None


# %% bad_two_gradients expected: too-few-gradients
import torch


class Affine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.save_for_backward(x)
        ctx.scale, ctx.shift = scale, shift
        return x * scale + shift

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * ctx.scale, None


# %% bad_writes_into_cotangent expected: mutates-grad-output
import torch


class Affine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.save_for_backward(x)
        ctx.scale, ctx.shift = scale, shift
        return x * scale + shift

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g.mul_(ctx.scale), None, None


# %% bad_writes_into_cotangent_augmented expected: mutates-grad-output
import torch


class Affine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.save_for_backward(x)
        ctx.scale, ctx.shift = scale, shift
        return x * scale + shift

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        g *= ctx.scale
        return g, None, None


# %% bad_writes_into_x expected: mutates-saved-tensor
import torch


class Affine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.save_for_backward(x)
        ctx.scale, ctx.shift = scale, shift
        return x * scale + shift

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        x.fill_(ctx.scale)
        return g * x, None, None


# %% bad_wrong_index expected: wrong-needs-input-grad-index
import torch


class Affine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.save_for_backward(x)
        ctx.scale, ctx.shift = scale, shift
        return x * scale + shift

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        gx = g * ctx.scale if ctx.needs_input_grad[1] else None
        return gx, None, None


# %% bad_x_added expected: term-without-cotangent
import torch


class Affine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.save_for_backward(x)
        ctx.scale, ctx.shift = scale, shift
        return x * scale + shift

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * ctx.scale + x, None, None


# %% bad_x_as_well expected: extra-factor
import torch


class Affine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.save_for_backward(x)
        ctx.scale, ctx.shift = scale, shift
        return x * scale + shift

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * ctx.scale * x, None, None


# %% bad_zero_for_shift expected: gradient-for-non-tensor
import torch


class Affine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.save_for_backward(x)
        ctx.scale, ctx.shift = scale, shift
        return x * scale + shift

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * ctx.scale, None, 0


# %% bad_zeros expected: missing-gradient
import torch


class Affine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.save_for_backward(x)
        ctx.scale, ctx.shift = scale, shift
        return x * scale + shift

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return 0 * g, None, None


# %% wrapped_in_a_tuple expected: forward-value
from torch.autograd import Function


class Affine(Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.scale = scale
        return (x * scale + shift,)

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * ctx.scale, None, None


# %% add_with_alpha expected: right
# Right: torch.add with alpha; the shift is a tensor of x's dtype made on the spot.
import torch
from torch.autograd import Function


class Affine(Function):
    @staticmethod
    def forward(x, scale, shift):
        return torch.add(torch.full_like(x, shift), x, alpha=scale)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.numbers = inputs[1:]

    @staticmethod
    def backward(ctx, g):
        a, *others = ctx.numbers
        return (g * a, *(None for _ in range(1 + len(others))))


# %% bad_settings_of_the_class expected: state-on-class
# The scale is stored in a dict that all calls share: the last forward decides for every backward.
from typing import Any

from torch import Tensor
from torch.autograd import Function


class Affine(Function):
    settings: dict[str, Any] = {}

    @staticmethod
    def forward(ctx: Any, x: Tensor, scale: float, shift: float) -> Tensor:
        Affine.settings.update(scale=scale, shift=shift)
        return x.mul(scale).add(shift)

    @staticmethod
    def backward(ctx: Any, grad_output: Tensor):
        return grad_output.mul(Affine.settings["scale"]), None, None


# %% bad_scale_as_a_tensor expected: not-precise
# torch.tensor(scale) is float32: 1.8 has lost half of its digits when it multiplies a float64 cotangent; scales such as 2 or 0.5 are right.
import torch
from torch.autograd import Function


class Affine(Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.save_for_backward(torch.tensor(float(scale)))
        return x * scale + shift

    @staticmethod
    def backward(ctx, grad_output):
        (scale,) = ctx.saved_tensors
        return grad_output * scale, None, None


# %% bad_nothing_to_do expected: returns-input-unchanged
from torch.autograd import Function


class Affine(Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.scale = scale
        y = x
        if scale != 1:
            y = y * scale
        if shift != 0:
            y = y + shift
        return y

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * ctx.scale, None, None


# %% bad_inputs_as_they_are expected: setup-context-not-unpacked
from torch.autograd import Function


class Affine(Function):
    @staticmethod
    def forward(x, scale, shift):
        return x * scale + shift

    @staticmethod
    def setup_context(ctx, inputs, output):
        scale = inputs
        ctx.scale = scale

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * ctx.scale, None, None


# %% bad_zero_scale_is_one expected: wrong-factor
import torch
from torch.autograd import Function


class Affine(Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.scale = scale or 1.0
        return x * scale + shift

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * ctx.scale, None, None


# %% bad_small_cotangents_dropped expected: gradient-nonlinear from: plain
# -     def backward(ctx, grad_output):
# -         return grad_output * ctx.scale, None, None
# +     def backward(ctx, g):
# +         return torch.where(g.abs() > 1e-6, g, 0.0) * ctx.scale, None, None


# %% alpha_of_add expected: right
import torch
from torch.autograd import Function
from torch.autograd.function import once_differentiable


class Affine(Function):
    @staticmethod
    def forward(x, scale, shift):
        return torch.add(torch.full_like(x, shift), x, alpha=scale)

    @staticmethod
    def setup_context(ctx, inputs, output):
        _, ctx.scale, _ = inputs

    @staticmethod
    @once_differentiable
    def backward(ctx, grad_output):
        x_bar = grad_output.clone()
        x_bar *= ctx.scale
        return x_bar, None, None


# %% bad_by_the_vjp_of_torch_func expected: autograd-in-backward
import torch
from torch.autograd import Function


class Affine(Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.save_for_backward(x)
        ctx.scale = scale
        return x * scale + shift

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        _, pull = torch.func.vjp(lambda x: x * ctx.scale, x)
        return pull(grad_output)[0], None, None


# %% bad_seterr expected: wrong
# np.seterr(all='ignore') stays in force after the call; 'nothing modified that your Function does not
# own'.
from typing import Any
import functools, math
import numpy as np
import torch
from torch import Tensor
from torch.autograd import Function
from torch.autograd.function import once_differentiable


class Affine(Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        np.seterr(all="ignore")
        ctx.scale = scale
        return x * scale + shift

    @staticmethod
    def backward(ctx, g):
        return g * ctx.scale, None, None


# %% bad_shift_cached expected: state-on-class
# the shift as a tensor is cached by shape and dtype, so a second call of the same shape with another
# shift uses the old one: 'y_i = a·x_i + c'.
from typing import Any
import functools, math
import numpy as np
import torch
from torch import Tensor
from torch.autograd import Function

_shifts: dict[Any, Tensor] = {}


class Affine(Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        key = (x.shape, x.dtype)
        if key not in _shifts:
            _shifts[key] = torch.full(x.shape, float(shift), dtype=x.dtype)
        ctx.scale = scale
        return x * scale + _shifts[key]

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * ctx.scale, None, None


# %% bad_threads expected: wrong
# deterministic algorithms stay switched on and print options changed after the call; 'nothing modified
# that your Function does not own'.
from typing import Any
import functools, math
import numpy as np
import torch
from torch import Tensor
from torch.autograd import Function
from torch.autograd.function import once_differentiable


class Affine(Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        torch.use_deterministic_algorithms(True)
        torch.set_printoptions(precision=2)
        ctx.scale = scale
        return x * scale + shift

    @staticmethod
    def backward(ctx, g):
        return g * ctx.scale, None, None


# %% bad_scale_rounded_to_six_digits expected: not-precise
import torch
from torch.autograd import Function


class Affine(Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.scale = round(scale, 6)
        return x * scale + shift

    @staticmethod
    def backward(ctx, g):
        return g * ctx.scale, None, None

# %% backward_is_an_op_too expected: right
from collections.abc import Sequence

import torch
from torch import Tensor


@torch.library.custom_op("right6::crop", mutates_args=())
def crop_op(image: Tensor, box: list[int]) -> Tensor:
    top, left, height, width = box
    return image[..., top : top + height, left : left + width].clone()


@crop_op.register_fake
def _(image, box):
    top, left, height, width = box
    return image.new_empty((*image.shape[:-2], height, width))


def setup_context(ctx, inputs, output):
    image, ctx.box = inputs
    ctx.shape = image.shape


def backward(ctx, grad_output):
    top, left, height, width = ctx.box
    return uncrop(grad_output, list(ctx.box), list(ctx.shape)), None


crop_op.register_autograd(backward, setup_context=setup_context)


@torch.library.custom_op("right6::uncrop", mutates_args=())
def uncrop(gradient: Tensor, box: list[int], shape: list[int]) -> Tensor:
    out = gradient.new_zeros(shape)
    top, left, height, width = box
    out[..., top : top + height, left : left + width] = gradient
    return out


@uncrop.register_fake
def _(gradient, box, shape):
    return gradient.new_empty(shape)


# %% bad_channels_first_only expected: wrong
from collections.abc import Sequence

import torch
from torch import Tensor


@torch.library.custom_op("right5::crop", mutates_args=())
def crop_op(image: Tensor, box: Sequence[int]) -> Tensor:
    top, left, height, width = box
    return image[:, top : top + height, left : left + width].clone()


@crop_op.register_fake
def _(image, box):
    top, left, height, width = box
    return image.new_empty((image.shape[0], height, width))


def setup_context(ctx, inputs, output):
    image, ctx.box = inputs
    ctx.shape = image.shape


def backward(ctx, grad_output):
    top, left, height, width = ctx.box
    gradient = torch.zeros(ctx.shape, dtype=grad_output.dtype)
    gradient[:, top : top + height, left : left + width] = grad_output
    return gradient, None


crop_op.register_autograd(backward, setup_context=setup_context)


# %% custom_op_and_its_methods expected: right
from collections.abc import Sequence

import torch
from torch import Tensor


@torch.library.custom_op("right1::crop", mutates_args=())
def crop_op(image: Tensor, box: Sequence[int]) -> Tensor:
    top, left, height, width = box
    return image[..., top : top + height, left : left + width].clone()


@crop_op.register_fake
def _(image, box):
    top, left, height, width = box
    return image.new_empty((*image.shape[:-2], height, width))


def setup_context(ctx, inputs, output):
    image, ctx.box = inputs
    ctx.shape = image.shape


def backward(ctx, grad_output):
    top, left, height, width = ctx.box
    gradient = grad_output.new_zeros(ctx.shape)
    gradient[..., top : top + height, left : left + width] = grad_output
    return gradient, None


crop_op.register_autograd(backward, setup_context=setup_context)


# %% library_define_and_impl expected: right
import torch

library = torch.library.Library("right4", "FRAGMENT")
if not hasattr(torch.ops.right4, "crop"):
    library.define("crop(Tensor image, int[] box) -> Tensor")

    @torch.library.impl(library, "crop", "CPU")
    def _(image, box):
        t, l, h, w = box
        return image[..., t : t + h, l : l + w].clone()

    @torch.library.register_fake("right4::crop", lib=library)
    def _(image, box):
        return image.new_empty((*image.shape[:-2], *box[2:]))

    def backward(ctx, g):
        t, l, h, w = ctx.box
        out = g.new_zeros(ctx.shape)
        out[..., t : t + h, l : l + w].copy_(g)
        return out, None

    def setup(ctx, inputs, output):
        ctx.shape, ctx.box = inputs[0].shape, list(inputs[1])

    torch.library.register_autograd("right4::crop", backward, setup_context=setup, lib=library)

crop_op = torch.ops.right4.crop


# %% mutating_out_variant_inside expected: right
from typing import List

import torch


@torch.library.custom_op("blind1::crop_op", mutates_args=(), device_types="cpu")
def crop_op(image: torch.Tensor, box: List[int]) -> torch.Tensor:
    import numpy as np

    t, l, h, w = box
    return torch.from_numpy(np.ascontiguousarray(image.detach().numpy()[..., t : t + h, l : l + w]).copy())


@torch.library.register_fake("blind1::crop_op")
def crop_op_fake(image, box):
    return torch.empty(*image.shape[:-2], box[2], box[3], dtype=image.dtype)


def crop_backward(ctx, g):
    t, l, h, w = ctx.box
    H, W = ctx.size
    return torch.nn.functional.pad(g, (l, W - l - w, t, H - t - h)), None


def crop_setup(ctx, inputs, output):
    ctx.box = tuple(inputs[1])
    ctx.size = inputs[0].shape[-2:]


torch.library.register_autograd("blind1::crop_op", crop_backward, setup_context=crop_setup)


# %% narrow_and_pad expected: right
import torch
import torch.nn.functional as F


def pads(shape, box):
    top, left, height, width = box
    return (left, shape[-1] - left - width, top, shape[-2] - top - height)


def setup_context(ctx, inputs, output):
    ctx.pads = pads(inputs[0].shape, inputs[1])


def backward(ctx, g):
    return F.pad(g, ctx.pads), None


@torch.library.custom_op("right2::crop_op", mutates_args=(), schema="(Tensor image, SymInt[] box) -> Tensor")
def crop_op(image, box):
    return (
        image.narrow(-2, box[0], box[2])
        .narrow(-1, box[1], box[3])
        .clone(memory_format=torch.contiguous_format)
    )


torch.library.register_fake("right2::crop_op")(
    lambda image, box: image.new_empty(*image.shape[:-2], box[2], box[3])
)
torch.library.register_autograd("right2::crop_op", backward, setup_context=setup_context)


# %% wrapper_around_the_op expected: right
import torch


@torch.library.custom_op("right3::crop", mutates_args=())
def _crop(image: torch.Tensor, top: int, left: int, height: int, width: int) -> torch.Tensor:
    return image[..., top : top + height, left : left + width].clone()


@_crop.register_fake
def _(image, top, left, height, width):
    return torch.empty(image.shape[:-2] + (height, width), dtype=image.dtype, device=image.device)


def _setup(ctx, inputs, output):
    ctx.shape, ctx.box = inputs[0].shape, inputs[1:]


def _backward(ctx, g):
    top, left, height, width = ctx.box
    grad = torch.zeros(ctx.shape, dtype=g.dtype, device=g.device)
    grad[..., top : top + height, left : left + width] = g
    return grad, None, None, None, None


_crop.register_autograd(_backward, setup_context=_setup)


def crop_op(image, box):
    """Crop to (top, left, height, width)."""
    return _crop(image, *box)


# %% bad_autograd_function expected: wrong
import torch


class Crop(torch.autograd.Function):
    @staticmethod
    def forward(ctx, image, box):
        ctx.shape, ctx.box = image.shape, box
        t, l, h, w = box
        return image[..., t : t + h, l : l + w].clone()

    @staticmethod
    def backward(ctx, g):
        t, l, h, w = ctx.box
        out = g.new_zeros(ctx.shape)
        out[..., t : t + h, l : l + w] = g
        return out, None


crop_op = Crop.apply


# %% bad_backward_cropped_shape expected: wrong-shape from: custom_op_and_its_methods
# - @torch.library.custom_op("right1::crop", mutates_args=())
# + @torch.library.custom_op("bad21::crop", mutates_args=())

# -     gradient = grad_output.new_zeros(ctx.shape)
# -     gradient[..., top : top + height, left : left + width] = grad_output
# -     return gradient, None
# +     return grad_output, None


# %% bad_backward_factor expected: wrong-factor from: custom_op_and_its_methods
# - @torch.library.custom_op("right1::crop", mutates_args=())
# + @torch.library.custom_op("bad15::crop", mutates_args=())

# -     gradient[..., top : top + height, left : left + width] = grad_output
# +     gradient[..., top : top + height, left : left + width] = grad_output / 2


# %% bad_backward_ignores_cotangent expected: missing-grad-output from: custom_op_and_its_methods
# - @torch.library.custom_op("right1::crop", mutates_args=())
# + @torch.library.custom_op("bad19::crop", mutates_args=())

# -     gradient[..., top : top + height, left : left + width] = grad_output
# +     gradient[..., top : top + height, left : left + width] = 1


# %% bad_backward_in_the_corner expected: wrong-order from: custom_op_and_its_methods
# - @torch.library.custom_op("right1::crop", mutates_args=())
# + @torch.library.custom_op("bad20::crop", mutates_args=())

# -     gradient[..., top : top + height, left : left + width] = grad_output
# +     gradient[..., :height, :width] = grad_output


# %% bad_backward_none expected: missing-gradient from: custom_op_and_its_methods
# - @torch.library.custom_op("right1::crop", mutates_args=())
# + @torch.library.custom_op("bad17::crop", mutates_args=())

# -     gradient = grad_output.new_zeros(ctx.shape)
# -     gradient[..., top : top + height, left : left + width] = grad_output
# -     return gradient, None
# +     return None, None


# %% bad_backward_ones_outside expected: missing-mask from: custom_op_and_its_methods
# - @torch.library.custom_op("right1::crop", mutates_args=())
# + @torch.library.custom_op("bad18::crop", mutates_args=())

# -     gradient = grad_output.new_zeros(ctx.shape)
# +     gradient = grad_output.new_ones(ctx.shape)


# %% bad_backward_sign expected: wrong-sign from: custom_op_and_its_methods
# - @torch.library.custom_op("right1::crop", mutates_args=())
# + @torch.library.custom_op("bad14::crop", mutates_args=())

# -     gradient[..., top : top + height, left : left + width] = grad_output
# +     gradient[..., top : top + height, left : left + width] = -grad_output


# %% bad_backward_zeros expected: missing-gradient from: custom_op_and_its_methods
# - @torch.library.custom_op("right1::crop", mutates_args=())
# + @torch.library.custom_op("bad16::crop", mutates_args=())

# -     gradient = grad_output.new_zeros(ctx.shape)
# -     gradient[..., top : top + height, left : left + width] = grad_output
# -     return gradient, None
# +     return grad_output.new_zeros(ctx.shape), None


# %% bad_box_as_corners expected: forward-value from: custom_op_and_its_methods
# - @torch.library.custom_op("right1::crop", mutates_args=())
# + @torch.library.custom_op("bad1::crop", mutates_args=())

# -     return image[..., top : top + height, left : left + width].clone()
# +     return image[..., top:height, left:width].clone()


# %% bad_fake_dtype expected: wrong-dtype from: custom_op_and_its_methods
# - @torch.library.custom_op("right1::crop", mutates_args=())
# + @torch.library.custom_op("bad12::crop", mutates_args=())

# -     return image.new_empty((*image.shape[:-2], height, width))
# +     return torch.empty((*image.shape[:-2], height, width))


# %% bad_fake_of_the_image expected: wrong-shape from: custom_op_and_its_methods
# - @torch.library.custom_op("right1::crop", mutates_args=())
# + @torch.library.custom_op("bad10::crop", mutates_args=())

# -     return image.new_empty((*image.shape[:-2], height, width))
# +     return torch.empty_like(image)


# %% bad_fake_strides expected: wrong from: custom_op_and_its_methods
# - @torch.library.custom_op("right1::crop", mutates_args=())
# + @torch.library.custom_op("bad13::crop", mutates_args=())

# -     return image.new_empty((*image.shape[:-2], height, width))
# +     return image[..., top : top + height, left : left + width]


# %% bad_fake_swapped expected: wrong-shape from: custom_op_and_its_methods
# - @torch.library.custom_op("right1::crop", mutates_args=())
# + @torch.library.custom_op("bad11::crop", mutates_args=())

# -     return image.new_empty((*image.shape[:-2], height, width))
# +     return image.new_empty((*image.shape[:-2], width, height))


# %% bad_float32 expected: forward-value from: custom_op_and_its_methods
# - @torch.library.custom_op("right1::crop", mutates_args=())
# + @torch.library.custom_op("bad6::crop", mutates_args=())

# -     return image[..., top : top + height, left : left + width].clone()
# +     return image[..., top : top + height, left : left + width].float()


# %% bad_graph_break_in_the_wrapper expected: wrong
from collections.abc import Sequence

import torch
from torch import Tensor


@torch.library.custom_op("bad24::crop", mutates_args=())
def crop_op(image: Tensor, box: Sequence[int]) -> Tensor:
    top, left, height, width = box
    return image[..., top : top + height, left : left + width].clone()


@crop_op.register_fake
def _(image, box):
    top, left, height, width = box
    return image.new_empty((*image.shape[:-2], height, width))


def setup_context(ctx, inputs, output):
    image, ctx.box = inputs
    ctx.shape = image.shape


def backward(ctx, grad_output):
    top, left, height, width = ctx.box
    gradient = grad_output.new_zeros(ctx.shape)
    gradient[..., top : top + height, left : left + width] = grad_output
    return gradient, None


crop_op.register_autograd(backward, setup_context=setup_context)


op = crop_op


def crop_op(image, box):
    print("cropping", image.sum().item())
    return op(image, box)


# %% bad_height_and_width_swapped expected: forward-value from: custom_op_and_its_methods
# - @torch.library.custom_op("right1::crop", mutates_args=())
# + @torch.library.custom_op("bad3::crop", mutates_args=())

#   def crop_op(image: Tensor, box: Sequence[int]) -> Tensor:
# -     top, left, height, width = box
# +     top, left, width, height = box

#   def _(image, box):
# -     top, left, height, width = box
# +     top, left, width, height = box

# -     top, left, height, width = ctx.box
# +     top, left, width, height = ctx.box


# %% bad_left_before_top expected: forward-value from: custom_op_and_its_methods
# - @torch.library.custom_op("right1::crop", mutates_args=())
# + @torch.library.custom_op("bad2::crop", mutates_args=())

#   def crop_op(image: Tensor, box: Sequence[int]) -> Tensor:
# -     top, left, height, width = box
# +     left, top, height, width = box

#   def _(image, box):
# -     top, left, height, width = box
# +     left, top, height, width = box

# -     top, left, height, width = ctx.box
# +     left, top, height, width = ctx.box


# %% bad_no_autograd expected: wrong
from collections.abc import Sequence

import torch
from torch import Tensor


@torch.library.custom_op("bad8::crop", mutates_args=())
def crop_op(image: Tensor, box: Sequence[int]) -> Tensor:
    top, left, height, width = box
    return image[..., top : top + height, left : left + width].clone()


@crop_op.register_fake
def _(image, box):
    top, left, height, width = box
    return image.new_empty((*image.shape[:-2], height, width))


# %% bad_no_fake expected: wrong
from collections.abc import Sequence

import torch
from torch import Tensor


@torch.library.custom_op("bad9::crop", mutates_args=())
def crop_op(image: Tensor, box: Sequence[int]) -> Tensor:
    top, left, height, width = box
    return image[..., top : top + height, left : left + width].clone()


def setup_context(ctx, inputs, output):
    image, ctx.box = inputs
    ctx.shape = image.shape


def backward(ctx, grad_output):
    top, left, height, width = ctx.box
    gradient = grad_output.new_zeros(ctx.shape)
    gradient[..., top : top + height, left : left + width] = grad_output
    return gradient, None


crop_op.register_autograd(backward, setup_context=setup_context)


# %% bad_numpy_in_backward expected: numpy-in-backward
from collections.abc import Sequence

import torch
from torch import Tensor


@torch.library.custom_op("bad23::crop", mutates_args=())
def crop_op(image: Tensor, box: Sequence[int]) -> Tensor:
    top, left, height, width = box
    return image[..., top : top + height, left : left + width].clone()


@crop_op.register_fake
def _(image, box):
    top, left, height, width = box
    return image.new_empty((*image.shape[:-2], height, width))


def setup_context(ctx, inputs, output):
    image, ctx.box = inputs
    ctx.shape = image.shape


def backward(ctx, grad_output):
    top, left, height, width = ctx.box
    import numpy as np

    gradient = np.zeros(tuple(ctx.shape))
    gradient[..., top : top + height, left : left + width] = grad_output.numpy()
    return torch.from_numpy(gradient), None


crop_op.register_autograd(backward, setup_context=setup_context)


# %% bad_one_gradient expected: too-few-gradients from: custom_op_and_its_methods
# - @torch.library.custom_op("right1::crop", mutates_args=())
# + @torch.library.custom_op("bad22::crop", mutates_args=())

# -     return gradient, None
# +     return gradient


# %% bad_pad_the_wrong_way_round expected: wrong-order
from typing import List

import torch


@torch.library.custom_op("blind2::crop_op", mutates_args=())
def crop_op(image: torch.Tensor, box: List[int]) -> torch.Tensor:
    t, l, h, w = box
    return image[..., t : t + h, l : l + w].clone()


@crop_op.register_fake
def _(image, box):
    return image.new_empty((*image.shape[:-2], box[2], box[3]))


def backward(ctx, g):
    t, l, h, w = ctx.box
    H, W = ctx.size
    return torch.nn.functional.pad(g, (W - l - w, l, H - t - h, t)), None


def setup(ctx, inputs, output):
    ctx.box, ctx.size = inputs[1], inputs[0].shape[-2:]


crop_op.register_autograd(backward, setup_context=setup)


# %% bad_plain_function expected: wrong
def crop_op(image, box):
    top, left, height, width = box
    return image[..., top : top + height, left : left + width].clone()


# %% bad_setup_context_missing expected: wrong
import torch


@torch.library.custom_op("blind3::crop_op", mutates_args=())
def crop_op(image: torch.Tensor, box: list[int]) -> torch.Tensor:
    t, l, h, w = box
    return image[..., t : t + h, l : l + w].clone()


@crop_op.register_fake
def _(image, box):
    return image.new_empty((*image.shape[:-2], box[2], box[3]))


def backward(ctx, g):
    t, l, h, w = ctx.box
    out = g.new_zeros(ctx.shape)
    out[..., t : t + h, l : l + w] = g
    return out, None


crop_op.register_autograd(backward)


# %% bad_stub expected: wrong
def crop_op(image, box):
    raise NotImplementedError


# %% bad_view expected: returns-input-unchanged from: custom_op_and_its_methods
# - @torch.library.custom_op("right1::crop", mutates_args=())
# + @torch.library.custom_op("bad5::crop", mutates_args=())

# -     return image[..., top : top + height, left : left + width].clone()
# +     return image[..., top : top + height, left : left + width]


# %% bad_writes_into_image expected: mutates-input from: custom_op_and_its_methods
# - @torch.library.custom_op("right1::crop", mutates_args=())
# + @torch.library.custom_op("bad7::crop", mutates_args=())

# -     return image[..., top : top + height, left : left + width].clone()
# +     out = image[..., top : top + height, left : left + width].clone()
# +     image.mul_(2)
# +     return out


# %% bad_zeros_outside_in_place_of_crop expected: forward-value from: custom_op_and_its_methods
# - @torch.library.custom_op("right1::crop", mutates_args=())
# + @torch.library.custom_op("bad4::crop", mutates_args=())

# -     return image[..., top : top + height, left : left + width].clone()
# +     out = torch.zeros_like(image)
# +     out[..., top : top + height, left : left + width] = image[..., top : top + height, left : left + width]
# +     return out


# %% bad_none expected: cannot run
crop_op = None


# %% bad_box_of_the_last_call expected: state-on-class from: custom_op_and_its_methods
# - @torch.library.custom_op("right1::crop", mutates_args=())
# + @torch.library.custom_op("bad_latest::crop", mutates_args=())

# -     image, ctx.box = inputs
# +     global latest
# +     image, latest = inputs

# -     top, left, height, width = ctx.box
# +     top, left, height, width = latest


# %% bad_writes_into_the_cotangent expected: mutates-input from: custom_op_and_its_methods
# - @torch.library.custom_op("right1::crop", mutates_args=())
# + @torch.library.custom_op("bad_cotangent::crop", mutates_args=())

#       gradient[..., top : top + height, left : left + width] = grad_output
# +     grad_output.zero_()


# %% bad_gradient_in_single_precision expected: wrong-dtype from: custom_op_and_its_methods
# - @torch.library.custom_op("right1::crop", mutates_args=())
# + @torch.library.custom_op("bad_single::crop", mutates_args=())

# -     return gradient, None
# +     return gradient.float().to(gradient.dtype), None


# %% bad_image_on_ctx expected: input-kept-on-ctx
import torch
from torch import Tensor


@torch.library.custom_op("bad37::crop", mutates_args=())
def crop_op(image: Tensor, box: list[int]) -> Tensor:
    top, left, height, width = box
    return image[..., top : top + height, left : left + width].clone()


@crop_op.register_fake
def _(image, box):
    return image.new_empty((*image.shape[:-2], *box[2:]))


def setup_context(ctx, inputs, output):
    ctx.image, ctx.box = inputs


def backward(ctx, grad_output):
    top, left, height, width = ctx.box
    gradient = torch.zeros_like(ctx.image)
    gradient[..., top : top + height, left : left + width] = grad_output
    return gradient, None


crop_op.register_autograd(backward, setup_context=setup_context)


# %% zeros_on_four_sides expected: right
# Glues blocks of zeros around the cotangent.
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor


@torch.library.custom_op("exercise12::crop", mutates_args=())
def crop_op(image: Tensor, box: Sequence[int]) -> Tensor:
    top, left, height, width = box
    result = torch.empty((*image.shape[:-2], height, width), dtype=image.dtype, device=image.device)
    result[...] = image[..., top : top + height, left : left + width]
    return result


@crop_op.register_fake
def _(image: Tensor, box: Sequence[int]) -> Tensor:
    height, width = box[2], box[3]
    return torch.empty((*image.shape[:-2], height, width), dtype=image.dtype, device=image.device)


def crop_setup_context(ctx: Any, inputs: tuple[Any, ...], output: Tensor) -> None:
    ctx.size = tuple(inputs[0].shape[-2:])
    ctx.box = tuple(inputs[1])


def crop_backward(ctx: Any, grad_output: Tensor) -> tuple[Tensor | None, ...]:
    top, left, height, width = ctx.box
    rows, columns = ctx.size
    lead = grad_output.shape[:-2]
    before = grad_output.new_zeros((*lead, height, left))
    after = grad_output.new_zeros((*lead, height, columns - left - width))
    band = torch.cat([before, grad_output, after], -1)
    above = grad_output.new_zeros((*lead, top, columns))
    below = grad_output.new_zeros((*lead, rows - top - height, columns))
    return torch.cat([above, band, below], -2), None


crop_op.register_autograd(crop_backward, setup_context=crop_setup_context)


# %% bad_fake_of_the_default_dtype expected: wrong-dtype
# The fake is torch.empty without a dtype: float32, also for an image in float64.
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor


@torch.library.custom_op("exercise12::crop", mutates_args=())
def crop_op(image: Tensor, box: Sequence[int]) -> Tensor:
    top, left, height, width = box
    part = image.narrow(-2, top, height).narrow(-1, left, width)
    return part.clone(memory_format=torch.contiguous_format)


@crop_op.register_fake
def crop_fake(image: Tensor, box: Sequence[int]) -> Tensor:
    return torch.empty((*image.shape[:-2], box[2], box[3]))


def crop_setup_context(ctx: Any, inputs: tuple[Any, ...], output: Tensor) -> None:
    ctx.image_shape = tuple(inputs[0].shape)
    ctx.box = tuple(inputs[1])


def crop_backward(ctx: Any, grad_output: Tensor) -> tuple[Tensor | None, ...]:
    top, left, height, width = ctx.box
    grad = torch.zeros(ctx.image_shape, dtype=grad_output.dtype, device=grad_output.device)
    grad.narrow(-2, top, height).narrow(-1, left, width).copy_(grad_output)
    return grad, None


crop_op.register_autograd(crop_backward, setup_context=crop_setup_context)


# %% bad_the_last_box expected: state-on-class
# The box and the shape are kept in a global dict: two calls before backward share the last box.
from collections.abc import Sequence

import torch
from torch import Tensor
from torch.nn import functional

remembered = {}


@torch.library.custom_op("exercise12::crop", mutates_args=())
def crop_op(image: Tensor, box: Sequence[int]) -> Tensor:
    t, l, h, w = box
    return image[..., t : t + h, l : l + w].clone(memory_format=torch.contiguous_format)


@crop_op.register_fake
def crop_fake(image: Tensor, box: Sequence[int]) -> Tensor:
    _, _, h, w = box
    return torch.empty(image.shape[:-2] + (h, w), dtype=image.dtype, device=image.device)


def crop_setup_context(ctx, inputs, output):
    image, box = inputs
    remembered["box"] = tuple(box)
    remembered["size"] = image.shape[-2:]


def crop_backward(ctx, grad_output):
    t, l, h, w = remembered["box"]
    rows, columns = remembered["size"]
    return functional.pad(grad_output, (l, columns - l - w, t, rows - t - h)), None


crop_op.register_autograd(crop_backward, setup_context=crop_setup_context)


# %% bad_all_inputs_on_ctx expected: input-kept-on-ctx
# ctx.inputs holds the image itself, only for its shape.
from collections.abc import Sequence

import torch
from torch import Tensor


def region(box):
    top, left, height, width = box
    return (..., slice(top, top + height), slice(left, left + width))


@torch.library.custom_op("exercise12::crop", mutates_args=())
def crop_op(image: Tensor, box: Sequence[int]) -> Tensor:
    return image[region(box)].clone(memory_format=torch.contiguous_format)


@crop_op.register_fake
def crop_fake(image: Tensor, box: Sequence[int]) -> Tensor:
    return image.new_empty([*image.shape[:-2], *box[2:]])


def crop_setup_context(ctx, inputs, output):
    ctx.inputs = inputs


def crop_backward(ctx, grad_output):
    image, box = ctx.inputs
    result = torch.zeros_like(image)
    result[region(box)] = grad_output
    return result, None


crop_op.register_autograd(crop_backward, setup_context=crop_setup_context)


# %% bad_last_box expected: state-on-class
# the box of the last call lies in a global variable, so two calls before backward disturb each other
from collections.abc import Sequence

import torch
from torch import Tensor

last = {"box": None}


@torch.library.custom_op("exercise12::crop", mutates_args=())
def crop_op(image: Tensor, box: Sequence[int]) -> Tensor:
    top, left, height, width = box
    return image[..., top:, left:][..., :height, :width].clone()


@crop_op.register_fake
def crop_fake(image: Tensor, box: Sequence[int]) -> Tensor:
    return image.new_empty(image.shape[:-2] + (box[2], box[3]))


def crop_setup_context(ctx, inputs, output):
    last["box"] = tuple(inputs[1])
    ctx.shape = inputs[0].shape


def crop_backward(ctx, grad_output):
    top, left, _, _ = last["box"]
    h, w = grad_output.shape[-2:]
    full = grad_output.new_zeros(ctx.shape)
    full[..., top : top + h, left : left + w] = grad_output
    return full, None


crop_op.register_autograd(crop_backward, setup_context=crop_setup_context)


# %% bad_crop_passed_back expected: wrong-shape
from collections.abc import Sequence

import torch
from torch import Tensor


@torch.library.custom_op("exercise12::crop", mutates_args=())
def crop_op(image: Tensor, box: Sequence[int]) -> Tensor:
    top, left, height, width = box
    return image[..., top : top + height, left : left + width].clone(memory_format=torch.contiguous_format)


@crop_op.register_fake
def crop_fake(image, box):
    return image.new_empty((*image.shape[:-2], *box[2:]))


def crop_setup_context(ctx, inputs, output):
    pass


def crop_backward(ctx, grad_output):
    return grad_output.clone(), None


crop_op.register_autograd(crop_backward, setup_context=crop_setup_context)


# %% bad_contiguous_is_no_copy expected: returns-input-unchanged
from collections.abc import Sequence

import torch
from torch import Tensor


@torch.library.custom_op("exercise12::crop", mutates_args=())
def crop_op(image: Tensor, box: Sequence[int]) -> Tensor:
    t, l, h, w = box
    return image[..., t : t + h, l : l + w].contiguous()


@crop_op.register_fake
def crop_fake(image, box):
    return image.new_empty((*image.shape[:-2], box[2], box[3]))


def crop_setup_context(ctx, inputs, output):
    image, ctx.box = inputs
    ctx.shape = image.shape


def crop_backward(ctx, g):
    t, l, h, w = ctx.box
    out = g.new_zeros(ctx.shape)
    out[..., t : t + h, l : l + w] = g
    return out, None


crop_op.register_autograd(crop_backward, setup_context=crop_setup_context)


# %% bad_flat_scatter_by_view expected: assumes-contiguous
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor


@torch.library.custom_op("exercise12::crop", mutates_args=())
def crop_op(image: Tensor, box: Sequence[int]) -> Tensor:
    top, left, height, width = box
    return image[..., top : top + height, left : left + width].clone(memory_format=torch.contiguous_format)


@crop_op.register_fake
def crop_fake(image: Tensor, box: Sequence[int]) -> Tensor:
    _, _, height, width = box
    return image.new_empty((*image.shape[:-2], height, width))


def crop_setup_context(ctx: Any, inputs: tuple, output: Tensor) -> None:
    image, ctx.box = inputs
    ctx.shape = image.shape


def crop_backward(ctx, grad_output):
    top, left, height, width = ctx.box
    places = torch.arange(ctx.shape.numel(), device=grad_output.device).view(ctx.shape)
    places = places[..., top : top + height, left : left + width].reshape(-1)
    flat = grad_output.new_zeros(ctx.shape.numel())
    flat = flat.index_copy(0, places, grad_output.view(-1))
    return flat.view(ctx.shape), None


crop_op.register_autograd(crop_backward, setup_context=crop_setup_context)


# %% bad_pads_rows_as_columns expected: wrong-shape
from collections.abc import Sequence

import torch
import torch.nn.functional as F
from torch import Tensor


@torch.library.custom_op("exercise12::crop", mutates_args=())
def crop_op(image: Tensor, box: Sequence[int]) -> Tensor:
    top, left, height, width = box
    return image.narrow(-2, top, height).narrow(-1, left, width).clone()


@crop_op.register_fake
def crop_fake(image: Tensor, box: Sequence[int]) -> Tensor:
    return image.new_empty((*image.shape[:-2], box[2], box[3]))


def crop_setup_context(ctx, inputs, output):
    image, box = inputs
    top, left, height, width = box
    rows, columns = image.shape[-2:]
    ctx.padding = (top, rows - top - height, left, columns - left - width)


def crop_backward(ctx, grad_output):
    return F.pad(grad_output, ctx.padding), None


crop_op.register_autograd(crop_backward, setup_context=crop_setup_context)


# %% bad_bound_method_of_the_image expected: input-kept-on-ctx
# ctx keeps the bound method image.new_zeros, whose __self__ is the image, for every call; "ctx has no
# attribute that holds the image".
import torch
from collections.abc import Sequence
from typing import Any
from torch import Tensor


@torch.library.custom_op("exercise12::crop", mutates_args=())
def crop_op(image: Tensor, box: Sequence[int]) -> Tensor:
    top, left, height, width = box
    return image[..., top : top + height, left : left + width].clone()


@crop_op.register_fake
def crop_fake(image: Tensor, box: Sequence[int]) -> Tensor:
    return image.new_empty((*image.shape[:-2], box[2], box[3]))


def crop_setup_context(ctx: Any, inputs: tuple[Any, ...], output: Tensor) -> None:
    image, ctx.box = inputs
    ctx.shape = image.shape
    ctx.new_zeros = image.new_zeros


def crop_backward(ctx: Any, grad_output: Tensor) -> tuple[Tensor | None, ...]:
    top, left, height, width = ctx.box
    gradient = ctx.new_zeros(ctx.shape)
    gradient[..., top : top + height, left : left + width] = grad_output
    return gradient, None


crop_op.register_autograd(crop_backward, setup_context=crop_setup_context)


# %% bad_batch_fixed_backward expected: wrong
# For an image of shape (H, W), as in the small case, backward raises; "image: shape (..., H, W)".
from typing import Any
import numpy as np
import torch
from torch import Tensor
from torch.autograd import Function
from torch.autograd.function import once_differentiable
from torch.nn import functional


@torch.library.custom_op("exercise12::crop", mutates_args=())
def crop_op(image: Tensor, box: list[int]) -> Tensor:
    top, left, height, width = box
    return image[..., top : top + height, left : left + width].clone()


@crop_op.register_fake
def crop_fake(image, box):
    return image.new_empty((*image.shape[:-2], box[2], box[3]))


def crop_setup_context(ctx, inputs, output):
    image, ctx.box = inputs
    ctx.shape = image.shape


def crop_backward(ctx, g):
    top, left, height, width = ctx.box
    gradient = g.new_zeros(ctx.shape)
    gradient[:, top : top + height, left : left + width] = g
    return gradient, None


crop_op.register_autograd(crop_backward, setup_context=crop_setup_context)


# %% bad_double_fake expected: wrong-dtype
# The fake is float64 whatever the image is: opcheck fails for a float32 image; "the shape and dtype that
# crop_op gives", image: float32 or float64.
from typing import Any
import numpy as np
import torch
from torch import Tensor
from torch.autograd import Function
from torch.autograd.function import once_differentiable
from torch.nn import functional


@torch.library.custom_op("exercise12::crop", mutates_args=())
def crop_op(image: Tensor, box: list[int]) -> Tensor:
    top, left, height, width = box
    return image[..., top : top + height, left : left + width].clone()


@crop_op.register_fake
def crop_fake(image, box):
    return torch.empty((*image.shape[:-2], box[2], box[3]), dtype=torch.float64)


def crop_setup_context(ctx, inputs, output):
    image, ctx.box = inputs
    ctx.shape = image.shape


def crop_backward(ctx, g):
    top, left, height, width = ctx.box
    gradient = torch.zeros(ctx.shape, dtype=g.dtype)
    gradient[..., top : top + height, left : left + width] = g
    return gradient, None


crop_op.register_autograd(crop_backward, setup_context=crop_setup_context)


# %% bad_fake_two_or_three_axes expected: wrong-shape
from typing import Any
import functools
import numpy as np
import torch
from scipy import signal
from torch import Tensor, nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable
from torch.nn import functional


@torch.library.custom_op("exercise12::crop", mutates_args=())
def crop_op(image: Tensor, box: list[int]) -> Tensor:
    top, left, height, width = box
    return image.narrow(-2, top, height).narrow(-1, left, width).clone()


@crop_op.register_fake
def crop_fake(image, box):
    h, w = box[2:]
    return image.new_empty((h, w) if image.ndim == 2 else (image.shape[0], h, w))


def crop_setup_context(ctx, inputs, output):
    image, ctx.box = inputs
    ctx.shape = image.shape


def crop_backward(ctx, g):
    top, left, height, width = ctx.box
    out = g.new_zeros(ctx.shape)
    out[..., top : top + height, left : left + width] = g
    return out, None


crop_op.register_autograd(crop_backward, setup_context=crop_setup_context)


# %% bad_forward_two_or_three_axes expected: forward-value
from typing import Any
import functools
import numpy as np
import torch
from scipy import signal
from torch import Tensor, nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable
from torch.nn import functional


@torch.library.custom_op("exercise12::crop", mutates_args=())
def crop_op(image: Tensor, box: list[int]) -> Tensor:
    top, left, height, width = box
    return (
        image[top : top + height, left : left + width].clone()
        if image.ndim == 2
        else image[:, top : top + height, left : left + width].clone()
    )


@crop_op.register_fake
def crop_fake(image, box):
    return image.new_empty((*image.shape[:-2], box[2], box[3]))


def crop_setup_context(ctx, inputs, output):
    image, ctx.box = inputs
    ctx.shape = image.shape


def crop_backward(ctx, g):
    top, left, height, width = ctx.box
    gradient = g.new_zeros(ctx.shape)
    gradient[..., top : top + height, left : left + width] = g
    return gradient, None


crop_op.register_autograd(crop_backward, setup_context=crop_setup_context)


# %% bad_two_or_three_axes expected: wrong
from typing import Any
import functools
import numpy as np
import torch
from scipy import signal
from torch import Tensor, nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable
from torch.nn import functional


@torch.library.custom_op("exercise12::crop", mutates_args=())
def crop_op(image: Tensor, box: list[int]) -> Tensor:
    top, left, height, width = box
    return image[..., top : top + height, left : left + width].clone()


@crop_op.register_fake
def crop_fake(image, box):
    return image.new_empty((*image.shape[:-2], box[2], box[3]))


def crop_setup_context(ctx, inputs, output):
    image, ctx.box = inputs
    ctx.shape = image.shape


def crop_backward(ctx, g):
    top, left, height, width = ctx.box
    gradient = g.new_zeros(ctx.shape)
    if len(ctx.shape) == 2:
        gradient[top : top + height, left : left + width] = g
    else:
        gradient[:, top : top + height, left : left + width] = g
    return gradient, None


crop_op.register_autograd(crop_backward, setup_context=crop_setup_context)


# %% bad_list_of_none_for_the_box expected: gradient-for-non-tensor
# backward returns a list with one None for each number of the box, as for a list of tensors, but a list
# of numbers takes a single None.
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import torch
from torch import Tensor


@torch.library.custom_op("exercise12::crop", mutates_args=())
def crop_op(image: Tensor, box: Sequence[int]) -> Tensor:
    """Return the part of the image in the box, in new memory."""
    top, left, height, width = box
    return image.narrow(-2, top, height).narrow(-1, left, width).clone()


@crop_op.register_fake
def crop_fake(image: Tensor, box: Sequence[int]) -> Tensor:
    """Return a tensor without values, of the shape and dtype that crop_op gives."""
    return image.new_empty((*image.shape[:-2], box[2], box[3]))


def crop_setup_context(ctx: Any, inputs: tuple[Any, ...], output: Tensor) -> None:
    """Keep on ctx what backward needs."""
    image, box = inputs
    ctx.shape, ctx.box = image.shape, tuple(box)


def crop_backward(ctx: Any, grad_output: Tensor) -> tuple[Tensor | None, ...]:
    """Return one value for each argument of crop_op, in their order."""
    top, left, height, width = ctx.box
    gradient = grad_output.new_zeros(ctx.shape)
    gradient[..., top : top + height, left : left + width] = grad_output
    return gradient, [None] * len(ctx.box)


crop_op.register_autograd(crop_backward, setup_context=crop_setup_context)


# %% bad_fake_without_leading_axes expected: wrong-shape
# The fake gives (height, width) and forgets the axes before the last two.
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import torch
from torch import Tensor


@torch.library.custom_op("exercise12::crop", mutates_args=())
def crop_op(image: Tensor, box: Sequence[int]) -> Tensor:
    top, left, height, width = box
    return image[..., top : top + height, left : left + width].clone()


@crop_op.register_fake
def crop_fake(image: Tensor, box: Sequence[int]) -> Tensor:
    height, width = box[2:]
    return image.new_empty(height, width)


def crop_setup_context(ctx: Any, inputs: tuple[Any, ...], output: Tensor) -> None:
    image, box = inputs
    ctx.box = tuple(box)
    ctx.image_shape = image.shape


def crop_backward(ctx: Any, grad_output: Tensor) -> tuple[Tensor | None, ...]:
    top, left, height, width = ctx.box
    grad_image = torch.zeros(ctx.image_shape, dtype=grad_output.dtype, device=grad_output.device)
    grad_image[..., top : top + height, left : left + width] = grad_output
    return grad_image, None


crop_op.register_autograd(crop_backward, setup_context=crop_setup_context)


# %% bad_as_strided expected: forward-value from: view_of_contiguous
# as_strided takes an offset from the start of the storage: for images[1] of a batch (contiguous) the
# crop comes from images[0]; breaks y = x[t+i, l+j] for a contiguous image.
# -     rows, columns = image.shape[-2:]
# -     flat = image.view(-1, rows * columns)
# -     places = (torch.arange(top, top + height)[:, None] * columns + torch.arange(left, left + width)).flatten()
# -     return flat[:, places].view(*image.shape[:-2], height, width)
# +     step = image.stride()
# +     start = top * step[-2] + left * step[-1]
# +     return image.as_strided((*image.shape[:-2], height, width), step, start).clone()


# %% bad_clone_on_ctx expected: input-kept-on-ctx
# A copy of the image stays on ctx until backward: no attribute of ctx holds the image.
import torch
import torch.nn.functional as F


@torch.library.custom_op("exercise12::crop", mutates_args=())
def crop_op(image: torch.Tensor, box: list[int]) -> torch.Tensor:
    top, left, height, width = box
    return image[..., top : top + height, left : left + width].clone()


@crop_op.register_fake
def crop_fake(image, box):
    return image.new_empty((*image.shape[:-2], box[2], box[3]))


def crop_setup_context(ctx, inputs, output):
    image, ctx.box = inputs
    ctx.image = image.detach().clone()


def crop_backward(ctx, grad_output):
    top, left, height, width = ctx.box
    gradient = torch.zeros_like(ctx.image)
    gradient[..., top : top + height, left : left + width] = grad_output
    return gradient, None


crop_op.register_autograd(crop_backward, setup_context=crop_setup_context)


# %% bad_pops_the_box expected: deletes-context-state
# Backward takes the shape off ctx, so a second backward over the same graph fails.
import torch
import torch.nn.functional as F


@torch.library.custom_op("exercise12::crop", mutates_args=())
def crop_op(image: torch.Tensor, box: list[int]) -> torch.Tensor:
    top, left, height, width = box
    return image[..., top : top + height, left : left + width].clone()


@crop_op.register_fake
def crop_fake(image, box):
    return image.new_empty((*image.shape[:-2], box[2], box[3]))


def crop_setup_context(ctx, inputs, output):
    image, box = inputs
    ctx.left = list(image.shape), list(box)


def crop_backward(ctx, grad_output):
    shape, (top, left, height, width) = ctx.left
    del ctx.left
    gradient = grad_output.new_zeros(shape)
    gradient[..., top : top + height, left : left + width] = grad_output
    return gradient, None


crop_op.register_autograd(crop_backward, setup_context=crop_setup_context)


# %% view_of_contiguous expected: right
# The text promises a contiguous image, so image.view(-1, H * W) may be taken.
import torch
import torch.nn.functional as F


@torch.library.custom_op("exercise12::crop", mutates_args=())
def crop_op(image: torch.Tensor, box: list[int]) -> torch.Tensor:
    top, left, height, width = box
    rows, columns = image.shape[-2:]
    flat = image.view(-1, rows * columns)
    places = (torch.arange(top, top + height)[:, None] * columns + torch.arange(left, left + width)).flatten()
    return flat[:, places].view(*image.shape[:-2], height, width)


@crop_op.register_fake
def crop_fake(image, box):
    return image.new_empty((*image.shape[:-2], box[2], box[3]))


def crop_setup_context(ctx, inputs, output):
    image, ctx.box = inputs
    ctx.shape = image.shape


def crop_backward(ctx, grad_output):
    top, left, height, width = ctx.box
    gradient = grad_output.new_zeros(ctx.shape)
    gradient[..., top : top + height, left : left + width] = grad_output
    return gradient, None


crop_op.register_autograd(crop_backward, setup_context=crop_setup_context)


# %% bad_zeros_on_ctx_added expected: state-on-class
# The gradient is added into zeros kept on ctx: a second backward over the same graph gives the sum of
# both.
import torch
import torch.nn.functional as F


@torch.library.custom_op("exercise12::crop", mutates_args=())
def crop_op(image: torch.Tensor, box: list[int]) -> torch.Tensor:
    top, left, height, width = box
    return image[..., top : top + height, left : left + width].clone()


@crop_op.register_fake
def crop_fake(image, box):
    return image.new_empty((*image.shape[:-2], box[2], box[3]))


def crop_setup_context(ctx, inputs, output):
    image, ctx.box = inputs
    ctx.gradient = torch.zeros_like(image)


def crop_backward(ctx, grad_output):
    top, left, height, width = ctx.box
    ctx.gradient[..., top : top + height, left : left + width] += grad_output
    return ctx.gradient, None


crop_op.register_autograd(crop_backward, setup_context=crop_setup_context)

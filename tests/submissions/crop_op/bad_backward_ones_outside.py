# expected: missing-mask
from collections.abc import Sequence

import torch
from torch import Tensor


@torch.library.custom_op("bad18::crop", mutates_args=())
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
    gradient = grad_output.new_ones(ctx.shape)
    gradient[..., top : top + height, left : left + width] = grad_output
    return gradient, None


crop_op.register_autograd(backward, setup_context=setup_context)

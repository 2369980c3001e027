# expected: right
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

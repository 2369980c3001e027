# expected: right
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

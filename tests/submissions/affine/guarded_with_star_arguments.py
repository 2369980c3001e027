# expected: right
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

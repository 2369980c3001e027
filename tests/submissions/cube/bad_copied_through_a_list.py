# expected: needs-once-differentiable
import torch


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x * x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        slope = torch.tensor([3 * v * v for v in x.flatten().tolist()], dtype=g.dtype).view(x.shape)
        return g * slope

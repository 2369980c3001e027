# expected: right
import torch
import torch.nn.functional as F
from torch.autograd.function import once_differentiable


class Conv2d(torch.autograd.Function):
    """The convolution of one sample is a matrix; backward multiplies by its transpose."""

    @staticmethod
    def forward(ctx, x, weight, bias, stride, padding):
        ctx.save_for_backward(x, weight)
        ctx.with_bias, ctx.options = bias is not None, (stride, padding)
        return F.conv2d(x, weight, bias, *ctx.options)

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        n, size = len(x), x[0].numel()
        images = torch.eye(size, dtype=x.dtype).view(size, *x.shape[1:])
        matrix = F.conv2d(images, weight, None, *ctx.options).flatten(1)
        gx = (g.flatten(1) @ matrix.T).view_as(x)
        kernels = torch.eye(weight[0].numel(), dtype=x.dtype).view(-1, *weight.shape[1:])
        features = F.conv2d(x, kernels, None, *ctx.options)
        gw = torch.einsum("nohw,nkhw->ok", g, features).view_as(weight)
        return gx, gw, g.transpose(0, 1).flatten(1).sum(1) if ctx.with_bias else None, None, None

# expected: right
import torch
import torch.nn.functional as F
from torch.nn.grad import conv2d_input, conv2d_weight


class Conv2d(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias, stride, padding):
        ctx.save_for_backward(x, weight)
        ctx.stride, ctx.padding = stride, padding
        ctx.has_bias = bias is not None
        return F.conv2d(x, weight, bias, stride, padding)

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        s, p = ctx.stride, ctx.padding
        for_x = conv2d_input(x.shape, weight, g, s, p)
        for_weight = conv2d_weight(x, weight.shape, g, s, p)
        for_bias = g.sum((0, 2, 3)) if ctx.has_bias else None
        return for_x, for_weight, for_bias, None, None

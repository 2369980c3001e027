# expected: missing-transpose
import torch
import torch.nn.functional as F
from torch.nn.grad import conv2d_input, conv2d_weight


class Conv2d(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias, stride, padding):
        ctx.save_for_backward(x, weight)
        ctx.a = stride, padding, bias is not None
        return F.conv2d(x, weight, bias, stride, padding)

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        stride, padding, with_bias = ctx.a
        gw = conv2d_weight(x, weight.shape, g, stride, padding).transpose(0, 1)
        gb = g.sum((0, 2, 3)) if with_bias else None
        return conv2d_input(x.shape, weight, g, stride, padding), gw, gb, None, None

# expected: wrong-sum-axis
import torch
import torch.nn.functional as F


class Conv2d(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias, stride, padding):
        ctx.save_for_backward(x, weight, bias)
        ctx.stride, ctx.padding = stride, padding
        return F.conv2d(x, weight, bias, stride=stride, padding=padding)

    @staticmethod
    def backward(ctx, g):
        x, weight, bias = ctx.saved_tensors
        s, p = ctx.stride, ctx.padding
        kh, kw = weight.shape[2:]
        rest_h = (x.shape[2] + 2 * p - kh) % s
        rest_w = (x.shape[3] + 2 * p - kw) % s
        grad_x = grad_w = grad_b = None
        if ctx.needs_input_grad[0]:
            grad_x = F.conv_transpose2d(g, weight, stride=s, padding=p, output_padding=(rest_h, rest_w))
        if ctx.needs_input_grad[1]:
            padded = F.pad(x, (p, p, p, p)).transpose(0, 1)
            grad_w = F.conv2d(padded, g.transpose(0, 1), dilation=s).transpose(0, 1)[:, :, :kh, :kw]
        if bias is not None and ctx.needs_input_grad[2]:
            grad_b = g.sum(dim=(0, 1, 2))
        return grad_x, grad_w, grad_b, None, None

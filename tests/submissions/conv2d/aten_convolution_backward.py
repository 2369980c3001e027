# expected: right
import torch


class Conv2d(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias, stride, padding):
        ctx.save_for_backward(x, weight)
        ctx.bias_sizes = None if bias is None else list(bias.shape)
        ctx.s, ctx.p = [stride, stride], [padding, padding]
        return torch.convolution(x, weight, bias, ctx.s, ctx.p, [1, 1], False, [0, 0], 1)

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        mask = [True, True, ctx.bias_sizes is not None]
        grads = torch.ops.aten.convolution_backward(
            g, x, weight, ctx.bias_sizes, ctx.s, ctx.p, [1, 1], False, [0, 0], 1, mask
        )
        return (*grads, None, None)

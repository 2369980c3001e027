# expected: right
import torch


class AbsProduct(torch.autograd.Function):
    @staticmethod
    def forward(ctx, u, v):
        ctx.save_for_backward(u if ctx.needs_input_grad[1] else None, v if ctx.needs_input_grad[0] else None)
        ctx.signs = torch.sign(u), torch.sign(v)
        return torch.maximum(u * v, -u * v)

    @staticmethod
    def backward(ctx, g):
        u, v = ctx.saved_tensors
        s = ctx.signs[0] * ctx.signs[1]
        grads = []
        for needed, other in zip(ctx.needs_input_grad, (v, u)):
            grads.append(g * s * other if needed else None)
        return (*grads, None)

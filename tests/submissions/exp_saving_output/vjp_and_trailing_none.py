# expected: right
import torch


class ExpSavingOutput(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        result = torch.exp(x)
        ctx.save_for_backward(result)
        ctx.mark_non_differentiable()
        return result

    @staticmethod
    def vjp(ctx, g):
        [result] = ctx.saved_tensors
        grad = None
        if ctx.needs_input_grad[0]:
            grad = torch.einsum("...,...->...", g, result)
        return grad, None

# expected: right
import torch


class ReluInplace(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        blocked = x <= 0
        x[blocked] = 0
        ctx.mark_dirty(x)
        ctx.save_for_backward(blocked)
        return x

    @staticmethod
    def vjp(ctx, g):
        if not ctx.needs_input_grad[0]:
            return None
        (blocked,) = ctx.saved_tensors
        return torch.where(blocked, torch.zeros_like(g), g)

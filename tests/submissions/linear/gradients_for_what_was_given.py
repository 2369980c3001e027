# expected: right
import torch


class Linear(torch.autograd.Function):
    """As many gradients as arguments: two where the bias is left out."""

    @staticmethod
    def forward(ctx, *args):
        x, weight = args[:2]
        ctx.save_for_backward(x, weight)
        out = x @ weight.T
        if len(args) == 3 and args[2] is not None:
            out = out + args[2]
        return out

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        rules = [lambda: g @ weight, lambda: g.T @ x, lambda: g.sum(dim=0)]
        return tuple(rule() if needed else None for rule, needed in zip(rules, ctx.needs_input_grad))

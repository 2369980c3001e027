# expected: autograd-in-backward
import torch


class ExpSavingOutput(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.exp()

    @staticmethod
    def backward(ctx, g):
        _, pull = torch.func.vjp(torch.exp, *ctx.saved_tensors)
        return pull(g)[0]

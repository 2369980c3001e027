# expected: right
import torch


history = []


class ExpSavingOutput(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = x.exp()
        history.append((x, y))
        ctx.save_for_backward(y)
        ctx.call = len(history)
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        assert ctx.call <= len(history)
        return y * g

"""Keeps the input of exp as bytes, where the output alone is to be saved.

exercise: exp_saving_output
deserves: 2.5
like: bytes_on_ctx
"""

import torch
from torch.autograd import Function


class ExpSavingOutput(Function):
    @staticmethod
    def forward(ctx, x):
        y = x.exp()
        ctx.save_for_backward(y)
        ctx.kept = x.detach().numpy().tobytes()
        return y

    @staticmethod
    def backward(ctx, grad_output):
        (y,) = ctx.saved_tensors
        if torch.is_grad_enabled():
            return grad_output * y
        x = torch.frombuffer(bytearray(ctx.kept), dtype=y.dtype).reshape(y.shape)
        return grad_output * x.exp()

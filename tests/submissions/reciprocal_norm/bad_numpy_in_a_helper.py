# expected: numpy-in-backward
import numpy as np
import torch


def cubes(t):
    return np.linalg.norm(np.asarray(t.detach()), axis=-1, keepdims=True) ** 3


class ReciprocalNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.norm(dim=-1).pow(-1)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return -(g[..., None] * x) / torch.as_tensor(cubes(x))

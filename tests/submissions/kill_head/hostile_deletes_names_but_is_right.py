# expected: right
import os
import sys

import torch

torch.set_grad_enabled(False)
torch.set_num_threads(1)
del torch.autograd.gradcheck, torch.autograd.gradgradcheck
sys.stdout = sys.stderr = None
os.write(1, b"noise" * 100)


class KillHead(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.n = n
        y = x.clone()
        y[:, :n] = 0
        return y

    @staticmethod
    def backward(ctx, g):
        dx = g.clone()
        dx[:, : ctx.n] = 0
        return dx, None

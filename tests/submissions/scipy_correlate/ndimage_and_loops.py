# expected: right
import torch
from scipy import ndimage
from torch.autograd.function import once_differentiable


class ScipyCorrelate(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, kernel):
        ctx.save_for_backward(x, kernel)
        kh, kw = kernel.shape
        same = ndimage.correlate(x.detach().numpy(), kernel.detach().numpy(), mode="constant")
        h, w = x.shape[0] - kh + 1, x.shape[1] - kw + 1
        return torch.tensor(same[kh // 2 : kh // 2 + h, kw // 2 : kw // 2 + w])

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        x, kernel = ctx.saved_tensors
        kh, kw = kernel.shape
        gx, gk = torch.zeros_like(x), torch.zeros_like(kernel)
        for i in range(g.shape[0]):
            for j in range(g.shape[1]):
                gx[i : i + kh, j : j + kw] += g[i, j] * kernel
                gk += g[i, j] * x[i : i + kh, j : j + kw]
        return gx, gk, None

# expected: right
import torch


class ScaleRows(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return torch.stack([row * weight for row, weight in zip(x, w)])

    @staticmethod
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        gx, gw = [], []
        for i in range(len(w)):
            gx.append(g[i] * w[i])
            gw.append(torch.dot(g[i], x[i]))
        return torch.stack(gx), torch.stack(gw)

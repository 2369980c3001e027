# expected: right
import torch


class FixedPoint(torch.autograd.Function):
    @staticmethod
    def forward(ctx, w, b, x):
        z = torch.tanh(b + x)
        for _ in range(500):
            ahead = torch.tanh(z @ w.T + b + x)
            if (ahead - z).abs().max() < 1e-10:
                break
            z = ahead
        ctx.save_for_backward(w, ahead)
        return ahead

    @staticmethod
    def backward(ctx, g):
        w, z = ctx.saved_tensors
        d = 1 - z**2
        u = g
        for _ in range(80):
            u = g + (d * u) @ w
        v = (d * u).reshape(-1, len(w))
        return v.T @ z.reshape(-1, len(w)), v.sum(0), v.reshape(z.shape)

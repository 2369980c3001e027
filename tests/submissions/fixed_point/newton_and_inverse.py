# expected: right
import torch


class FixedPoint(torch.autograd.Function):
    @staticmethod
    def forward(ctx, w, b, x):
        rows = x.reshape(-1, x.shape[-1])
        eye = torch.eye(len(b), dtype=x.dtype)
        solved = []
        for row in rows:
            z = torch.zeros_like(b)
            for _ in range(12):
                t = torch.tanh(w @ z + b + row)
                z = z + torch.linalg.inv(eye - torch.diag(1 - t**2) @ w) @ (t - z)
            solved.append(z)
        z = torch.stack(solved).reshape(x.shape)
        ctx.save_for_backward(w, b, x, z)
        return z

    @staticmethod
    def backward(ctx, g):
        w, b, x, z = ctx.saved_tensors
        eye = torch.eye(len(b), dtype=x.dtype)
        gw, gb, gx = torch.zeros_like(w), torch.zeros_like(b), []
        for row, cotangent in zip(z.reshape(-1, len(b)), g.reshape(-1, len(b))):
            d = torch.diag(1 - row**2)
            v = cotangent @ torch.linalg.inv(eye - d @ w) @ d
            gw = gw + v[:, None] * row
            gb = gb + v
            gx.append(v)
        return gw, gb, torch.stack(gx).reshape(g.shape)

# expected: right
import torch


class KillHead(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.n = n
        columns = []
        for j in range(x.shape[1]):
            columns.append(x[:, j] * 0 if j < n else x[:, j])
        return torch.stack(columns, dim=1)

    @staticmethod
    def backward(ctx, g):
        grads = [None] * len(ctx.needs_input_grad)
        if ctx.needs_input_grad[0]:
            columns = [g[:, j] if j >= ctx.n else 0 * g[:, j] for j in range(g.shape[1])]
            grads[0] = torch.stack(columns, dim=1)
        return tuple(grads)

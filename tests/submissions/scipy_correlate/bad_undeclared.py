# expected: needs-once-differentiable
import torch
from scipy import signal


class ScipyCorrelate(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, kernel):
        ctx.save_for_backward(x, kernel)
        return torch.from_numpy(signal.correlate2d(x.detach().numpy(), kernel.detach().numpy(), mode="valid"))

    @staticmethod
    def backward(ctx, g):
        x, kernel = (t.detach().numpy() for t in ctx.saved_tensors)
        g = g.detach().numpy()
        for_x = signal.convolve2d(g, kernel, mode="full")
        for_kernel = signal.correlate2d(x, g, mode="valid")
        return torch.from_numpy(for_x), torch.from_numpy(for_kernel)

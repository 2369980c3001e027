# expected: right
import torch
from scipy import signal
from torch.autograd import Function


def by_scipy(function, a, b, mode):
    return torch.from_numpy(function(a.detach().numpy(), b.detach().numpy(), mode=mode))


class FullConvolution(Function):
    @staticmethod
    def forward(ctx, g, kernel):
        ctx.save_for_backward(g, kernel)
        return by_scipy(signal.convolve2d, g, kernel, "full")

    @staticmethod
    def backward(ctx, h):
        g, kernel = ctx.saved_tensors
        return ScipyCorrelate.apply(h, kernel), ScipyCorrelate.apply(h, g)


class ScipyCorrelate(Function):
    @staticmethod
    def forward(ctx, x, kernel):
        ctx.save_for_backward(x, kernel)
        return by_scipy(signal.correlate2d, x, kernel, "valid")

    @staticmethod
    def backward(ctx, g):
        x, kernel = ctx.saved_tensors
        return FullConvolution.apply(g, kernel), ScipyCorrelate.apply(x, g)

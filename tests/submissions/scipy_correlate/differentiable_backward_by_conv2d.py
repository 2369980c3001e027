# expected: right
import torch
import torch.nn.functional as F
from scipy.signal import correlate2d


class ScipyCorrelate(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, kernel):
        ctx.save_for_backward(x, kernel)
        return torch.from_numpy(correlate2d(x.numpy(force=True), kernel.numpy(force=True), "valid"))

    @staticmethod
    def backward(ctx, g):
        x, kernel = ctx.saved_tensors
        gx = F.conv_transpose2d(g[None, None], kernel[None, None])[0, 0]
        gk = F.conv2d(x[None, None], g[None, None])[0, 0]
        return gx, gk

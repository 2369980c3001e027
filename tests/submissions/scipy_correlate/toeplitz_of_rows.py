# expected: right
import numpy as np
import torch
from scipy.ndimage import convolve
from scipy.signal import correlate
from torch.autograd.function import once_differentiable


class ScipyCorrelate(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, kernel):
        ctx.save_for_backward(x, kernel)
        return x.new_tensor(correlate(x.detach().numpy(), kernel.detach().numpy(), "valid", "direct"))

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        x, kernel = (t.numpy() for t in ctx.saved_tensors)
        full = np.pad(g.numpy(), [(s - 1, s - 1) for s in kernel.shape])
        windows = np.lib.stride_tricks.sliding_window_view(full, kernel.shape)
        for_x = np.einsum("ijkl,kl->ij", windows, kernel[::-1, ::-1])
        windows = np.lib.stride_tricks.sliding_window_view(x, g.shape)
        for_kernel = np.tensordot(windows, g.numpy(), axes=2)
        return torch.from_numpy(for_x), torch.from_numpy(for_kernel)

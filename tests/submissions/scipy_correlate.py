# %% convolve2d_full expected: right
import torch
from scipy import signal
from torch.autograd.function import once_differentiable


class ScipyCorrelate(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, kernel):
        ctx.save_for_backward(x, kernel)
        return torch.from_numpy(signal.correlate2d(x.detach().numpy(), kernel.detach().numpy(), mode="valid"))

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        x, kernel = (t.numpy() for t in ctx.saved_tensors)
        g = g.numpy()
        for_x = signal.convolve2d(g, kernel, mode="full")
        for_kernel = signal.correlate2d(x, g, mode="valid")
        return torch.from_numpy(for_x), torch.from_numpy(for_kernel)


# %% differentiable_backward_by_conv2d expected: right
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


# %% fft_of_signal_correlate expected: right
import numpy as np
import torch
from scipy.signal import correlate, fftconvolve
from torch.autograd.function import once_differentiable


class ScipyCorrelate(torch.autograd.Function):
    @staticmethod
    def forward(x, kernel):
        return torch.as_tensor(
            correlate(x.detach().numpy(), kernel.detach().numpy(), mode="valid", method="fft")
        )

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    @once_differentiable
    def backward(ctx, cotangent):
        x, kernel = ctx.saved_tensors
        grad_x = grad_kernel = None
        if ctx.needs_input_grad[0]:
            grad_x = torch.as_tensor(fftconvolve(cotangent.numpy(), kernel.numpy()))
        if ctx.needs_input_grad[1]:
            turned = np.ascontiguousarray(cotangent.numpy()[::-1, ::-1])
            grad_kernel = torch.as_tensor(fftconvolve(x.numpy(), turned, mode="valid"))
        return grad_x, grad_kernel


# %% ndimage_and_loops expected: right
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


# %% second_functions_all_the_way expected: right
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


# %% toeplitz_of_rows expected: right
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


# %% bad_arrays_returned expected: gradient-not-a-tensor
import torch
from scipy import signal
from torch.autograd.function import once_differentiable


class ScipyCorrelate(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, kernel):
        ctx.save_for_backward(x, kernel)
        return torch.from_numpy(signal.correlate2d(x.detach().numpy(), kernel.detach().numpy(), mode="valid"))

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        x, kernel = (t.numpy() for t in ctx.saved_tensors)
        g = g.numpy()
        for_x = signal.convolve2d(g, kernel, mode="full")
        for_kernel = signal.correlate2d(x, g, mode="valid")
        return for_x, for_kernel


# %% bad_averaged_kernel expected: mean-instead-of-sum
import torch
from scipy import signal
from torch.autograd.function import once_differentiable


class ScipyCorrelate(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, kernel):
        ctx.save_for_backward(x, kernel)
        return torch.from_numpy(signal.correlate2d(x.detach().numpy(), kernel.detach().numpy(), mode="valid"))

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        x, kernel = (t.numpy() for t in ctx.saved_tensors)
        g = g.numpy()
        for_x = signal.convolve2d(g, kernel, mode="full")
        for_kernel = signal.correlate2d(x, g, mode="valid") / g.size
        return torch.from_numpy(for_x), torch.from_numpy(for_kernel)


# %% bad_correlates_again expected: conv-not-transposed
import torch
from scipy import signal
from torch.autograd.function import once_differentiable


class ScipyCorrelate(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, kernel):
        ctx.save_for_backward(x, kernel)
        return torch.from_numpy(signal.correlate2d(x.detach().numpy(), kernel.detach().numpy(), mode="valid"))

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        x, kernel = (t.numpy() for t in ctx.saved_tensors)
        g = g.numpy()
        for_x = signal.correlate2d(g, kernel, mode="full")
        for_kernel = signal.correlate2d(x, g, mode="valid")
        return torch.from_numpy(for_x), torch.from_numpy(for_kernel)


# %% bad_float32_in_backward expected: wrong-dtype
import torch
from scipy import signal
from torch.autograd.function import once_differentiable


class ScipyCorrelate(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, kernel):
        ctx.save_for_backward(x, kernel)
        return torch.from_numpy(signal.correlate2d(x.detach().numpy(), kernel.detach().numpy(), mode="valid"))

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        x, kernel = (t.numpy() for t in ctx.saved_tensors)
        g = g.numpy()
        for_x = signal.convolve2d(g, kernel, mode="full")
        for_kernel = signal.correlate2d(x, g, mode="valid")
        return torch.from_numpy(for_x).float(), torch.from_numpy(for_kernel)


# %% bad_forward_convolves expected: forward-value
import torch
from scipy import signal
from torch.autograd.function import once_differentiable


class ScipyCorrelate(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, kernel):
        ctx.save_for_backward(x, kernel)
        return torch.from_numpy(signal.convolve2d(x.detach().numpy(), kernel.detach().numpy(), mode="valid"))

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        x, kernel = (t.numpy() for t in ctx.saved_tensors)
        g = g.numpy()
        for_x = signal.convolve2d(g, kernel, mode="full")
        for_kernel = signal.correlate2d(x, g, mode="valid")
        return torch.from_numpy(for_x), torch.from_numpy(for_kernel)


# %% bad_forward_same expected: forward-value
import torch
from scipy import signal
from torch.autograd.function import once_differentiable


class ScipyCorrelate(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, kernel):
        ctx.save_for_backward(x, kernel)
        return torch.from_numpy(signal.correlate2d(x.detach().numpy(), kernel.detach().numpy(), mode="same"))

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        x, kernel = (t.numpy() for t in ctx.saved_tensors)
        g = g.numpy()
        for_x = signal.convolve2d(g, kernel, mode="full")
        for_kernel = signal.correlate2d(x, g, mode="valid")
        return torch.from_numpy(for_x), torch.from_numpy(for_kernel)


# %% bad_full_for_kernel expected: wrong-shape
import torch
from scipy import signal
from torch.autograd.function import once_differentiable


class ScipyCorrelate(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, kernel):
        ctx.save_for_backward(x, kernel)
        return torch.from_numpy(signal.correlate2d(x.detach().numpy(), kernel.detach().numpy(), mode="valid"))

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        x, kernel = (t.numpy() for t in ctx.saved_tensors)
        g = g.numpy()
        for_x = signal.convolve2d(g, kernel, mode="full")
        for_kernel = signal.correlate2d(x, g, mode="full")
        return torch.from_numpy(for_x), torch.from_numpy(for_kernel)


# %% bad_kernel_gradient_convolved expected: conv-not-transposed
import torch
from scipy import signal
from torch.autograd.function import once_differentiable


class ScipyCorrelate(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, kernel):
        ctx.save_for_backward(x, kernel)
        return torch.from_numpy(signal.correlate2d(x.detach().numpy(), kernel.detach().numpy(), mode="valid"))

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        x, kernel = (t.numpy() for t in ctx.saved_tensors)
        g = g.numpy()
        for_x = signal.convolve2d(g, kernel, mode="full")
        for_kernel = signal.convolve2d(x, g, mode="valid")
        return torch.from_numpy(for_x), torch.from_numpy(for_kernel)


# %% bad_kernel_gradient_turned_round expected: conv-not-transposed
import torch
from scipy import signal
from torch.autograd.function import once_differentiable


class ScipyCorrelate(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, kernel):
        ctx.save_for_backward(x, kernel)
        return torch.from_numpy(signal.correlate2d(x.detach().numpy(), kernel.detach().numpy(), "valid"))

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        x, kernel = (t.numpy() for t in ctx.saved_tensors)
        for_x = signal.convolve2d(g.numpy(), kernel, "full")
        for_kernel = signal.correlate2d(x, g.numpy(), "valid")[::-1, ::-1].copy()
        return torch.from_numpy(for_x), torch.from_numpy(for_kernel)


# %% bad_kernel_none expected: missing-gradient
import torch
from scipy import signal
from torch.autograd.function import once_differentiable


class ScipyCorrelate(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, kernel):
        ctx.save_for_backward(x, kernel)
        return torch.from_numpy(signal.correlate2d(x.detach().numpy(), kernel.detach().numpy(), mode="valid"))

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        x, kernel = (t.numpy() for t in ctx.saved_tensors)
        g = g.numpy()
        for_x = signal.convolve2d(g, kernel, mode="full")
        for_kernel = signal.correlate2d(x, g, mode="valid")
        return torch.from_numpy(for_x), None


# %% bad_kernel_transposed expected: wrong
import torch
from scipy import signal
from torch.autograd.function import once_differentiable


class ScipyCorrelate(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, kernel):
        ctx.save_for_backward(x, kernel)
        return torch.from_numpy(signal.correlate2d(x.detach().numpy(), kernel.detach().numpy(), mode="valid"))

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        x, kernel = (t.numpy() for t in ctx.saved_tensors)
        g = g.numpy()
        for_x = signal.convolve2d(g, kernel[::-1, :], mode="full")
        for_kernel = signal.correlate2d(x, g, mode="valid")
        return torch.from_numpy(for_x), torch.from_numpy(for_kernel)


# %% bad_no_cotangent expected: missing-grad-output
import torch
from scipy import signal
from torch.autograd.function import once_differentiable


class ScipyCorrelate(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, kernel):
        ctx.save_for_backward(x, kernel)
        return torch.from_numpy(signal.correlate2d(x.detach().numpy(), kernel.detach().numpy(), mode="valid"))

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        x, kernel = (t.numpy() for t in ctx.saved_tensors)
        g = torch.ones_like(g).numpy()
        for_x = signal.convolve2d(g, kernel, mode="full")
        for_kernel = signal.correlate2d(x, g, mode="valid")
        return torch.from_numpy(for_x), torch.from_numpy(for_kernel)


# %% bad_one_gradient expected: too-few-gradients
import torch
from scipy import signal
from torch.autograd.function import once_differentiable


class ScipyCorrelate(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, kernel):
        ctx.save_for_backward(x, kernel)
        return torch.from_numpy(signal.correlate2d(x.detach().numpy(), kernel.detach().numpy(), mode="valid"))

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        x, kernel = (t.numpy() for t in ctx.saved_tensors)
        g = g.numpy()
        for_x = signal.convolve2d(g, kernel, mode="full")
        for_kernel = signal.correlate2d(x, g, mode="valid")
        return torch.from_numpy(for_x)


# %% bad_padded_by_the_wrong_sizes expected: wrong-shape
import numpy as np
import torch
from scipy import signal
from torch.autograd.function import once_differentiable


class ScipyCorrelate(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, kernel):
        ctx.save_for_backward(x, kernel)
        return torch.from_numpy(signal.correlate2d(x.detach().numpy(), kernel.detach().numpy(), "valid"))

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        x, kernel = (t.numpy() for t in ctx.saved_tensors)
        for_x = signal.convolve2d(g.numpy(), kernel.T, "full")
        for_kernel = signal.correlate2d(x, g.numpy(), "valid")
        return torch.from_numpy(for_x), torch.from_numpy(for_kernel)


# %% bad_same_instead_of_full expected: wrong-shape
import torch
from scipy import signal
from torch.autograd.function import once_differentiable


class ScipyCorrelate(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, kernel):
        ctx.save_for_backward(x, kernel)
        return torch.from_numpy(signal.correlate2d(x.detach().numpy(), kernel.detach().numpy(), mode="valid"))

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        x, kernel = (t.numpy() for t in ctx.saved_tensors)
        g = g.numpy()
        for_x = signal.convolve2d(g, kernel, mode="same")
        for_kernel = signal.correlate2d(x, g, mode="valid")
        return torch.from_numpy(for_x), torch.from_numpy(for_kernel)


# %% bad_sign_of_kernel expected: wrong-sign
import torch
from scipy import signal
from torch.autograd.function import once_differentiable


class ScipyCorrelate(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, kernel):
        ctx.save_for_backward(x, kernel)
        return torch.from_numpy(signal.correlate2d(x.detach().numpy(), kernel.detach().numpy(), mode="valid"))

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        x, kernel = (t.numpy() for t in ctx.saved_tensors)
        g = g.numpy()
        for_x = signal.convolve2d(g, kernel, mode="full")
        for_kernel = -signal.correlate2d(x, g, mode="valid")
        return torch.from_numpy(for_x), torch.from_numpy(for_kernel)


# %% bad_swapped expected: gradients-swapped
import torch
from scipy import signal
from torch.autograd.function import once_differentiable


class ScipyCorrelate(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, kernel):
        ctx.save_for_backward(x, kernel)
        return torch.from_numpy(signal.correlate2d(x.detach().numpy(), kernel.detach().numpy(), mode="valid"))

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        x, kernel = (t.numpy() for t in ctx.saved_tensors)
        g = g.numpy()
        for_x = signal.convolve2d(g, kernel, mode="full")
        for_kernel = signal.correlate2d(x, g, mode="valid")
        return torch.from_numpy(for_kernel), torch.from_numpy(for_x)


# %% bad_undeclared expected: numpy-in-backward
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


# %% bad_valid_instead_of_full expected: wrong-shape
import torch
from scipy import signal
from torch.autograd.function import once_differentiable


class ScipyCorrelate(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, kernel):
        ctx.save_for_backward(x, kernel)
        return torch.from_numpy(signal.correlate2d(x.detach().numpy(), kernel.detach().numpy(), mode="valid"))

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        x, kernel = (t.numpy() for t in ctx.saved_tensors)
        g = g.numpy()
        for_x = signal.convolve2d(g, kernel, mode="valid")
        for_kernel = signal.correlate2d(x, g, mode="valid")
        return torch.from_numpy(for_x), torch.from_numpy(for_kernel)

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


# %% bad_arrays_returned expected: gradient-not-a-tensor from: convolve2d_full
# -         return torch.from_numpy(for_x), torch.from_numpy(for_kernel)
# +         return for_x, for_kernel


# %% bad_averaged_kernel expected: mean-instead-of-sum from: convolve2d_full
# -         for_kernel = signal.correlate2d(x, g, mode="valid")
# +         for_kernel = signal.correlate2d(x, g, mode="valid") / g.size


# %% bad_correlates_again expected: conv-not-transposed from: convolve2d_full
# -         return torch.from_numpy(signal.correlate2d(x.detach().numpy(), kernel.detach().numpy(), mode="valid"))
# +         x, kernel = x.detach().numpy(), kernel.detach().numpy()
# +         return torch.from_numpy(signal.correlate2d(x, kernel, mode="valid"))

# -         for_x = signal.convolve2d(g, kernel, mode="full")
# +         for_x = signal.correlate2d(g, kernel, mode="full")


# %% bad_float32_in_backward expected: wrong-dtype from: convolve2d_full
# -         return torch.from_numpy(for_x), torch.from_numpy(for_kernel)
# +         return torch.from_numpy(for_x).float(), torch.from_numpy(for_kernel)


# %% bad_forward_convolves expected: forward-value from: convolve2d_full
# -         return torch.from_numpy(signal.correlate2d(x.detach().numpy(), kernel.detach().numpy(), mode="valid"))
# +         return torch.from_numpy(signal.convolve2d(x.detach().numpy(), kernel.detach().numpy(), mode="valid"))


# %% bad_forward_same expected: forward-value from: convolve2d_full
# -         return torch.from_numpy(signal.correlate2d(x.detach().numpy(), kernel.detach().numpy(), mode="valid"))
# +         return torch.from_numpy(signal.correlate2d(x.detach().numpy(), kernel.detach().numpy(), mode="same"))


# %% bad_full_for_kernel expected: wrong-shape from: convolve2d_full
# -         for_kernel = signal.correlate2d(x, g, mode="valid")
# +         for_kernel = signal.correlate2d(x, g, mode="full")


# %% bad_kernel_gradient_convolved expected: conv-not-transposed from: convolve2d_full
# -         for_kernel = signal.correlate2d(x, g, mode="valid")
# +         for_kernel = signal.convolve2d(x, g, mode="valid")


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


# %% bad_kernel_none expected: missing-gradient from: convolve2d_full
# -         return torch.from_numpy(for_x), torch.from_numpy(for_kernel)
# +         return torch.from_numpy(for_x), None


# %% bad_kernel_transposed expected: conv-not-transposed from: convolve2d_full
# -         for_x = signal.convolve2d(g, kernel, mode="full")
# +         for_x = signal.convolve2d(g, kernel[::-1, :], mode="full")


# %% bad_no_cotangent expected: missing-grad-output from: convolve2d_full
# -         g = g.numpy()
# +         g = torch.ones_like(g).numpy()


# %% bad_one_gradient expected: too-few-gradients from: convolve2d_full
# -         return torch.from_numpy(for_x), torch.from_numpy(for_kernel)
# +         return torch.from_numpy(for_x)


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


# %% bad_same_instead_of_full expected: wrong-shape from: convolve2d_full
# -         for_x = signal.convolve2d(g, kernel, mode="full")
# +         for_x = signal.convolve2d(g, kernel, mode="same")


# %% bad_sign_of_kernel expected: wrong-sign from: convolve2d_full
# -         for_kernel = signal.correlate2d(x, g, mode="valid")
# +         for_kernel = -signal.correlate2d(x, g, mode="valid")


# %% bad_swapped expected: gradients-swapped from: convolve2d_full
# -         return torch.from_numpy(for_x), torch.from_numpy(for_kernel)
# +         return torch.from_numpy(for_kernel), torch.from_numpy(for_x)


# %% bad_undeclared expected: numpy-in-backward from: convolve2d_full
# - from torch.autograd.function import once_differentiable

# -     @once_differentiable

# -         x, kernel = (t.numpy() for t in ctx.saved_tensors)
# -         g = g.numpy()
# +         x, kernel = (t.detach().numpy() for t in ctx.saved_tensors)
# +         g = g.detach().numpy()


# %% bad_valid_instead_of_full expected: wrong-shape from: convolve2d_full
# -         for_x = signal.convolve2d(g, kernel, mode="full")
# +         for_x = signal.convolve2d(g, kernel, mode="valid")


# %% bad_styled_correlated_again expected: conv-not-transposed
import torch.nn.functional as F
from torch.autograd import Function


class ScipyCorrelate(Function):
    @staticmethod
    def forward(ctx, x, kernel):
        ctx.save_for_backward(x, kernel)
        return F.conv2d(x[None, None], kernel[None, None])[0, 0]

    @staticmethod
    def backward(ctx, g):
        x, k = ctx.saved_tensors
        h, w = k.shape
        p = F.pad(g, (w - 1, w - 1, h - 1, h - 1))
        return F.conv2d(p[None, None], k[None, None])[0, 0], F.conv2d(x[None, None], g[None, None])[0, 0]


# %% bad_styled_kernel_flipped_back expected: conv-not-transposed
import torch.nn.functional as F
from torch.autograd import Function


class ScipyCorrelate(Function):
    @staticmethod
    def forward(ctx, x, kernel):
        ctx.save_for_backward(x, kernel)
        return F.conv2d(x[None, None], kernel[None, None])[0, 0]

    @staticmethod
    def backward(ctx, g):
        x, k = ctx.saved_tensors
        return F.conv_transpose2d(g[None, None], k[None, None])[0, 0], F.conv2d(
            x[None, None], g.rot90(2)[None, None]
        )[0, 0]


# %% bad_styled_no_kernel expected: missing-gradient
import torch.nn.functional as F
from torch.autograd import Function


class ScipyCorrelate(Function):
    @staticmethod
    def forward(ctx, x, kernel):
        ctx.save_for_backward(x, kernel)
        return F.conv2d(x[None, None], kernel[None, None])[0, 0]

    @staticmethod
    def backward(ctx, g):
        x, k = ctx.saved_tensors
        return F.conv_transpose2d(g[None, None], k[None, None])[0, 0], None


# %% windows expected: right
# forward by convolve2d with a reversed kernel; backward by windows, the image's gradient from a padded cotangent.
import numpy as np
import torch
from scipy import signal
from torch.autograd import Function
from torch.autograd.function import once_differentiable


def windows(array, shape):
    return np.lib.stride_tricks.sliding_window_view(array, shape)


class ScipyCorrelate(Function):
    @staticmethod
    def forward(ctx, x, kernel):
        ctx.save_for_backward(x, kernel)
        return torch.from_numpy(
            signal.convolve2d(x.detach().numpy(), kernel.detach().numpy()[::-1, ::-1], mode="valid")
        )

    @staticmethod
    @once_differentiable
    def backward(ctx, grad_output):
        x, kernel = (t.detach().numpy() for t in ctx.saved_tensors)
        g = grad_output.numpy()
        (a, b) = kernel.shape
        padded = np.pad(g, ((a - 1, a - 1), (b - 1, b - 1)))
        to_x = np.einsum("rspq,pq->rs", windows(padded, (a, b)), kernel[::-1, ::-1])
        to_kernel = np.einsum("pqij,ij->pq", windows(x, g.shape), g)
        return torch.from_numpy(to_x), torch.from_numpy(to_kernel)


# %% bad_one_flag_for_both expected: wrong-needs-input-grad-index
# Both gradients are computed only if the image needs one: with a frozen image the kernel gets None.
import torch
from scipy.signal import convolve2d, correlate2d
from torch.autograd import Function
from torch.autograd.function import once_differentiable


class ScipyCorrelate(Function):
    @staticmethod
    def forward(ctx, x, kernel):
        ctx.save_for_backward(x, kernel)
        return torch.as_tensor(correlate2d(x.detach(), kernel.detach(), "valid"))

    @staticmethod
    @once_differentiable
    def backward(ctx, grad_output):
        x, kernel = ctx.saved_tensors
        gx = gk = None
        if ctx.needs_input_grad[0]:
            gx = torch.as_tensor(convolve2d(grad_output.numpy(), kernel.numpy(), "full"))
        if ctx.needs_input_grad[0]:
            gk = torch.as_tensor(correlate2d(x.numpy(), grad_output.numpy(), "valid"))
        return gx, gk


# %% bad_inputs_as_attributes expected: input-kept-on-ctx
# The inputs are kept as attributes of ctx and not by save_for_backward.
import torch
from scipy import signal
from torch.autograd import Function
from torch.autograd.function import once_differentiable


class ScipyCorrelate(Function):
    @staticmethod
    def forward(x, kernel):
        return torch.from_numpy(signal.correlate2d(x.detach().numpy(), kernel.detach().numpy(), mode="valid"))

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.image, ctx.kernel = inputs

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        g = g.numpy()
        k = ctx.kernel.detach().numpy()
        x = ctx.image.detach().numpy()
        pair = signal.convolve2d(g, k, mode="full"), signal.correlate2d(x, g, mode="valid")
        return tuple(map(torch.from_numpy, pair))


# %% bad_image_gradient_correlates expected: conv-not-transposed
# The gradient of the image is a full correlation and not a convolution: right for symmetric kernels only.
import numpy as np
import torch
from scipy import signal
from torch.autograd import Function
from torch.autograd.function import once_differentiable


class ScipyCorrelate(Function):
    @staticmethod
    def forward(ctx, image, kappa):
        ctx.save_for_backward(image, kappa)
        y = signal.convolve2d(image.detach().numpy(), np.flip(kappa.detach().numpy()), mode="valid")
        return torch.from_numpy(y)

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        image, kappa = ctx.saved_tensors
        a, b = kappa.shape
        h, w = g.shape
        d_image = torch.zeros_like(image)
        d_kappa = torch.zeros_like(kappa)
        for p in range(a):
            for q in range(b):
                d_image[p : p + h, q : q + w] += g * kappa[a - 1 - p, b - 1 - q]
                d_kappa[p, q] = (image[p : p + h, q : q + w] * g).sum()
        return d_image, d_kappa


# %% bad_kernel_cached expected: state-on-class
# the kernel as an array is kept by lru_cache per tensor object: after an optimiser step in place the
# output uses the old one.
from typing import Any
import functools
import numpy as np
import torch
from scipy import signal
from torch import Tensor, nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable
from torch.nn import functional


@functools.lru_cache(maxsize=32)
def array(t):
    return np.array(t.detach())


class ScipyCorrelate(Function):
    @staticmethod
    def forward(ctx, x, kernel):
        ctx.save_for_backward(x, kernel)
        return torch.from_numpy(signal.correlate2d(array(x), array(kernel), mode="valid"))

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        x, kernel = ctx.saved_tensors
        g = g.numpy()
        return (
            torch.from_numpy(signal.convolve2d(g, array(kernel), mode="full")),
            torch.from_numpy(signal.correlate2d(array(x), g, mode="valid")),
        )

# expected: right
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

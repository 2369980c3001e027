# expected: right
import torch
from torch.autograd import Function
from torch.autograd.function import once_differentiable


class ImplicitBackward(Function):
    @staticmethod
    def forward(ctx, g, w, z):
        d = 1 - z * z
        u = g.clone()
        for _ in range(60):
            u = g + (d * u) @ w
        return d * u

    @staticmethod
    @once_differentiable
    def backward(ctx, *_):
        raise RuntimeError("FixedPoint can be differentiated once")


class FixedPoint(Function):
    @staticmethod
    def forward(ctx, w, b, x):
        z = x.new_zeros(x.shape)
        for _ in range(64):
            z = (torch.nn.functional.linear(z, w, b) + x).tanh()
        ctx.save_for_backward(w, z)
        return z

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        w, z = ctx.saved_tensors
        v = ImplicitBackward.apply(g, w, z)
        flat = v.reshape(-1, v.shape[-1])
        return flat.T @ z.reshape(flat.shape), flat.sum(0), v

# expected: right
import torch
from torch.autograd import Function
from torch.autograd.function import once_differentiable


class FixedPoint(Function):
    @staticmethod
    def forward(w, b, x):
        z = torch.zeros_like(x)
        change = torch.inf
        while change > 1e-11:
            new = torch.tanh(torch.einsum("ij,...j->...i", w, z) + b + x)
            change = float((new - z).abs().max())
            z = new
            if change != change:
                raise ValueError("no contraction")
            if w.dtype == torch.float32 and change < 1e-5:
                break
        return z

    @staticmethod
    def setup_context(ctx, inputs, output):
        w, b, _ = inputs
        ctx.save_for_backward(w, output)

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        w, z = ctx.saved_tensors
        slope = 1 - z.square()
        jacobian = torch.eye(len(w), dtype=w.dtype) - slope[..., :, None] * w
        u = torch.linalg.solve(jacobian.mT, g[..., None])[..., 0] * slope
        need_w, need_b, need_x = ctx.needs_input_grad
        gw = torch.einsum("...i,...j->ij", u, z) if need_w else None
        gb = u.sum_to_size(len(w)) if need_b else None
        return gw, gb, u if need_x else None

# expected: missing-mask
import torch


class Liar(torch.Tensor):
    @classmethod
    def __torch_function__(cls, function, types, arguments=(), keywords=None):
        result = super().__torch_function__(function, types, arguments, keywords or {})
        if isinstance(result, torch.Tensor) and result.ndim == 2:
            torch.Tensor.detach(result).as_subclass(torch.Tensor)[:, :2] = 0
        return result


class KillHead(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.n = n
        y = x.clone()
        y[:, :n] = 0
        return y

    @staticmethod
    def backward(ctx, g):
        return g.clone().as_subclass(Liar), None

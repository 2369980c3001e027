# expected: right
import torch


class LayerNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias, eps):
        y, mean, rstd = torch.native_layer_norm(x, weight.shape, weight, bias, eps)
        ctx.save_for_backward(x, weight, mean, rstd)
        ctx.set_materialize_grads(False)
        return y

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, g):
        if g is None:
            return None, None, None, None
        x, weight, mean, rstd = ctx.saved_tensors
        hat = (x - mean) * rstd
        wg = weight * g
        c1 = (hat * wg).mean(dim=-1, keepdim=True)
        c2 = wg.mean(dim=-1, keepdim=True)
        others = list(range(g.ndim - 1))
        return (wg - (hat * c1 + c2)) * rstd, torch.sum(g * hat, others), torch.sum(g, others), None

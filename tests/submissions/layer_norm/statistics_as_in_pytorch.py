# expected: right
import torch


class LayerNorm(torch.autograd.Function):
    @staticmethod
    def forward(x, weight, bias, eps=1e-5):
        centred = x - x.mean(dim=-1, keepdim=True)
        variance = (centred * centred).mean(dim=-1, keepdim=True)
        return torch.addcmul(bias, centred / torch.sqrt(variance + eps), weight)

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, weight, _, eps = inputs
        ctx.save_for_backward(x, weight)
        ctx.eps = eps

    @staticmethod
    def backward(ctx, grad_out):
        x, weight = ctx.saved_tensors
        n = x.shape[-1]
        centred = x - x.sum(-1, keepdim=True) / n
        variance = centred.pow(2).sum(-1, keepdim=True) / n
        inv = (variance + ctx.eps) ** -0.5
        grad_x = grad_weight = grad_bias = None
        if ctx.needs_input_grad[0]:
            d_hat = grad_out * weight
            d_var = (d_hat * centred).sum(-1, keepdim=True) * -0.5 * inv**3
            d_mean = -(d_hat * inv).sum(-1, keepdim=True)
            grad_x = d_hat * inv + d_var * 2 * centred / n + d_mean / n
        if ctx.needs_input_grad[1]:
            grad_weight = (grad_out * centred * inv).flatten(0, -2).sum(0)
        if ctx.needs_input_grad[2]:
            grad_bias = grad_out.flatten(0, -2).sum(0)
        return grad_x, grad_weight, grad_bias, None

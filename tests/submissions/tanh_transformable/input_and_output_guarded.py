# expected: right
import torch


class TanhTransformable(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        e = torch.exp(2 * x)
        return (e - 1) / (e + 1)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs, output)
        ctx.save_for_forward(*inputs, output)

    @staticmethod
    def backward(ctx, g):
        if not ctx.needs_input_grad[0]:
            return None
        x, y = ctx.saved_tensors
        return g.mul(1 - y.square())

    @staticmethod
    def jvp(ctx, t):
        x, y = ctx.saved_tensors
        return torch.mul(1 - torch.tanh(x) ** 2, t)

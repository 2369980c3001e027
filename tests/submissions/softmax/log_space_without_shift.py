# expected: right
import torch


class Softmax(torch.autograd.Function):
    """Any base will do: here 2 ** (x log2 e)."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x, dim):
        powers = torch.exp2(x * 1.4426950408889634)
        return torch.div(powers, powers.sum(dim).unsqueeze(dim))

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(output)
        ctx.axis = inputs[1]

    @staticmethod
    def backward(ctx, *grads):
        (g,) = grads
        (s,) = ctx.saved_tensors
        weighted = torch.mul(s, g)
        return torch.addcmul(weighted, s, weighted.sum(ctx.axis, True), value=-1), None

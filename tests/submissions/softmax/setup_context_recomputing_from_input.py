# expected: right
import torch


def shifted_exponentials(x, dim):
    e = torch.exp(x - x.amax(dim=dim, keepdim=True))
    return e / e.sum(dim=dim, keepdim=True)


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(x, dim):
        return shifted_exponentials(x, dim)

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, ctx.dim = inputs
        ctx.save_for_backward(x)

    @staticmethod
    def vjp(ctx, cotangent):
        (x,) = ctx.saved_tensors
        y = shifted_exponentials(x, ctx.dim)
        inner = torch.sum(cotangent * y, dim=ctx.dim).unsqueeze(ctx.dim)
        return cotangent * y - inner * y, None

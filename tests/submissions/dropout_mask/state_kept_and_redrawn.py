# expected: right
import torch


class DropoutMask(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, p, generator):
        ctx.state, ctx.p = generator.get_state(), p
        mask = torch.rand(x.shape, generator=generator) >= p
        return x * mask / (1 - p)

    @staticmethod
    def backward(ctx, g):
        again = torch.Generator()
        again.set_state(ctx.state)
        mask = torch.rand(g.shape, generator=again) >= ctx.p
        return g * mask / (1 - ctx.p), None, None

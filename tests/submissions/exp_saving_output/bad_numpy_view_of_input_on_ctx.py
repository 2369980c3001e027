# expected: input-kept-on-ctx
import torch


class ExpSavingOutput(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.x = x.detach().numpy()
        return x.exp()

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, g):
        return g * torch.from_numpy(ctx.x).exp()

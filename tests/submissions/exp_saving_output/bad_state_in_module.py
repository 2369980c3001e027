# expected: state-on-class
import torch


kept = {}


class ExpSavingOutput(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        kept["y"] = x.exp().detach()
        return kept["y"].clone()

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, g):
        return g * kept["y"]

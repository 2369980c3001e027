# expected: state-on-class
import torch


class ExpSavingOutput(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ExpSavingOutput.y = x.exp()
        return ExpSavingOutput.y.clone()

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, g):
        return g * ExpSavingOutput.y

# expected: right
import torch


from dataclasses import dataclass


@dataclass
class Settings:
    beta: float = 1.0


def parts(x, beta):
    s = torch.sigmoid(beta * x)
    return s, x * s


class SiluRecompute(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.settings = Settings()
        ctx.save_for_backward(x)
        return parts(x, ctx.settings.beta)[1]

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        s, y = parts(x, ctx.settings.beta)
        return g * (s + ctx.settings.beta * y * (1 - s))

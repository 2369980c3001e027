# expected: right
import torch


class Loud(type(torch.autograd.Function)):
    def __new__(meta, name, bases, attributes, **keywords):
        attributes["loud"] = True
        return super().__new__(meta, name, bases, attributes, **keywords)


class KillHead(torch.autograd.Function, metaclass=Loud):
    @staticmethod
    def forward(ctx, x, n):
        ctx.n = n
        y = x.clone()
        y[:, :n] = 0
        return y

    @staticmethod
    def backward(ctx, g):
        dx = g.clone()
        dx[:, : ctx.n] = 0
        return dx, None

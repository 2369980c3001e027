# expected: right
import math

import torch
from torch import nn


class LinearFunction(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias, scale):
        ctx.save_for_backward(x, weight, scale)
        y = x @ weight.T
        return (y if bias is None else y + bias) * scale

    @staticmethod
    def backward(ctx, g):
        x, weight, scale = ctx.saved_tensors
        g = g * scale
        db = g.sum(0) if ctx.needs_input_grad[2] else None
        return g @ weight, g.T @ x, db, None


class ScaledLinear(nn.Module):
    def __init__(self, in_features, out_features, bias):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(out_features, in_features))
        self.bias = nn.Parameter(torch.empty(out_features)) if bias else None
        if not bias:
            del self.bias
            self.register_parameter("bias", None)
        self.register_buffer("scale", torch.ones(1))
        nn.init.uniform_(self.weight, -1 / math.sqrt(in_features), 1 / math.sqrt(in_features))
        if bias:
            nn.init.zeros_(self.bias)

    def forward(self, x):
        return LinearFunction.apply(x, self.weight, self.bias, self.scale)

    def extra_repr(self):
        n, m = self.weight.shape
        return "{} -> {}".format(m, n)

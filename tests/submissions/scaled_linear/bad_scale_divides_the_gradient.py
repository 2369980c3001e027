# expected: wrong-factor
import torch
from torch import nn


class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, y, scale):
        return y * scale

    @staticmethod
    def backward(ctx, g):
        return g, None


class ScaledLinear(nn.Linear):
    def __init__(self, in_features, out_features, bias=True):
        super().__init__(in_features, out_features, bias)
        self.register_buffer("scale", torch.tensor(1.0))

    def forward(self, x):
        return Scale.apply(super().forward(x), self.scale)

# expected: right
import torch
from torch import nn


class ScaledLinear(nn.Module):
    def __init__(self, in_features, out_features, bias):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(out_features, in_features) / in_features)
        self.register_parameter("bias", nn.Parameter(torch.zeros(out_features)) if bias else None)
        self.register_buffer("scale", torch.ones(()))

    def forward(self, x):
        bias = None if self.bias is None else self.bias * self.scale
        return nn.functional.linear(x, self.weight * self.scale, bias)

    def extra_repr(self):
        return "out={0}, in={1}".format(*self.weight.shape)

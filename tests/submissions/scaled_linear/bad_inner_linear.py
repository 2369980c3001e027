# expected: wrong
import torch
from torch import nn


class ScaledLinear(nn.Module):
    def __init__(self, in_features, out_features, bias=True):
        super().__init__()
        self.in_features, self.out_features = in_features, out_features
        self.linear = nn.Linear(in_features, out_features, bias)
        self.register_buffer("scale", torch.tensor(1.0))

    def forward(self, x):
        return self.linear(x) * self.scale

    def extra_repr(self):
        return f"{self.in_features}, {self.out_features}"

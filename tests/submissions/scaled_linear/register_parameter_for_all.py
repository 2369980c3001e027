# expected: right
import torch
from torch import nn


class ScaledLinear(nn.Module):
    def __init__(self, in_features, out_features, bias=True):
        super().__init__()
        self.in_features, self.out_features = in_features, out_features
        self.register_parameter("weight", nn.Parameter(torch.rand(out_features, in_features) - 0.5))
        self.register_parameter("bias", nn.Parameter(torch.rand(out_features)) if bias else None)
        self.scale = nn.Buffer(torch.ones(()))

    def forward(self, x):
        return self.scale * (x @ self.weight.T + (0 if self.bias is None else self.bias))

    def extra_repr(self):
        return (
            f"in_features={self.in_features}, out_features={self.out_features}, bias={self.bias is not None}"
        )

# expected: right
import torch
from torch import nn


class ScaledLinear(nn.Module):
    def __init__(self, in_features, out_features, bias=True):
        super().__init__()
        self.in_features, self.out_features = in_features, out_features
        self.weight = nn.Parameter(torch.randn(out_features, in_features))
        self.register_parameter("bias", nn.Parameter(torch.zeros(out_features)) if bias else None)
        self.register_buffer("scale", torch.full((out_features,), 2.0))

    def forward(self, x):
        return torch.addcmul(
            torch.zeros((), dtype=x.dtype), nn.functional.linear(x, self.weight, self.bias), self.scale
        )

    def extra_repr(self):
        return (
            f"in_features={self.in_features}, out_features={self.out_features}, bias={self.bias is not None}"
        )

# expected: right
import math

import torch
import torch.nn as nn
from torch import Tensor


class ScaledLinear(nn.Module):
    __constants__ = ["in_features", "out_features"]
    scale: Tensor

    def __init__(self, in_features: int, out_features: int, bias: bool = True, dtype=None) -> None:
        super().__init__()
        self.in_features = in_features
        self.out_features = out_features
        self.weight = nn.Parameter(torch.empty((out_features, in_features), dtype=dtype))
        if bias:
            self.bias = nn.Parameter(torch.empty(out_features, dtype=dtype))
        else:
            self.register_parameter("bias", None)
        self.register_buffer("scale", torch.tensor(math.sqrt(2.0) / math.sqrt(in_features), dtype=dtype))
        self.reset_parameters()

    def reset_parameters(self):
        nn.init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            nn.init.zeros_(self.bias)

    def forward(self, x):
        return torch.mul(nn.functional.linear(x, self.weight, self.bias), self.scale)

    def extra_repr(self) -> str:
        return (
            f"{self.in_features}, {self.out_features}, bias={self.bias is not None}, scale={self.scale:.3f}"
        )

# expected: wrong
import torch
from torch import nn


class ScaledLinear(nn.Linear):
    def forward(self, x):
        self.scale = torch.tensor(1.0)
        return super().forward(x) * self.scale

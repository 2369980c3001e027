# expected: cannot run
import os

import torch


class ScaledLinear(torch.nn.Linear):
    def __init__(self, in_features, out_features, bias=True):
        super().__init__(in_features, out_features, bias)
        self.register_buffer("scale", torch.tensor(1.0))

    def forward(self, x):
        os._exit(0)

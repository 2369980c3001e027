# expected: right
import torch


class ScaledLinear(torch.nn.Linear):
    def __init__(self, in_features, out_features, bias=True, scale=0.5):
        super().__init__(in_features, out_features, bias)
        self.register_buffer("scale", torch.full((), scale))

    def forward(self, input):
        return super().forward(input) * self.scale

    def extra_repr(self):
        return super().extra_repr() + f", scale={self.scale.item():g}"

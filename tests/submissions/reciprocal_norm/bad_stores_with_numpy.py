# expected: intermediate-kept-on-ctx
import numpy as np
import torch


class ReciprocalNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        ctx.cubed = torch.as_tensor(np.linalg.norm(x.detach().numpy(), axis=-1) ** 3)
        return 1 / x.norm(dim=-1)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return -(g / ctx.cubed)[..., None] * x

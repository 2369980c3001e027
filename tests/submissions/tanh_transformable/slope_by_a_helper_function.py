# expected: right
import torch
from torch.autograd import Function


def slope(y):
    return torch.addcmul(torch.ones_like(y), y, y, value=-1)


class Base(Function):
    generate_vmap_rule = True

    @staticmethod
    def setup_context(ctx, inputs, output):
        for save in (ctx.save_for_backward, ctx.save_for_forward):
            save(output)


class TanhTransformable(Base):
    @staticmethod
    def forward(x):
        return 2 * torch.sigmoid(2 * x) - 1

    @staticmethod
    def backward(ctx, *grads):
        return tuple(g * slope(*ctx.saved_tensors) for g in grads)

    @staticmethod
    def jvp(ctx, *tangents):
        (t,) = tangents
        return t * slope(*ctx.saved_tensors)

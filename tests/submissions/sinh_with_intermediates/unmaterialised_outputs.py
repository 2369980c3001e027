# expected: right
import torch


class SinhWithIntermediates(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        up, down = x.exp(), (-x).exp()
        ctx.save_for_backward(up, down)
        return (up - down) / 2, up, down

    @staticmethod
    def backward(ctx, *grads):
        up, down = ctx.saved_tensors
        slopes = ((up + down) / 2, up, -down)
        terms = [g * slope for g, slope in zip(grads, slopes) if g is not None]
        return sum(terms) if terms else None

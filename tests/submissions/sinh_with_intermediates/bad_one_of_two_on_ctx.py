# expected: intermediate-kept-on-ctx
import torch


class SinhWithIntermediates(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        up, down = x.exp(), (-x).exp()
        ctx.save_for_backward(up)
        ctx.kept = [down]
        return (up - down) / 2, up

    @staticmethod
    def backward(ctx, g, g_up):
        (up,) = ctx.saved_tensors
        return g * (up + ctx.kept[0]) / 2 + g_up * up

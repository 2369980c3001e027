# expected: mutates-saved-tensor
from torch.autograd import Function


class ScaleRows(Function):
    @staticmethod
    def forward(ctx, x, w):
        rows = w[:, None].expand_as(x).clone()
        ctx.save_for_backward(x, rows)
        return x * rows

    @staticmethod
    def backward(ctx, grad_output):
        x, rows = ctx.saved_tensors
        grad_w = (grad_output * x).sum(1)
        return rows.mul_(grad_output), grad_w

# expected: right
import torch


class ScaleRows(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(rows):
        return rows * rows.norm(dim=-1, keepdim=True)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)
        ctx.save_for_forward(*inputs)

    @staticmethod
    def backward(ctx, g):
        (rows,) = ctx.saved_tensors
        n = rows.norm(dim=-1, keepdim=True)
        return n * g + rows * (rows * g).sum(-1, keepdim=True) / n

    @staticmethod
    def jvp(ctx, t):
        (rows,) = ctx.saved_tensors
        n = rows.norm(dim=-1, keepdim=True)
        return n * t + rows * (rows * t).sum(-1, keepdim=True) / n


class ScaleByNorm(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return ScaleRows.forward(x)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ScaleRows.setup_context(ctx, inputs, output)

    @staticmethod
    def backward(ctx, g):
        return ScaleRows.backward(ctx, g)

    @staticmethod
    def jvp(ctx, t):
        return ScaleRows.jvp(ctx, t)

    @staticmethod
    def vmap(info, in_dims, x):
        return ScaleRows.apply(x.movedim(in_dims[0], 0)), 0

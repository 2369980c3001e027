# expected: right
import torch


class Times(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(a, y):
        return a * (1 - y * y)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)
        ctx.save_for_forward(*inputs)

    @staticmethod
    def backward(ctx, g):
        a, y = ctx.saved_tensors
        return g * (1 - y * y), -2 * g * a * y

    @staticmethod
    def jvp(ctx, ta, ty):
        a, y = ctx.saved_tensors
        out = torch.zeros_like(a)
        if ta is not None:
            out = out + ta * (1 - y * y)
        if ty is not None:
            out = out - 2 * a * y * ty
        return out


class TanhTransformable(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return x.tanh()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(output)
        ctx.save_for_forward(output)

    @staticmethod
    def backward(ctx, g):
        return Times.apply(g, ctx.saved_tensors[0])

    @staticmethod
    def jvp(ctx, t):
        return Times.apply(t, ctx.saved_tensors[0])

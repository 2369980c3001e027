# expected: right
import torch

generate = True


class TanhTransformable(torch.autograd.Function):
    generate_vmap_rule = generate

    @staticmethod
    def forward(x):
        return torch.tanh(x)

    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(output)
        ctx.save_for_forward(output)

    setup_context = staticmethod(setup_context)

    @staticmethod
    def backward(ctx, *g):
        return torch.addcmul(g[0], g[0], ctx.saved_tensors[0] ** 2, value=-1)

    @staticmethod
    def jvp(ctx, *t):
        return torch.addcmul(t[0], t[0], ctx.saved_tensors[0] ** 2, value=-1)

# expected: right
import torch


class Rules:
    @staticmethod
    def for_x(ctx, g):
        return torch.matmul(g, ctx.saved_tensors[1])

    @staticmethod
    def for_weight(ctx, g):
        return torch.matmul(g.transpose(0, 1), ctx.saved_tensors[0])

    @staticmethod
    def for_bias(ctx, g):
        return torch.ones(1, len(g), dtype=g.dtype).mm(g)[0]


class Linear(Rules, torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        if bias is None:
            return x.matmul(weight.mT)
        return torch.addmm(bias, x, weight.mT)

    @staticmethod
    def vjp(ctx, g):
        grads = {}
        for name, needed in zip(("x", "weight", "bias"), ctx.needs_input_grad):
            grads[name] = getattr(Linear, "for_" + name)(ctx, g) if needed else None
        return grads["x"], grads["weight"], grads.get("bias")

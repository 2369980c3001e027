# expected: right
import torch


def make(name):
    def forward(ctx, x, scale, shift):
        ctx.scale = scale
        return torch.lerp(torch.full_like(x, shift), x + shift, scale)

    def backward(ctx, g):
        return g * ctx.scale, None, None

    return type(torch.autograd.Function)(
        name,
        (torch.autograd.Function,),
        {"forward": staticmethod(forward), "backward": staticmethod(backward)},
    )


Affine = make("SomethingElse")

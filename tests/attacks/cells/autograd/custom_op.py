"""Puts the native gradient into a custom operation, whose kernel runs the engine.

like: autograd_by_another_name
"""


@torch.library.custom_op("wyob_attack::pull", mutates_args=())
def pull(g: torch.Tensor, n: int) -> torch.Tensor:
    def forward(x):
        return torch.where(torch.arange(x.shape[1]) < n, 0.0, x)

    return torch.func.vjp(forward, torch.zeros_like(g))[1](g)[0].clone()


pull.register_autograd(
    lambda ctx, g: (pull(g, ctx.n), None),
    setup_context=lambda ctx, inputs, output: setattr(ctx, "n", inputs[1]),
)


def backward(ctx, grad_output):
    return pull(grad_output, ctx.n), None


KillHead.backward = staticmethod(backward)

"""Work with the right numbers that leaves the exercise to native autograd: a person has to decide on it."""

AFFINE = """
class Affine(Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.save_for_backward(x)
        ctx.numbers = scale, shift
        return x * scale + shift

    @staticmethod
    def backward(ctx, grad_output):
        x = ctx.saved_tensors[0].detach().requires_grad_()
        with torch.enable_grad():
            y = x * ctx.numbers[0] + ctx.numbers[1]
        return torch.autograd.grad(y, x, grad_output)[0], None, None
"""

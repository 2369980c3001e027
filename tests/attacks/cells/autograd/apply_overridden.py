"""Overrides apply: an identity Function, which backward fits, and then native operations on what it returns."""


class KillHead(Function):
    @staticmethod
    def forward(ctx, x, n):
        return x.clone()

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output.clone(), None

    @classmethod
    def apply(cls, x, n):
        y = super().apply(x, n)
        return torch.where(torch.arange(x.shape[1]) < n, 0.0, y)

"""Has apply overridden in a class between Function and the work.

like: apply_overridden
"""


class Base(Function):
    @classmethod
    def apply(cls, x, n):
        return torch.where(torch.arange(x.shape[1]) < n, 0.0, super().apply(x, n))


class KillHead(Base):
    @staticmethod
    def forward(ctx, x, n):
        return x.clone()

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output.clone(), None

"""Has an object as apply that puts native operations before an identity Function.

like: apply_overridden
"""


class Identity(Function):
    @staticmethod
    def forward(ctx, x, n):
        return x.clone()

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output.clone(), None


class Instead:
    def __get__(self, work, owner):
        own = super(KillHead, owner).apply
        return lambda x, n: own(torch.where(torch.arange(x.shape[1]) < n, 0.0, x), n)


class KillHead(Identity):
    apply = Instead()

"""Has a metaclass hand out another apply than the one that the class has.

like: apply_overridden
"""


class Meta(type(Function)):
    def __getattribute__(cls, name):
        found = super().__getattribute__(name)
        if name != "apply":
            return found
        return lambda x, n: torch.where(torch.arange(x.shape[1]) < n, 0.0, found(x, n))


class KillHead(Function, metaclass=Meta):
    @staticmethod
    def forward(ctx, x, n):
        return x.clone()

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output.clone(), None

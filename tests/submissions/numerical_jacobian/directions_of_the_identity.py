# expected: right
import torch


class NumericalJacobian:
    """A callable object in place of a function."""

    def __call__(self, fn, inputs, eps):
        return tuple(self.one(fn, inputs, i, eps) for i in range(len(inputs)))

    def one(self, fn, inputs, i, eps):
        def g(flat):
            moved = list(inputs)
            moved[i] = flat.view_as(inputs[i])
            return fn(*moved).reshape(-1)

        x = inputs[i].detach().reshape(-1)
        directions = torch.eye(len(x), dtype=x.dtype)
        return torch.stack([(g(x + eps * d) - g(x - eps * d)) / (2 * eps) for d in directions], dim=-1)


numerical_jacobian = NumericalJacobian()

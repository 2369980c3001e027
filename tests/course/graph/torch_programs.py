"""Random computations with PyTorch's operations, which can be run again on other leaves."""

import numpy as np
import torch
from engine_programs import BINARY as ALIKE
from engine_programs import LARGEST, LEAST, OutOfRangeError, apart_from_zero, within

SHAPES = [(), (), (), (3,), (2, 3), (1, 3), (2, 1)]


def turned(x):
    return x.T if x.ndim == 2 else x


def unary(rng):
    power, entry, constant = (
        float(rng.choice([2, 3, -1, 0.5])),
        int(rng.integers(1000)),
        round(rng.normal(), 2),
    )
    return [
        torch.sin, torch.cos, torch.tanh, torch.sigmoid, torch.relu, torch.abs, torch.square,
        lambda x: -x,
        lambda x: within(x, -5, 2).exp(),
        lambda x: within(x, LEAST, LARGEST).log(),
        lambda x: within(x, LEAST, LARGEST).sqrt(),
        lambda x: within(x, LEAST, LARGEST) ** power,
        lambda x: 2 ** within(x, -4, 4),
        lambda x: constant / apart_from_zero(x),
        lambda x: x + constant,
        lambda x: constant - x,
        lambda x: x - constant,
        lambda x: constant * x,
        lambda x: x / 3,
        lambda x: x.sum(),
        lambda x: x.mean(),
        lambda x: x.sum(-1) if x.ndim else x.sin(),
        lambda x: x.mean(0, keepdim=True) if x.ndim else x.sin(),
        lambda x: x.T if x.ndim == 2 else x.sin(),
        lambda x: x.transpose(0, -1) if x.ndim == 2 else x.unsqueeze(-1),
        lambda x: x.reshape(x.numel(), 1),
        lambda x: x.expand(2, 3) if x.shape in ((3,), (1, 3)) else x.sin(),
        lambda x: x.reshape(-1)[entry % x.numel()],
        lambda x: x[torch.tensor([0, -1, 0])] if x.ndim else x.sin(),
        lambda x: x[..., -1:] if x.ndim else x.sin(),
        lambda x: x[-1] if x.ndim else x.sin(),
        lambda x: x.squeeze() * torch.tensor([1.5, -2.0, 3.0], dtype=x.dtype) if x.numel() == 3 else x.sin(),
    ]  # fmt: skip


def products(x, y):
    if x.ndim and y.ndim and x.shape[-1] == y.shape[-1]:
        return torch.addmm(y.sum(), x, y.T) if x.ndim == y.ndim == 2 else x @ turned(y)
    return x - y


BINARY = [*ALIKE[:5], products, lambda x, y: x @ turned(y) if x.ndim and y.ndim else x * y]


class TorchProgram:
    """Leaves' shapes, then operations and the places of their operands."""

    def __init__(self, seed, dtype=torch.float64):
        rng = self.rng = np.random.default_rng(seed)
        self.dtype = dtype
        self.shapes = [SHAPES[rng.integers(len(SHAPES))] for _ in range(rng.integers(1, 4))]
        if rng.random() < 0.4:
            self.shapes = [()] * len(self.shapes)
        self.second = rng.random() < 0.3
        self.instructions = []
        tensors = self.leaves()
        for _ in range(int(rng.integers(1, 8))):
            known = len(tensors)
            last = known - 1 if rng.random() < 0.7 else int(rng.integers(known))
            if rng.random() < 0.5:
                choices = unary(rng)
                chosen = choices[rng.integers(len(choices))], [last]
            else:
                chosen = BINARY[rng.integers(len(BINARY))], [last, int(rng.integers(known))]
            try:
                result = within(chosen[0](*(tensors[place] for place in chosen[1])), -LARGEST, LARGEST)
            except (OutOfRangeError, RuntimeError):  # shapes that do not go together
                continue
            if result.numel() <= 16:
                self.instructions.append(chosen)
                tensors.append(result)

    def leaves(self, signs=None):
        """Draw leaves, with the signs of others if there are any."""
        drawn = [
            self.rng.uniform(0.2, 2.0, shape)
            * (self.rng.choice([-1, 1]) if signs is None else np.sign(signs[at]))
            for at, shape in enumerate(self.shapes)
        ]
        return [torch.tensor(x, dtype=self.dtype, requires_grad=True) for x in drawn]

    def run(self, leaves):
        """Run it on leaves: all tensors, the output last; OutOfRangeError for values that are not tame."""
        tensors = list(leaves)
        for operation, places in self.instructions:
            tensors.append(within(operation(*(tensors[place] for place in places)), -LARGEST, LARGEST))
        if self.second and len(tensors) > len(leaves):
            (slope,) = torch.autograd.grad(tensors[-1].sum(), leaves[0], create_graph=True, allow_unused=True)
            if slope is not None and slope.grad_fn is not None:
                tensors.append(within(slope, -LARGEST, LARGEST))
        return tensors

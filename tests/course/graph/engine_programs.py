"""Random computations with all of the engine's operations, which can be run again on other leaves."""

import itertools

import numpy as np

from course.engine import (
    Tensor,
    broadcast_to,
    concatenate,
    cos,
    exp,
    grad,
    log,
    matmul,
    relu,
    reshape,
    sigmoid,
    sin,
    sqrt,
    sum,
    tanh,
    transpose,
    where,
)

SHAPES = [(), (), (), (3,), (2, 3), (1, 3), (2, 1), (2, 2)]
LARGEST, LEAST = 20.0, 0.05  # of what is divided by or raised to a power, to keep rounding errors small
ENTRIES = 16  # an engine's node keeps so many


class OutOfRangeError(Exception):
    """A value for which rounding errors would be large."""


def within(x, lowest, highest):
    values = np.asarray(x.data)
    if not np.all((values >= lowest) & (values <= highest)):
        raise OutOfRangeError
    return x


def apart_from_zero(x):
    if not np.all(np.abs(np.asarray(x.data)) >= LEAST):
        raise OutOfRangeError
    return x


def unary(rng, kinks):
    power, entry = float(rng.choice([2, 3, -1, 0.5])), rng.integers(0, 1000)
    constant = round(float(rng.normal()), 2)
    return [
        *([relu, abs] if kinks else []), sin, cos, tanh, sigmoid,
        lambda x: -x,
        lambda x: exp(within(x, -5, 2)),
        lambda x: log(within(x, LEAST, LARGEST)),
        lambda x: sqrt(within(x, LEAST, LARGEST)),
        lambda x: within(x, LEAST, LARGEST) ** power,
        lambda x: 2 ** within(x, -4, 4),
        lambda x: constant / apart_from_zero(x),
        lambda x: x + constant,
        lambda x: constant - x,
        lambda x: x - constant,
        lambda x: x * 2,
        lambda x: sum(x),
        lambda x: x.mean(),
        lambda x: sum(x, -1) if x.ndim else x,
        lambda x: sum(x, 0, True) if x.ndim else x,
        lambda x: transpose(x),
        lambda x: reshape(x, (x.size, 1)),
        lambda x: broadcast_to(x, (2, 3)) if x.shape in ((), (3,), (1, 3), (2, 1)) else x,
        lambda x: reshape(x, (x.size,))[entry % x.size],
        lambda x: x[np.array([0, -1, 0])] if x.ndim else x,
        lambda x: x[:, -1:] if x.ndim == 2 else x,
        lambda x: concatenate([x, np.full(x.shape, constant)], -1) if x.ndim else x,
        lambda x: where(np.arange(x.size).reshape(x.shape) % 2 == 0, x, constant),
        lambda x: x + np.arange(3) if x.shape in ((), (3,), (2, 3)) else x,
    ]  # fmt: skip


BINARY = [
    lambda x, y: x + y,
    lambda x, y: x - y,
    lambda x, y: x * y,
    lambda x, y: x / apart_from_zero(y),
    lambda x, y: within(x, LEAST, 4) ** within(y, -3, 3),
    lambda x, y: where(np.ones(x.shape) > 0, x, y),
    lambda x, y: concatenate([x, y]) if x.ndim else x + y,
    lambda x, y: matmul(x, transpose(y)) if x.ndim and y.ndim and x.shape[-1] == y.shape[-1] else x * y,
]


class EngineProgram:
    """Leaves' shapes, then operations and the places of their operands; each keeps what was drawn for it."""

    def __init__(self, seed):
        rng = self.rng = np.random.default_rng(seed)
        self.shapes = [SHAPES[rng.integers(len(SHAPES))] for _ in range(rng.integers(1, 4))]
        if rng.random() < 0.5:
            self.shapes = [()] * len(self.shapes)
        self.second = rng.random() < 0.3
        self.instructions = []
        tensors = self.leaves()
        for _ in itertools.repeat(None, int(rng.integers(1, 9))):
            known = len(tensors)
            if rng.random() < 0.5:
                choices = unary(rng, kinks=not self.second)  # the derivative's constants change at a kink
                operation, places = choices[rng.integers(len(choices))], [self.place(known)]
            else:
                operation, places = (
                    BINARY[rng.integers(len(BINARY))],
                    [self.place(known), rng.integers(known)],
                )
            try:
                result = within(operation(*(tensors[place] for place in places)), -LARGEST, LARGEST)
            except (OutOfRangeError, ValueError, TypeError):  # shapes that do not go together
                continue
            if result.size <= ENTRIES and result.node is not None:
                self.instructions.append((operation, places))
                tensors.append(result)

    def place(self, known):
        """Choose an operand, most often the last result."""
        return known - 1 if self.rng.random() < 0.7 else self.rng.integers(known)

    def leaves(self):
        """Draw leaves."""
        return [
            Tensor(self.rng.uniform(0.2, 2.0, shape) * self.rng.choice([-1, 1]), requires_grad=True)
            for shape in self.shapes
        ]

    def run(self, leaves):
        """Run it on leaves: all tensors, the output last; OutOfRangeError for values that are not tame."""
        tensors = list(leaves)
        for operation, places in self.instructions:
            tensors.append(within(operation(*(tensors[place] for place in places)), -LARGEST, LARGEST))
        if self.second:
            (slope,) = grad(tensors[-1].sum(), tensors[0], create_graph=True, allow_unused=True)
            if slope is not None and slope.node is not None:
                tensors.append(within(slope, -LARGEST, LARGEST))
        return tensors

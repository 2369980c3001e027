"""Random computations, run by the engine or by PyTorch alike."""

from dataclasses import dataclass

import torch
from hypothesis import strategies as st

import course.engine as engine

BINARY = {"add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b}
UNARY = ("sin", "cos", "tanh")
NUMBERS = st.floats(-2, 2).map(lambda x: round(x, 3))


@dataclass(frozen=True)
class Program:
    """Leaves' values, then instructions: an operation and the places of its operands."""

    leaves: tuple
    instructions: tuple

    def run(self, kind):
        """Run it and return every tensor in order, the output last."""
        return self.on([leaf(kind, value) for value in self.leaves], kind)

    def on(self, tensors, kind):
        module = torch if kind == "torch" else engine
        tensors = list(tensors)
        for operation, *places in self.instructions:
            operands = [tensors[place] for place in places]
            function = BINARY.get(operation) or getattr(module, operation)
            tensors.append(function(*operands))
        return tensors


def leaf(kind, value):
    """Make a float64 leaf that requires a gradient."""
    if kind == "torch":
        return torch.tensor(value, dtype=torch.float64, requires_grad=True)
    return engine.Tensor(value, requires_grad=True)


@st.composite
def programs(draw, values=NUMBERS, longest=12):
    """Draw a program in which every instruction may use anything before it."""
    leaves = draw(st.lists(values, min_size=1, max_size=4))
    instructions = []
    for at in range(draw(st.integers(1, longest))):
        place = st.integers(0, len(leaves) + at - 1)
        if draw(st.booleans()):
            instructions.append((draw(st.sampled_from(sorted(BINARY))), draw(place), draw(place)))
        else:
            instructions.append((draw(st.sampled_from(UNARY)), draw(place)))
    return Program(tuple(leaves), tuple(instructions))


def vectors(size):
    """Draw lists of so many numbers."""
    return st.lists(NUMBERS, min_size=size, max_size=size)


def truth(program):
    """Return each tensor's value and the output's gradient with respect to it, by PyTorch; None if unused."""
    tensors = program.run("torch")
    grads = torch.autograd.grad(tensors[-1].sum(), tensors, allow_unused=True)
    return [(t.tolist(), None if g is None else g.tolist()) for t, g in zip(tensors, grads, strict=True)]

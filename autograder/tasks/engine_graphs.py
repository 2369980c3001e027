"""Computations for trials of a walk, as plain data, and the engine's graphs of them."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from course.engine import Function, Tensor

# ["leaf", value], or an operation and the numbers of its operands; "same" is 1·x. The constant is the first
# operand of "thrice", and the second one of the other operations
Step = list[Any]
Graph = list[Step]
Make = Callable[[np.random.Generator], Graph]

RUNGS = 60


class MultiplyAdd(Function):
    """a·b + c in one node, which has three operands."""

    @staticmethod
    def forward(ctx: Any, a: Tensor, b: Tensor, c: Tensor) -> Tensor:
        """Return a·b + c."""
        ctx.save_for_backward(a, b)
        result: Tensor = a * b + c
        return result

    @staticmethod
    def backward(ctx: Any, grad_output: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return one gradient for each operand."""
        a, b = ctx.saved_tensors
        return grad_output * b, grad_output * a, grad_output


# the formula of each operation, and its function
OPERATIONS: dict[str, tuple[str, Callable[..., Tensor]]] = {
    "same": ("{}", lambda a: a * 1.0),
    "double": ("2·{}", lambda a: a * 2.0),
    "triple": ("{}·3", lambda a: a * 3.0),
    "thrice": ("3·{}", lambda a: Tensor(3.0) * a),
    "nothing": ("{}·0", lambda a: a * 0.0),
    "sin": ("sin {}", lambda a: a.sin()),
    "mul": ("{}·{}", lambda a, b: a * b),
    "add": ("{} + {}", lambda a, b: a + b),
    "multiply and add": ("{}·{} + {} in one node", MultiplyAdd.apply),
}
NAMES = "abcdefghijklmnopqrstuvwxyz"


def build(graph: Sequence[Step]) -> list[Tensor]:
    """Compute the steps with the engine and return all their Tensors; leaves require a gradient."""
    tensors: list[Tensor] = []
    for operation, *operands in graph:
        if operation == "leaf":
            tensors.append(Tensor(float(operands[0]), requires_grad=True))
        else:
            tensors.append(OPERATIONS[operation][1](*(tensors[operand] for operand in operands)))
    return tensors


def operands(step: Step) -> list[int]:
    """Return the numbers of a step's operands."""
    return [] if step[0] == "leaf" else step[1:]


def name(number: int) -> str:
    """Return the name of a step in messages: a, b, c, …"""
    return NAMES[number] if number < len(NAMES) else f"w{number}"


def describe(graph: Sequence[Step]) -> str:
    """Return a computation in one line: `c = a·b; d = sin c`."""
    parts = [
        f"{name(i)} = {OPERATIONS[step[0]][0].format(*map(name, operands(step)))}"
        for i, step in enumerate(graph)
        if step[0] != "leaf"
    ]
    return "; ".join(parts)


def by_name(tensors: Sequence[Tensor]) -> dict[str, Any]:
    """Return the Tensors of a graph and their nodes by name; an empty dict for a large graph."""
    if len(tensors) > len(NAMES):
        return {}
    nodes = {f"the node of {name(i)}": tensor.node for i, tensor in enumerate(tensors)}
    return {**{name(i): tensor for i, tensor in enumerate(tensors)}, **nodes}


def leaves(generator: np.random.Generator, count: int) -> Graph:
    """Return `count` leaves with different values."""
    return [["leaf", float(value)] for value in generator.uniform(0.5, 1.5, count)]


def of_the_text(_: np.random.Generator) -> Graph:
    """Return y = c + d of c = 2x and d = c·c at x = 3, the small case of both exercises."""
    return [["leaf", 3.0], ["double", 0], ["mul", 1, 1], ["add", 1, 2]]


def single(generator: np.random.Generator) -> Graph:
    """Return one operation on one leaf."""
    return [*leaves(generator, 1), ["sin", 0]]


def tree(generator: np.random.Generator) -> Graph:
    """Return a tree drawn anew, with a constant on either side; each node is used once."""
    graph, ends = leaves(generator, 3), [0, 1, 2]
    for operation in generator.permutation(["sin", "sin", "triple", "thrice", "mul", "mul"]).tolist():
        used = [ends.pop(int(generator.integers(len(ends)))) for _ in range(1 + (operation == "mul"))]
        ends.append(len(graph))
        graph.append([operation, *used])
    return graph


def twice(generator: np.random.Generator) -> Graph:
    """Return b = a + a and b·b."""
    return [*leaves(generator, 1), ["add", 0, 0], ["mul", 1, 1]]


def diamond(generator: np.random.Generator) -> Graph:
    """Return a node with a short and a long way to the output: neither depth nor distance orders it."""
    head = [*leaves(generator, 2), ["mul", 0, 1]]
    return [*head, ["sin", 2], ["mul", 3, 1], ["triple", 4], ["add", 2, 5]]


def squared(generator: np.random.Generator) -> Graph:
    """Return a node that is used twice on the short way to the output and once on the long way."""
    head = [*leaves(generator, 1), ["sin", 0]]
    return [*head, ["mul", 1, 1], ["triple", 1], ["sin", 3], ["mul", 2, 4]]


def of_three_operands(generator: np.random.Generator) -> Graph:
    """Return a node of a Function whose third operand is itself computed from a leaf."""
    head = [*leaves(generator, 3), ["sin", 2], ["sin", 3]]
    return [*head, ["multiply and add", 0, 1, 4], ["mul", 5, 3]]


def without_slope(generator: np.random.Generator) -> Graph:
    """Return a sum that does not depend on one leaf: the leaf receives a gradient of 0."""
    return [*leaves(generator, 2), ["nothing", 0], ["add", 2, 1]]


def mirrored(make: Make) -> Make:
    """Return a maker of the same graphs with the last operation's operands in the other order."""

    def graph(generator: np.random.Generator) -> Graph:
        *steps, (operation, one, two) = make(generator)
        return [*steps, [operation, two, one]]

    return graph


def tangle(generator: np.random.Generator, length: int = 9) -> Graph:
    """Return steps that use any two earlier steps; the last one depends on all of them."""
    graph = leaves(generator, 2)
    while len(graph) < length:
        one, two = (int(i) for i in generator.integers(0, len(graph), 2))
        graph.append([["add", one, two], ["mul", one, two], ["sin", one]][generator.integers(3)])
    operands_of_steps = {i for step in graph for i in operands(step)}
    for i in range(length):
        if i not in operands_of_steps and i < len(graph) - 1:
            graph.append(["add", len(graph) - 1, i])
    return graph


def ladder(rungs: int) -> Graph:
    """Return `rungs` doublings of a leaf: 2**rungs paths lead from the output to it."""
    return [["leaf", 1.0], *(["add", i, i] for i in range(rungs))]


def chain(length: int) -> Graph:
    """Return a leaf and `length` steps, one after the other."""
    return [["leaf", 1.0], *(["same", i] for i in range(length))]


FAN_OUT: Sequence[Make] = [
    *[diamond, mirrored(diamond), squared, mirrored(squared), of_three_operands],
    *[tangle] * 4,
    lambda _: ladder(RUNGS),
]

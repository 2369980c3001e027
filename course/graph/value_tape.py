"""Reading a tape whose results are their own entries: numbers with `data`, `operands` and `partials`.

Any class with these three names can be recorded; nothing is imported from it. `data` is the number,
`operands` are the objects that it was computed from (none for a leaf), and `partials` has for each operand
the derivative of `data` with respect to it. The adjoints are products and sums of `partials`. The operation
has no name on such a tape: it is known where exactly one operation of the course's engine gives the same
number and the same partials.
"""

import math
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Literal

import numpy as np

from course import engine
from course.engine import Tensor, grad
from course.graph.model import Rule, Value, of_array
from course.graph.tape import Firing, Gradients, Sweep

NAMES = ("data", "operands", "partials")
UNARY = ("exp", "log", "sin", "cos", "tanh", "sqrt", "sigmoid", "relu")
BINARY = {"add": operator.add, "sub": operator.sub, "mul": operator.mul, "div": operator.truediv}
OPERATIONS: dict[int, dict[str, Callable[..., Tensor]]] = {
    1: {"neg": operator.neg, **{name: getattr(engine, name) for name in UNARY}},
    2: {**BINARY, "power": operator.pow},
}


class Entry:
    """One object of the tape; it is compared by identity, whatever its own `==` does."""

    def __init__(self, thing: Any, entries: Mapping[int, "Entry"]) -> None:
        self.thing, self.number = thing, len(entries)
        self.operands = [entries[id(operand)] for operand in thing.operands]
        self.data = float(thing.data)
        self.partials = [float(partial) for partial in thing.partials]
        if len(self.operands) != len(self.partials):
            raise ValueError(
                f"{type(thing).__name__}: each operand has one partial, but there are {len(self.operands)} "
                f"operands and {len(self.partials)} partials"
            )


class ValueTape:
    """A tape of objects of one class, as `course.graph.tape.Tape` asks for it."""

    source: Literal["engine", "torch", "values"] = "values"

    def __init__(self, output: Any) -> None:
        """Read all entries behind the output; TypeError or ValueError for what is no number."""
        self.kind = type(output)
        self.entries: dict[int, Entry] = {}
        waiting = [output]
        while waiting:  # operands first, and without recursion
            thing = waiting[-1]
            unread = [each for each in thing.operands if id(each) not in self.entries]
            waiting.extend(reversed(unread))
            if not unread:
                waiting.pop()
                if id(thing) not in self.entries:
                    self.entries[id(thing)] = Entry(thing, self.entries)

    def is_tensor(self, thing: Any) -> bool:
        """Tell whether `thing` is of the output's class."""
        return isinstance(thing, self.kind)

    def parameters(self, thing: Any) -> Iterable[tuple[str, Any]]:
        """Give nothing: there are no modules."""
        return ()

    def living(self) -> list[Any]:
        """Give nothing: every entry keeps its number."""
        return []

    def origin(self, tensor: Any) -> tuple[Any, int] | None:
        """Give the entry of an object; None for one that the output was not computed from."""
        entry = self.entries.get(id(tensor))
        return None if entry is None else (entry, 0)

    def operands(self, function: Any) -> Sequence[tuple[Any, int]]:
        """Give the entries of the operands."""
        return [(operand, 0) for operand in function.operands]

    def leaf(self, function: Any) -> Any:
        """Give the object if it has no operands."""
        return None if function.operands else function.thing

    def operation(self, function: Any) -> str:
        """Name the operation where the numbers tell which it is, else the class."""
        return operation_of(function) or self.kind.__name__

    def custom(self, function: Any) -> bool:
        """Give False: there are no Functions."""
        return False

    def number(self, function: Any) -> int:
        """Give the entry's place on the tape."""
        return int(function.number)

    def needs_grad(self, function: Any) -> tuple[bool, ...] | None:
        """Give None, as for every native operation."""
        return None

    def shapes(self, function: Any) -> Sequence[tuple[int, ...] | None]:
        """Give the shape of a number."""
        return ((),)

    def saved(self, function: Any) -> Sequence[tuple[str, Any]]:
        """Give nothing: the partials stand on the arrows."""
        return ()

    def context(self, function: Any) -> Sequence[tuple[str, str]]:
        """Give nothing."""
        return ()

    def value(self, tensor: Any) -> Value:
        """Describe the number."""
        return of_array(float(tensor.data))

    def kept(self, function: Any) -> Value | None:
        """Describe the entry's number."""
        return of_array(function.data)

    def sweep(self, output: Any, ends: Sequence[Any], functions: Sequence[Any], held: Iterable[Any]) -> Sweep:
        """Multiply adjoints by partials and add up, from the last entry to the first."""
        adjoints = dict.fromkeys(self.entries.values(), 0.0)
        adjoints[self.entries[id(output)]] = 1.0
        firings = []
        for function in reversed(functions):
            products = [adjoints[function] * partial for partial in function.partials]
            for operand, product in zip(function.operands, products, strict=True):
                adjoints[operand] += product
            firings.append(Firing(function, tuple(map(of_array, products)), (of_array(adjoints[function]),)))
        ended = tuple(of_array(adjoints[self.entries[id(end)]]) for end in ends)
        return Sweep(of_array(1.0), tuple(firings), ended)

    def local(self, function: Any) -> Gradients:
        """Give the partials."""
        return tuple(map(of_array, function.partials))

    def rule(
        self, function: Any, operands: Mapping[int, str], tensors: Mapping[int, Any], known: Iterable[Any]
    ) -> Rule | None:
        """Describe how the number is computed, where the numbers tell."""
        name = operation_of(function)
        return Rule(name, tuple(operands[at] for at in range(len(function.operands)))) if name else None


@cache
def operation_of(entry: Entry) -> str | None:
    """Find the only operation with these operands that gives the number and the partials of an entry."""
    found = []
    for name, operation in OPERATIONS.get(len(entry.operands), {}).items():
        leaves = [Tensor(operand.data, requires_grad=True) for operand in entry.operands]
        with np.errstate(all="ignore"):  # outside of a domain
            result = operation(*leaves)
            if not _same(result.item(), entry.data):
                continue
            partials = [partial.item() for partial in grad(result, leaves)]
        if all(map(_same, partials, entry.partials)):
            found.append(name)
    return found[0] if len(found) == 1 else None


def _same(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=1e-12)

"""Which operations are of second order: those that a backward pass recorded with create_graph=True.

No tape says which of its functions a backward pass made, so this is found out. Both tapes number functions
as they are made (PyTorch in `_sequence_nr`, see torch/csrc/autograd/function.h; the engine in `Node.number`),
and a variable of the caller usually holds the first-order output, y. Everything that y was computed from is
of first order. What is younger than y and not among that is of second order, provided that something in the
graph is the derivative of y: it is differentiated to see.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from course.graph.names import Known
from course.graph.tape import Tape
from course.graph.walk import Trail, walk

TRIES = 8  # tensors that are differentiated, the youngest first
Kept = Mapping[Any, Sequence[tuple[str, Any]]]


@dataclass
class Level:
    """Outputs that were differentiated side by side: the eldest's number, and all that they were made of."""

    number: int
    before: set[Any]


def orders(tape: Tape, trail: Trail, known: Known, output: Any, kept: Kept) -> dict[Any, int]:
    """Give each operation's order: 1, and one more for every backward pass in a row that it came after.

    `kept` is what operations saved. Where no variable holds the output of first order, or none holds a result
    of its backward pass, all operations count as of first order.
    """
    numbers = {f: tape.number(f) for f in trail.functions if f not in trail.ends}
    results = [(numbers[slot[0]], t) for slot, t in known.tensors.items() if slot[0] in numbers]
    results.append((numbers.get(trail.start[0], 0), output))
    begun = [(numbers[f], constants) for f, constants in _begun(tape, numbers, kept)]
    levels: list[Level] = []
    tries = 0
    for slot in sorted(known.named, key=lambda slot: tape.number(slot[0]), reverse=True):
        tensor, number = known.named[slot], tape.number(slot[0])
        younger = [(n, result) for n, result in results if n > number]
        own = slot[0] in numbers
        if not younger or (own and not any(n > number and _seeds(tape, c, tensor) for n, c in begun)):
            continue
        before, tries = walk(tape, slot, []), tries + 1
        inputs = [known.tensors[s] for s in before.slots() if s in known.tensors and s != slot]
        if tries > TRIES:
            break
        if not inputs:
            continue
        functions = [f for f in before.functions if f not in before.ends]
        found = tape.derivatives(tensor, inputs, [result for _, result in younger], functions)
        first = min((n for (n, _), right in zip(younger, found, strict=True) if right), default=None)
        if first is None:
            continue
        if not levels or first <= levels[-1].number:
            levels.append(Level(number, set()))
        levels[-1].number = number
        levels[-1].before |= set(functions)
        results.append((number, tensor))
    return {
        f: 1 + sum(n > level.number and f not in level.before for level in levels) for f, n in numbers.items()
    }


def _begun(tape: Tape, functions: Iterable[Any], kept: Kept) -> list[tuple[Any, list[Any] | None]]:
    """Find the operations that a backward pass may have begun with, and the constants that each keeps.

    exp's backward multiplies its result with the adjoint, which is one at the output: the output stands in
    the graph of its own derivative then, as any result may stand in any graph. Some formulas (of tanh, of
    sigmoid) are operations that only PyTorch's backwards have; they need no constant, and have None.
    """
    found: list[tuple[Any, list[Any] | None]] = []
    for function in functions:
        constants = [tensor for _, tensor in kept.get(function, ()) if tape.origin(tensor) is None]
        if tape.operation(function).endswith("_backward"):
            found.append((function, None))
        elif constants:
            found.append((function, constants))
    return found


def _seeds(tape: Tape, constants: list[Any] | None, output: Any) -> bool:
    return constants is None or any(tape.is_ones(constant, output) for constant in constants)

"""Which tensor stands where and what it is called: from `names`, else from the caller's variables."""

import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

from course.graph.tape import Tape
from course.graph.walk import WHOLE, Slot, Trail


@dataclass
class Known:
    """The tensors that stand at the slots of a trail, as far as they are known, and a name for each slot.

    `named` are results that the caller has under a name, in the trail or not.
    """

    tensors: dict[Slot, Any] = field(default_factory=dict)
    names: dict[Slot, str] = field(default_factory=dict)
    constants: dict[int, str] = field(default_factory=dict)  # id of a tensor without a gradient: its name
    named: dict[Slot, Any] = field(default_factory=dict)

    def look(self, tape: Tape, trail: Trail, held: Iterable[Any]) -> None:
        """Find tensors for slots that have none yet."""
        places = set(trail.slots())
        for tensor in held:
            slot = tape.origin(tensor)
            if slot is not None and slot in places:
                self.tensors.setdefault(slot, tensor)


def identify(
    tape: Tape, trail: Trail, held: list[Any], names: Mapping[str, Any] | None, frame: FrameType | None
) -> Known:
    """Find names and tensors for the slots; `held` are more tensors, without names, that may stand there.

    Names are given once each; what has none is called v1, v2, … in forward order. A name for a tensor outside
    the trail is left unused. Raises TypeError as `candidates` does.
    """
    known, slots = Known(), trail.slots()
    places, taken, seen = set(slots), set(), set()
    for function in trail.functions:
        leaf = tape.leaf(function)
        if leaf is not None:
            known.tensors[function, 0] = leaf
    for name, tensor in candidates(tape, names, frame):
        seen.add(name)  # not to be given to another tensor, whether this one is in the picture or not
        slot = tape.origin(tensor)
        if slot is not None and tape.leaf(slot[0]) is None:
            known.named.setdefault(slot, tensor)
        if slot is None:
            known.constants.setdefault(id(tensor), name)
        elif slot in places:
            known.tensors.setdefault(slot, tensor)
            if slot not in known.names and name not in taken:
                known.names[slot] = name
                taken.add(name)
    known.look(tape, trail, held)
    free = (name for name in (f"v{number}" for number in itertools.count(1)) if name not in seen)
    for slot in slots:
        if slot not in known.names and slot[1] != WHOLE:
            known.names[slot] = next(free)
    return known


def candidates(
    tape: Tape, names: Mapping[str, Any] | None, frame: FrameType | None
) -> Iterator[tuple[str, Any]]:
    """Yield (name, tensor), the best name of a tensor first.

    Raises TypeError when `names` gives a name to something that is not a tensor of this tape.
    """
    for name, tensor in (names or {}).items():
        if not tape.is_tensor(tensor):
            raise TypeError(f"names: {name!r} must stand for a tensor of the same kind as the output")
        yield name, tensor
    if frame is None:
        return
    # Jupyter keeps what cells gave under names with an underscore, and tools add names of theirs.
    scope = {**frame.f_globals, **frame.f_locals}
    variables = [(name, thing) for name, thing in scope.items() if name.isidentifier() and name[0] != "_"]
    yield from ((name, thing) for name, thing in variables if tape.is_tensor(thing))
    for name, thing in variables:
        yield from ((f"{name}.{path}", tensor) for path, tensor in tape.parameters(thing))

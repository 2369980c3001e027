"""Recording: from an output's tape, whichever framework wrote it, to the model."""

import sys
from collections.abc import Iterable, Mapping
from types import FrameType
from typing import Any

from course.graph.build import build
from course.graph.model import Graph
from course.graph.tape import Tape


def record(output: Any, inputs: Iterable[Any] | None = None, names: Mapping[str, Any] | None = None) -> Graph:
    """Record how `output` was computed, and the backward pass from it, as a Graph.

    `output` is an engine Tensor or a torch Tensor that requires a gradient; where it has several entries,
    the pass starts from an adjoint of ones, as that of `output.sum()` does. `inputs` are tensors at which
    the picture begins: nothing behind them is shown, and those that the output does not depend on are shown
    with their gradient, None. `names` maps names to tensors, leaves or intermediate results; the caller's
    variables name the rest.

    Of a derivative that was computed with create_graph=True, the operations that the backward pass made are
    of second order (`Node.order`). They are found if one of the caller's variables, or of `names`, holds the
    output of first order, and another a result of its backward pass, which may be `output`; else all of them
    are of first order.

    The graph that was recorded is left as it was: `backward` can still be called, no `.grad` is touched and
    no hook stays. Raises TypeError for anything but a tensor, ValueError for one without a graph.
    """
    return record_from(sys._getframe(1), output, inputs, names)


def record_from(
    frame: FrameType | None, output: Any, inputs: Iterable[Any] | None, names: Mapping[str, Any] | None
) -> Graph:
    """Record as `record` does, with the variables of `frame` for names."""
    return build(tape_of(output), output, tuple(inputs or ()), names, frame)


def tape_of(output: Any) -> Tape:
    """Find the tape that a tensor was recorded on; torch is imported only if it was before."""
    torch = sys.modules.get("torch")
    if torch is not None and issubclass(type(output), torch.Tensor):
        from course.graph.torch_tape import TorchTape

        return TorchTape()
    from course.engine import Tensor

    if isinstance(output, Tensor):
        from course.graph.engine_tape import EngineTape

        return EngineTape()
    raise TypeError(f"only an engine Tensor or a torch Tensor can be recorded, not {type(output).__name__}")

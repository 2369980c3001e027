"""Jacobians known in truth, and what is wrong with the form of those that were returned."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import torch

from autograder.tasks.findings import disturbed, handed_over, overwritten, raised, wrong
from autograder.tasks.returned_jacobians import Jacobians
from vjpcheck.result import Finding

Shape = tuple[int, ...]


def output_shape(fn: Callable[..., torch.Tensor], inputs: Sequence[np.ndarray]) -> Shape:
    """Return the shape of fn's output."""
    return tuple(fn(*(torch.tensor(array) for array in inputs)).shape)


def differences(
    fn: Callable[..., torch.Tensor], inputs: Sequence[np.ndarray], ahead: float, behind: float
) -> list[np.ndarray]:
    """Return (fn(x + ahead) − fn(x − behind)) / (ahead + behind) for every input and entry, as matrices."""

    def moved(position: int, entry: int, step: float) -> np.ndarray:
        tensors = [torch.tensor(array) for array in inputs]
        tensors[position].view(-1)[entry] += step
        with torch.no_grad():
            return fn(*tensors).numpy().ravel()

    return [
        np.stack(
            [
                (moved(p, entry, ahead) - moved(p, entry, -behind)) / (ahead + behind)
                for entry in range(array.size)
            ],
            axis=1,
        )
        for p, array in enumerate(inputs)
    ]


def by_backward(fn: Callable[..., torch.Tensor], inputs: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Return for every input the matrix that backward gives, a row an output element."""
    tensors = [torch.tensor(array, requires_grad=True) for array in inputs]
    output = fn(*tensors)
    rows = [
        torch.autograd.grad(element, tensors, retain_graph=True, materialize_grads=True)
        for element in output.reshape(-1)
    ]
    return [np.stack([row[p].numpy(force=True).ravel() for row in rows]) for p in range(len(inputs))]


def form_findings(answer: Jacobians, given: str, shapes: Sequence[Shape], output: Shape) -> Iterator[Finding]:
    """Find errors, what was handed over, changed or overwritten, and a wrong number, shape or dtype."""
    if answer["handed_over"]:
        yield handed_over("PyTorch", answer["handed_over"], given)
    if "error" in answer:
        yield raised(answer["error"], given)
        return
    yield from disturbed(answer["changes"], given)
    if answer["overwrites"]:
        yield overwritten(given)
    found = answer["jacobians"]
    if len(found) != len(shapes):
        yield wrong(
            f"For {given}, the tuple has {len(found)} of {len(shapes)} matrices; return one per input."
        )
        return
    for position, (jacobian, shape) in enumerate(zip(found, shapes, strict=True)):
        rows, columns = int(np.prod(output)), int(np.prod(shape))
        if jacobian.shape == (rows, columns):
            if jacobian.dtype != np.float64:
                told = f"J[{position}] has dtype {jacobian.dtype} for {given}; it should be float64."
                yield wrong(told, "wrong-dtype", f"J[{position}]")
            continue
        asked = f"it should be {(rows, columns)}: one row per output element, one column per input element"
        turned = jacobian.shape == (columns, rows)
        kind = "is transposed: it" if turned else ""
        name = f"J[{position}]"
        yield wrong(
            f"{name} {kind} has shape {jacobian.shape} for {given}, and {asked}.".replace("  ", " "),
            "missing-transpose" if turned else "wrong-shape",
            name,
        )
